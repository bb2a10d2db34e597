#pragma once

#include "talus/lagrange/potential_system.hpp"

namespace talus::lagrange {

/// Parameters of beads on a line.
struct BeadChainParameters {
    std::vector<double> masses = {1.0, 1.0, 1.0};  ///< [kg], > 0, from left to right; two or more
    double diameter = 0.1;                         ///< [m], >= 0
    double gravity = 0.0;                          ///< [m/s^2] along -x, >= 0
    bool floor = false;                            ///< whether the first bead stays over x = 0
};

/// Beads in a row that push each other: a cradle, a falling column, inelastic collapse. Coordinates: centres
/// [m]; gaps between neighbours [m], before them that of the first bead to the floor where there is one.
class BeadChain final : public PotentialSystem {
public:
    /// @throws std::invalid_argument if a parameter is out of range.
    explicit BeadChain(BeadChainParameters parameters = {});

    int coordinate_count() const override { return static_cast<int>(masses_.size()); }
    int constraint_count() const override { return static_cast<int>(offsets_.size()); }
    bool constant_mass() const override { return true; }
    Matrix mass(const Vector& /*q*/) const override { return masses_.asDiagonal(); }
    Vector gaps(double /*t*/, const Vector& q) const override { return gradients_ * q + offsets_; }
    Matrix gap_gradients(double /*t*/, const Vector& /*q*/) const override { return gradients_; }
    Vector gap_bending(double t, const Vector& q, const Vector& v) const override;
    GapShape gap_shape(int /*a*/) const override { return GapShape::affine; }
    std::optional<double> potential(const Vector& q) const override { return gravity_ * masses_.dot(q); }
    Vector potential_gradient(const Vector& /*q*/) const override { return gravity_ * masses_; }
    Matrix potential_hessian(const Vector& q) const override;
    bool convex_potential() const override { return true; }
    std::vector<Quantity> coordinates() const override;
    std::vector<Quantity> constraints() const override;
    Figure figure(double t, const Vector& q) const override;

private:
    Vector masses_;     ///< (n)
    Matrix gradients_;  ///< (nu, n)
    Vector offsets_;    ///< (nu)
    double gravity_, diameter_;
    bool floor_;
};

}  // namespace talus::lagrange
