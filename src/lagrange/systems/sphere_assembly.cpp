#include "talus/lagrange/systems/sphere_assembly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace talus::lagrange {

namespace {

constexpr double kUnit = 1e-12;  ///< by how much a unit vector may miss its length

bool positive(const std::vector<double>& values) {
    return std::all_of(values.begin(), values.end(), [](double value) { return value > 0.0; });
}

}  // namespace

SphereAssembly::SphereAssembly(SphereAssemblyParameters parameters) : parameters_(std::move(parameters)) {
    const SphereAssemblyParameters& p = parameters_;
    if (p.masses.empty() || p.masses.size() != p.radii.size() || !positive(p.masses) || !positive(p.radii)) {
        throw std::invalid_argument("sphere assembly: as many masses as radii, all > 0, are needed");
    }
    for (const SphereWall& wall : p.walls) {
        if (std::abs(wall.normal.norm() - 1.0) > kUnit) {
            throw std::invalid_argument("sphere assembly: a wall's normal must have length 1");
        }
    }
}

int SphereAssembly::constraint_count() const {
    return pairs() + count() * static_cast<int>(parameters_.walls.size());
}

Matrix SphereAssembly::mass(const Vector& /*q*/) const {
    Vector diagonal(coordinate_count());
    for (int i = 0; i < count(); ++i) diagonal.segment<3>(3 * i).setConstant(parameters_.masses[i]);
    return diagonal.asDiagonal();
}

Vector SphereAssembly::gaps(double /*t*/, const Vector& q) const {
    Vector gaps(constraint_count());
    int row = 0;
    for (int i = 0; i < count(); ++i) {
        for (int j = i + 1; j < count(); ++j) {
            gaps[row++] = (q.segment<3>(3 * j) - q.segment<3>(3 * i)).norm() - parameters_.radii[i] -
                          parameters_.radii[j];
        }
    }
    for (int i = 0; i < count(); ++i) {
        for (const SphereWall& wall : parameters_.walls) {
            gaps[row++] = wall.normal.dot(q.segment<3>(3 * i)) - wall.offset - parameters_.radii[i];
        }
    }
    return gaps;
}

Matrix SphereAssembly::gap_gradients(double /*t*/, const Vector& q) const {
    Matrix rows = Matrix::Zero(constraint_count(), coordinate_count());
    int row = 0;
    for (int i = 0; i < count(); ++i) {
        for (int j = i + 1; j < count(); ++j, ++row) {
            const Vec3 normal = (q.segment<3>(3 * j) - q.segment<3>(3 * i)).normalized();
            rows.block<1, 3>(row, 3 * i) = -normal.transpose();
            rows.block<1, 3>(row, 3 * j) = normal.transpose();
        }
    }
    for (int i = 0; i < count(); ++i) {
        for (const SphereWall& wall : parameters_.walls) {
            rows.block<1, 3>(row++, 3 * i) = wall.normal.transpose();
        }
    }
    return rows;
}

Vector SphereAssembly::gap_bending(double /*t*/, const Vector& q, const Vector& v) const {
    Vector bending = Vector::Zero(constraint_count());
    int row = 0;
    for (int i = 0; i < count(); ++i) {
        for (int j = i + 1; j < count(); ++j) {
            const Vec3 apart = q.segment<3>(3 * j) - q.segment<3>(3 * i);
            const Vec3 speed = v.segment<3>(3 * j) - v.segment<3>(3 * i);
            const double distance = apart.norm(), along = apart.dot(speed) / distance;
            bending[row++] = (speed.squaredNorm() - along * along) / distance;
        }
    }
    return bending;
}

GapShape SphereAssembly::gap_shape(int a) const {
    return a < pairs() ? GapShape::convex : GapShape::affine;
}

std::optional<double> SphereAssembly::potential(const Vector& q) const {
    return potential_gradient(q).dot(q);
}

Vector SphereAssembly::potential_gradient(const Vector& /*q*/) const {
    Vector gradient(coordinate_count());
    for (int i = 0; i < count(); ++i) {
        gradient.segment<3>(3 * i) = -parameters_.masses[i] * parameters_.gravity;
    }
    return gradient;
}

Matrix SphereAssembly::potential_hessian(const Vector& q) const {
    return Matrix::Zero(q.size(), q.size());
}

std::vector<Quantity> SphereAssembly::coordinates() const {
    std::vector<Quantity> names;
    for (int i = 1; i <= count(); ++i) {
        for (const char axis : {'x', 'y', 'z'}) names.push_back({fmt::format("{}{}", axis, i), "m"});
    }
    return names;
}

std::vector<Quantity> SphereAssembly::constraints() const {
    std::vector<Quantity> names;
    for (int i = 1; i <= count(); ++i) {
        for (int j = i + 1; j <= count(); ++j) names.push_back({fmt::format("pair{}_{}", i, j), "m"});
    }
    for (int i = 1; i <= count(); ++i) {
        for (std::size_t w = 1; w <= parameters_.walls.size(); ++w) {
            names.push_back({fmt::format("wall{}_{}", i, w), "m"});
        }
    }
    return names;
}

Figure SphereAssembly::figure(double /*t*/, const Vector& q) const {
    Figure figure;
    for (int i = 0; i < count(); ++i) figure.points.emplace_back(q.segment<3>(3 * i));
    return figure;
}

}  // namespace talus::lagrange
