#include "talus/lagrange/mechanical_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "differences.hpp"

namespace talus::lagrange {

namespace {

Matrix mass_along(const MechanicalSystem& system, const Vector& q, const Vector& v) {
    return difference([&](double s) { return system.mass(q + s * v); }, step_along(q, v));
}

std::vector<Quantity> numbered(const char* letter, int count) {
    std::vector<Quantity> names;
    for (int k = 1; k <= count; ++k) names.push_back({fmt::format("{}{}", letter, k), ""});
    return names;
}

double relative(const Matrix& value, const Matrix& expected) {
    if (value.size() == 0) return 0.0;
    return (value - expected).cwiseAbs().maxCoeff() / (1.0 + expected.cwiseAbs().maxCoeff());
}

}  // namespace

Vector MechanicalSystem::inertial_force(const Vector& q, const Vector& v) const {
    const Eigen::Index n = q.size();
    if (constant_mass()) return Vector::Zero(n);
    Vector force(n);
    for (Eigen::Index k = 0; k < n; ++k) {
        force[k] = 0.5 * v.dot(mass_along(*this, q, Vector::Unit(n, k)) * v);
    }
    return force - mass_along(*this, q, v) * v;
}

Matrix MechanicalSystem::gap_gradients(double t, const Vector& q) const {
    return jacobian([&](const Vector& at) { return gaps(t, at); }, q, constraint_count());
}

Vector MechanicalSystem::gap_rates(double /*t*/, const Vector& /*q*/) const {
    return Vector::Zero(constraint_count());
}

Vector MechanicalSystem::gap_bending(double t, const Vector& q, const Vector& v) const {
    const auto speed = [&](double s) -> Vector {
        const Vector at = q + s * v;
        return gap_gradients(t + s, at) * v + gap_rates(t + s, at);
    };
    return difference(speed, step_along(q, v));
}

Vector MechanicalSystem::potential_gradient(const Vector& q) const {
    if (!potential(q)) throw std::logic_error("this system has no potential");
    return jacobian([&](const Vector& at) { return Vector::Constant(1, *potential(at)); }, q, 1).transpose();
}

Matrix MechanicalSystem::potential_hessian(const Vector& q) const {
    const Matrix hessian = jacobian([&](const Vector& at) { return potential_gradient(at); }, q, q.size());
    return 0.5 * (hessian + hessian.transpose());
}

std::optional<double> MechanicalSystem::prox_regularity() const {
    if (!constant_mass()) return std::nullopt;
    for (int a = 0; a < constraint_count(); ++a) {
        if (gap_shape(a) != GapShape::affine && gap_shape(a) != GapShape::concave) return std::nullopt;
    }
    return std::numeric_limits<double>::infinity();
}

std::vector<Quantity> MechanicalSystem::coordinates() const {
    return numbered("q", coordinate_count());
}

std::vector<Quantity> MechanicalSystem::constraints() const {
    return numbered("g", constraint_count());
}

double kinetic_energy(const MechanicalSystem& system, const State& state) {
    return 0.5 * state.v.dot(system.mass(state.q) * state.v);
}

double total_energy(const MechanicalSystem& system, const State& state) {
    const std::optional<double> potential = system.potential(state.q);
    if (!potential) throw std::logic_error("this system has no potential");
    return kinetic_energy(system, state) + *potential;
}

double violation(const MechanicalSystem& system, double t, const Vector& q) {
    return system.constraint_count() == 0 ? 0.0 : std::max(0.0, -system.gaps(t, q).minCoeff());
}

double DerivativeErrors::worst() const {
    return std::max({gap_gradients, gap_rates, gap_bending, inertial_force, potential_gradient,
                     potential_hessian, force});
}

DerivativeErrors check_derivatives(const MechanicalSystem& system, const State& state) {
    const auto& [t, q, v] = state;
    DerivativeErrors errors;
    errors.gap_gradients = relative(system.gap_gradients(t, q), system.MechanicalSystem::gap_gradients(t, q));
    errors.gap_rates =
        relative(system.gap_rates(t, q),
                 difference([&, &t = t, &q = q](double s) { return system.gaps(t + s, q); }, kDifference));
    errors.gap_bending = relative(system.gap_bending(t, q, v), system.MechanicalSystem::gap_bending(t, q, v));
    errors.inertial_force =
        relative(system.inertial_force(q, v), system.MechanicalSystem::inertial_force(q, v));
    if (!system.potential(q)) return errors;
    const Vector slope = system.potential_gradient(q);
    errors.potential_gradient = relative(slope, system.MechanicalSystem::potential_gradient(q));
    errors.potential_hessian =
        relative(system.potential_hessian(q), system.MechanicalSystem::potential_hessian(q));
    errors.force =
        relative(system.force(t, q, v), system.inertial_force(q, v) - slope - system.damping() * v);
    return errors;
}

}  // namespace talus::lagrange
