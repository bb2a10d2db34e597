#pragma once

#include "talus/lagrange/potential_system.hpp"

namespace talus::lagrange {

/// A half-space that holds spheres: normal.x >= offset.
struct SphereWall {
    Vec3 normal = Vec3::UnitZ();  ///< inner, of length 1
    double offset = 0.0;          ///< [m]
};

/// Parameters of an assembly of spheres.
struct SphereAssemblyParameters {
    std::vector<double> masses = {1.0, 1.0};  ///< [kg], > 0
    std::vector<double> radii = {0.1, 0.1};   ///< [m], > 0, as many
    std::vector<SphereWall> walls = {{}};
    Vec3 gravity = Vec3(0, 0, -9.81);  ///< [m/s^2]
};

/// The granular problem as a system in generalized coordinates. Coordinates: centres x1, y1, z1, x2, ... [m];
/// gaps: of pairs (1,2), (1,3), ..., (2,3), ... and then of spheres and walls, sphere by sphere [m]. The gaps
/// of pairs are convex: the velocity scheme never lets spheres overlap.
class SphereAssembly final : public PotentialSystem {
public:
    /// @throws std::invalid_argument if a parameter is out of range.
    explicit SphereAssembly(SphereAssemblyParameters parameters = {});

    int coordinate_count() const override { return 3 * count(); }
    int constraint_count() const override;
    bool constant_mass() const override { return true; }
    Matrix mass(const Vector& q) const override;
    Vector gaps(double t, const Vector& q) const override;
    Matrix gap_gradients(double t, const Vector& q) const override;
    Vector gap_bending(double t, const Vector& q, const Vector& v) const override;
    GapShape gap_shape(int a) const override;
    std::optional<double> potential(const Vector& q) const override;
    Vector potential_gradient(const Vector& q) const override;
    Matrix potential_hessian(const Vector& q) const override;
    bool convex_potential() const override { return true; }
    std::vector<Quantity> coordinates() const override;
    std::vector<Quantity> constraints() const override;
    Figure figure(double t, const Vector& q) const override;

private:
    int count() const { return static_cast<int>(parameters_.masses.size()); }
    int pairs() const { return count() * (count() - 1) / 2; }

    SphereAssemblyParameters parameters_;
};

}  // namespace talus::lagrange
