#include "talus/lagrange/systems/beam_between_stops.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace talus::lagrange {

namespace {

/// Adds an element's matrix (4, 4) for the coordinates of its two nodes, the first of which is clamped in the
/// first element and has no coordinates.
void add_element(const Matrix& element, int number, Matrix& sum) {
    for (int r = 0; r < 4; ++r) {
        for (int c = 0; c < 4; ++c) {
            const int row = 2 * (number - 1) + r, column = 2 * (number - 1) + c;
            if (row >= 0 && column >= 0) sum(row, column) += element(r, c);
        }
    }
}

}  // namespace

BeamBetweenStops::BeamBetweenStops(const BeamParameters& parameters) : parameters_(parameters) {
    const BeamParameters& p = parameters_;
    if (p.elements < 1 || !(p.length > 0.0) || !(p.bending_stiffness > 0.0) || !(p.line_mass > 0.0) ||
        !(p.damping >= 0.0) || !(p.lower < p.upper)) {
        throw std::invalid_argument(
            "beam between stops: elements >= 1, length, bending_stiffness and line_mass > 0, damping >= 0 "
            "and lower < upper are needed");
    }
    const double l = p.length / p.elements;
    Matrix bending(4, 4), inertia(4, 4);
    bending << 12, 6 * l, -12, 6 * l,         //
        6 * l, 4 * l * l, -6 * l, 2 * l * l,  //
        -12, -6 * l, 12, -6 * l,              //
        6 * l, 2 * l * l, -6 * l, 4 * l * l;
    inertia << 156, 22 * l, 54, -13 * l,        //
        22 * l, 4 * l * l, 13 * l, -3 * l * l,  //
        54, 13 * l, 156, -22 * l,               //
        -13 * l, -3 * l * l, -22 * l, 4 * l * l;
    bending *= p.bending_stiffness / (l * l * l);
    inertia *= p.line_mass * l / 420.0;
    const int n = coordinate_count();
    mass_ = stiffness_ = Matrix::Zero(n, n);
    for (int k = 0; k < p.elements; ++k) {
        add_element(bending, k, stiffness_);
        add_element(inertia, k, mass_);
    }
}

Vector BeamBetweenStops::gaps(double /*t*/, const Vector& q) const {
    const double end = q[q.size() - 2];
    return Eigen::Vector2d(end - parameters_.lower, parameters_.upper - end);
}

Matrix BeamBetweenStops::gap_gradients(double /*t*/, const Vector& q) const {
    Matrix rows = Matrix::Zero(2, q.size());
    rows.col(q.size() - 2) = Eigen::Vector2d(1.0, -1.0);
    return rows;
}

Vector BeamBetweenStops::gap_bending(double /*t*/, const Vector& /*q*/, const Vector& /*v*/) const {
    return Vector::Zero(2);
}

std::optional<double> BeamBetweenStops::potential(const Vector& q) const {
    return 0.5 * q.dot(stiffness_ * q) - parameters_.load * q[q.size() - 2];
}

Vector BeamBetweenStops::potential_gradient(const Vector& q) const {
    Vector gradient = stiffness_ * q;
    gradient[q.size() - 2] -= parameters_.load;
    return gradient;
}

std::vector<Quantity> BeamBetweenStops::coordinates() const {
    std::vector<Quantity> names;
    for (int k = 1; k <= parameters_.elements; ++k) {
        names.push_back({fmt::format("w{}", k), "m"});
        names.push_back({fmt::format("slope{}", k), "-"});
    }
    return names;
}

Figure BeamBetweenStops::figure(double /*t*/, const Vector& q) const {
    const double l = parameters_.length / parameters_.elements;
    std::vector<Vec3> axis = {Vec3::Zero()};
    for (int k = 1; k <= parameters_.elements; ++k) axis.emplace_back(k * l, q[2 * k - 2], 0.0);
    const Vec3 lower(parameters_.length, parameters_.lower, 0),
        upper(parameters_.length, parameters_.upper, 0);
    return {{lower, upper}, {std::move(axis)}};
}

}  // namespace talus::lagrange
