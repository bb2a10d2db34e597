#pragma once

#include "talus/lagrange/potential_system.hpp"

namespace talus::lagrange {

/// What makes a linkage. All vectors and matrices by links k = 1..n, u(q) = (cos(q + zero), sin(q + zero)).
struct LinkageParameters {
    Matrix inertia;   ///< (n, n) symmetric: kinetic energy 1/2 sum inertia_jk cos(q_j - q_k) v_j v_k [kg m^2]
    Vector weights;   ///< (n) potential energy sum weights_k sin(q_k + zero) [J]
    double zero = 0;  ///< direction of a link whose coordinate is 0, from the x axis [rad]
    Matrix along_x;   ///< (nu, n) gap a = offsets_a + sum along_x_ak cos(q_k + zero) + ... [m]
    Matrix along_y;   ///< (nu, n) ... + sum along_y_ak sin(q_k + zero) [m]
    Vector offsets;   ///< (nu) [m]
    Vector lengths;   ///< (n) of the links, to draw them one after the other from the origin [m]
    std::vector<std::vector<Vec3>> lines;   ///< to draw what does not move [m]
    std::vector<Quantity> links, contacts;  ///< names
};

/// Rigid links in a plane, each at an absolute angle [rad], and points fixed on them that stay on one side of
/// lines: M(q)_jk = inertia_jk cos(q_j - q_k), centrifugal forces -sum_k inertia_jk sin(q_j - q_k) v_k^2.
class Linkage final : public PotentialSystem {
public:
    /// @throws std::invalid_argument if sizes disagree or M(0) is not positive definite.
    explicit Linkage(LinkageParameters parameters);

    int coordinate_count() const override { return static_cast<int>(parameters_.weights.size()); }
    int constraint_count() const override { return static_cast<int>(parameters_.offsets.size()); }
    Matrix mass(const Vector& q) const override;
    Vector inertial_force(const Vector& q, const Vector& v) const override;
    Vector gaps(double t, const Vector& q) const override;
    Matrix gap_gradients(double t, const Vector& q) const override;
    Vector gap_bending(double t, const Vector& q, const Vector& v) const override;
    std::optional<double> potential(const Vector& q) const override;
    Vector potential_gradient(const Vector& q) const override;
    Matrix potential_hessian(const Vector& q) const override;
    std::vector<Quantity> coordinates() const override { return parameters_.links; }
    std::vector<Quantity> constraints() const override { return parameters_.contacts; }
    Figure figure(double t, const Vector& q) const override;

private:
    Vector cosines(const Vector& q) const;
    Vector sines(const Vector& q) const;

    LinkageParameters parameters_;
};

/// Parameters of a double pendulum beside a wall.
struct DoublePendulumParameters {
    double mass1 = 1.0, mass2 = 1.0;      ///< of the inner and the outer bob [kg], > 0
    double length1 = 1.0, length2 = 1.0;  ///< of the rods without mass [m], > 0
    double gravity = 9.81;                ///< [m/s^2], >= 0
    double wall = 0.0;                    ///< both bobs stay at x >= wall [m]; wall < length1 + length2
};

/// Coordinates: angles of both rods from hanging straight down [rad], positive to the side of +x; gaps: of
/// both bobs to the wall [m]. @throws std::invalid_argument if a parameter is out of range.
Linkage double_pendulum_at_wall(const DoublePendulumParameters& parameters = {});

/// Parameters of a slider-crank with clearance; the defaults are those of Flores, Leine and Glocker 2010,
/// "Modeling and analysis of planar rigid multibody systems with translational clearance joints".
struct SliderCrankParameters {
    double crank_mass = 0.038, rod_mass = 0.038, slider_mass = 0.076;              ///< [kg], > 0
    double crank_inertia = 7.4e-5, rod_inertia = 5.9e-4, slider_inertia = 2.7e-6;  ///< about centres [kg m^2]
    double crank_length = 0.153, rod_length = 0.306;                               ///< [m], > 0
    double slider_length = 0.1, slider_height = 0.05;                              ///< [m], > 0
    double clearance = 1e-3;  ///< between the centred slider and each side of the guide [m], > 0
    double gravity = 9.81;    ///< [m/s^2] along -y, >= 0
};

/// A crank, a rod and a slider pinned at its centre, which moves in a guide along x with room for its
/// clearance: it touches the guide with its four corners. Coordinates: angles of crank, rod and slider from
/// +x [rad]; gaps: of its lower corners (rear, front) to the lower side and of the upper ones to the upper
/// side [m]. @throws std::invalid_argument if a parameter is out of range.
Linkage slider_crank(const SliderCrankParameters& parameters = {});

}  // namespace talus::lagrange
