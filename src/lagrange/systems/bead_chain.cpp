#include "talus/lagrange/systems/bead_chain.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace talus::lagrange {

BeadChain::BeadChain(BeadChainParameters parameters)
    : masses_(Eigen::Map<const Vector>(parameters.masses.data(), parameters.masses.size())),
      gravity_(parameters.gravity),
      diameter_(parameters.diameter),
      floor_(parameters.floor) {
    if (masses_.size() < 2 || !(masses_.minCoeff() > 0.0) || !(diameter_ >= 0.0) || !(gravity_ >= 0.0)) {
        throw std::invalid_argument(
            "chain of beads: two masses > 0 or more, diameter and gravity >= 0 are needed");
    }
    const Eigen::Index n = masses_.size(), first = floor_ ? 1 : 0, nu = n - 1 + first;
    gradients_ = Matrix::Zero(nu, n);
    offsets_ = Vector::Constant(nu, -diameter_);
    if (floor_) {
        gradients_(0, 0) = 1.0;
        offsets_[0] = -0.5 * diameter_;
    }
    for (Eigen::Index k = 0; k + 1 < n; ++k) {
        gradients_(first + k, k) = -1.0;
        gradients_(first + k, k + 1) = 1.0;
    }
}

Vector BeadChain::gap_bending(double /*t*/, const Vector& /*q*/, const Vector& /*v*/) const {
    return Vector::Zero(constraint_count());
}

Matrix BeadChain::potential_hessian(const Vector& q) const {
    return Matrix::Zero(q.size(), q.size());
}

std::vector<Quantity> BeadChain::coordinates() const {
    std::vector<Quantity> names;
    for (int k = 1; k <= coordinate_count(); ++k) names.push_back({fmt::format("x{}", k), "m"});
    return names;
}

std::vector<Quantity> BeadChain::constraints() const {
    std::vector<Quantity> names;
    if (floor_) names.push_back({"floor", "m"});
    for (int k = 1; k < coordinate_count(); ++k) names.push_back({fmt::format("pair{}", k), "m"});
    return names;
}

Figure BeadChain::figure(double /*t*/, const Vector& q) const {
    Figure figure;
    for (const double x : q) {
        figure.points.emplace_back(x, 0, 0);
        figure.lines.push_back({Vec3(x - 0.5 * diameter_, 0, 0), Vec3(x + 0.5 * diameter_, 0, 0)});
    }
    if (floor_) figure.lines.push_back({Vec3(0, -diameter_, 0), Vec3(0, diameter_, 0)});
    return figure;
}

}  // namespace talus::lagrange
