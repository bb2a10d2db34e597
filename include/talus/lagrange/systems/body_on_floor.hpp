#pragma once

#include "talus/lagrange/potential_system.hpp"

namespace talus::lagrange {

/// Parameters of a plane rigid body over a floor.
struct BodyOnFloorParameters {
    double mass = 1.0;      ///< [kg], > 0
    double inertia = 1.0;   ///< about the centre of mass [kg m^2], > 0
    double gravity = 9.81;  ///< [m/s^2], >= 0
    /// Corners that may touch, from the centre of mass, in the order of a walk around the body [m], >= 1.
    std::vector<Eigen::Vector2d> corners = {{-0.5, 0.0}, {0.5, 0.0}};
};

/// A rigid body that touches the floor y = 0 with its corners, without friction. Coordinates: x, y of the
/// centre of mass [m], angle [rad], counter-clockwise; gaps: heights of the corners [m].
class BodyOnFloor final : public PotentialSystem {
public:
    /// @throws std::invalid_argument if a parameter is out of range.
    explicit BodyOnFloor(BodyOnFloorParameters parameters = {});

    int coordinate_count() const override { return 3; }
    int constraint_count() const override { return static_cast<int>(parameters_.corners.size()); }
    bool constant_mass() const override { return true; }
    Matrix mass(const Vector& q) const override;
    Vector gaps(double t, const Vector& q) const override;
    Matrix gap_gradients(double t, const Vector& q) const override;
    Vector gap_bending(double t, const Vector& q, const Vector& v) const override;
    std::optional<double> potential(const Vector& q) const override;
    Vector potential_gradient(const Vector& q) const override;
    Matrix potential_hessian(const Vector& q) const override;
    bool convex_potential() const override { return true; }
    std::vector<Quantity> coordinates() const override;
    std::vector<Quantity> constraints() const override;
    Figure figure(double t, const Vector& q) const override;

private:
    /// (corners) heights of the corners over the centre, and that a quarter turn further.
    Vector heights(double angle) const;

    BodyOnFloorParameters parameters_;
};

/// A thin homogeneous rod, touching with both ends; lying at angle 0. @throws std::invalid_argument for a
/// mass [kg] or length [m] that is not positive.
BodyOnFloor falling_rod(double mass, double length, double gravity);
/// A homogeneous block, touching with its lower corners, left and right; standing at angle 0.
/// @throws std::invalid_argument for a mass [kg], width or height [m] that is not positive.
BodyOnFloor rocking_block(double mass, double width, double height, double gravity);

}  // namespace talus::lagrange
