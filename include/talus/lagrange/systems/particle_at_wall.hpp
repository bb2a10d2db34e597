#pragma once

#include "talus/lagrange/mechanical_system.hpp"

namespace talus::lagrange {

/// Parameters of a particle at a plane wall.
struct ParticleAtWallParameters {
    Matrix mass =
        (Matrix(2, 2) << 2.0, 0.8, 0.8, 1.0).finished();  ///< (n, n) [kg], symmetric positive definite
    Vector normal = (Vector(2) << 0.0, 1.0).finished();   ///< (n) [-], not zero
    double offset = 0.0;                                  ///< [m]
    Vector force = Vector::Zero(2);                       ///< (n) [N], constant
};

/// n coordinates with a constant mass matrix, which need not be diagonal, in the half-space
/// normal.q >= offset. Coordinates [m]; gap normal.q - offset [m].
class ParticleAtWall final : public MechanicalSystem {
public:
    /// @throws std::invalid_argument if sizes disagree, the mass is no metric or the normal is zero.
    explicit ParticleAtWall(const ParticleAtWallParameters& parameters = {});

    int coordinate_count() const override { return static_cast<int>(parameters_.normal.size()); }
    int constraint_count() const override { return 1; }
    bool constant_mass() const override { return true; }
    Matrix mass(const Vector& /*q*/) const override { return parameters_.mass; }
    Vector force(double t, const Vector& q, const Vector& v) const override;
    Vector gaps(double t, const Vector& q) const override;
    Matrix gap_gradients(double t, const Vector& q) const override;
    Vector gap_bending(double t, const Vector& q, const Vector& v) const override;
    GapShape gap_shape(int /*a*/) const override { return GapShape::affine; }
    std::optional<double> potential(const Vector& q) const override;
    Vector potential_gradient(const Vector& q) const override;
    Matrix potential_hessian(const Vector& q) const override;
    bool convex_potential() const override { return true; }
    std::vector<Quantity> constraints() const override { return {{"wall", "m"}}; }

private:
    ParticleAtWallParameters parameters_;
};

}  // namespace talus::lagrange
