#include "talus/lagrange/systems/body_on_floor.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <stdexcept>
#include <utility>

namespace talus::lagrange {

BodyOnFloor::BodyOnFloor(BodyOnFloorParameters parameters) : parameters_(std::move(parameters)) {
    if (!(parameters_.mass > 0.0) || !(parameters_.inertia > 0.0) || !(parameters_.gravity >= 0.0) ||
        parameters_.corners.empty()) {
        throw std::invalid_argument(
            "body on a floor: mass and inertia > 0, gravity >= 0 and a corner are needed");
    }
}

Vector BodyOnFloor::heights(double angle) const {
    Vector heights(parameters_.corners.size());
    const Eigen::Vector2d row(std::sin(angle), std::cos(angle));
    for (std::size_t k = 0; k < parameters_.corners.size(); ++k) heights[k] = row.dot(parameters_.corners[k]);
    return heights;
}

Matrix BodyOnFloor::mass(const Vector& /*q*/) const {
    return Vec3(parameters_.mass, parameters_.mass, parameters_.inertia).asDiagonal();
}

Vector BodyOnFloor::gaps(double /*t*/, const Vector& q) const {
    return q[1] + heights(q[2]).array();
}

Matrix BodyOnFloor::gap_gradients(double /*t*/, const Vector& q) const {
    Matrix rows(constraint_count(), 3);
    rows.col(0).setZero();
    rows.col(1).setOnes();
    rows.col(2) = heights(q[2] + 0.5 * std::numbers::pi);  // the derivative is that a quarter turn further
    return rows;
}

Vector BodyOnFloor::gap_bending(double /*t*/, const Vector& q, const Vector& v) const {
    return -v[2] * v[2] * heights(q[2]);
}

std::optional<double> BodyOnFloor::potential(const Vector& q) const {
    return parameters_.mass * parameters_.gravity * q[1];
}

Vector BodyOnFloor::potential_gradient(const Vector& /*q*/) const {
    return Vec3(0.0, parameters_.mass * parameters_.gravity, 0.0);
}

Matrix BodyOnFloor::potential_hessian(const Vector& /*q*/) const {
    return Matrix::Zero(3, 3);
}

std::vector<Quantity> BodyOnFloor::coordinates() const {
    return {{"x", "m"}, {"y", "m"}, {"angle", "rad"}};
}

std::vector<Quantity> BodyOnFloor::constraints() const {
    std::vector<Quantity> names;
    for (int k = 1; k <= constraint_count(); ++k) names.push_back({fmt::format("corner{}", k), "m"});
    return names;
}

Figure BodyOnFloor::figure(double /*t*/, const Vector& q) const {
    const Eigen::Rotation2Dd turn(q[2]);
    std::vector<Vec3> outline;
    for (const Eigen::Vector2d& corner : parameters_.corners) {
        const Eigen::Vector2d at = q.head<2>() + turn * corner;
        outline.emplace_back(at.x(), at.y(), 0.0);
    }
    Figure figure{outline, {}};
    figure.points.emplace_back(q[0], q[1], 0.0);
    outline.emplace_back(q[0], q[1], 0.0);
    outline.push_back(outline.front());
    figure.lines = {std::move(outline), {Vec3(q[0] - 1.0, 0, 0), Vec3(q[0] + 1.0, 0, 0)}};
    return figure;
}

BodyOnFloor falling_rod(double mass, double length, double gravity) {
    if (!(length > 0.0)) throw std::invalid_argument("falling rod: a length > 0 is needed");
    const double half = 0.5 * length;
    return BodyOnFloor({mass, mass * length * length / 12.0, gravity, {{-half, 0.0}, {half, 0.0}}});
}

BodyOnFloor rocking_block(double mass, double width, double height, double gravity) {
    if (!(width > 0.0) || !(height > 0.0)) {
        throw std::invalid_argument("rocking block: width and height > 0 are needed");
    }
    const double b = 0.5 * width, h = 0.5 * height;
    return BodyOnFloor({mass, mass * (width * width + height * height) / 12.0, gravity, {{-b, -h}, {b, -h}}});
}

}  // namespace talus::lagrange
