#include "talus/lagrange/systems/linkage.hpp"

#include <Eigen/Cholesky>
#include <stdexcept>
#include <utility>

namespace talus::lagrange {

Linkage::Linkage(LinkageParameters parameters) : parameters_(std::move(parameters)) {
    const LinkageParameters& p = parameters_;
    const Eigen::Index n = p.weights.size(), nu = p.offsets.size();
    const auto sized = [](const Matrix& m, Eigen::Index rows, Eigen::Index columns) {
        return m.rows() == rows && m.cols() == columns;
    };
    if (!sized(p.inertia, n, n) || !sized(p.along_x, nu, n) || !sized(p.along_y, nu, n) ||
        p.lengths.size() != n || static_cast<Eigen::Index>(p.links.size()) != n ||
        static_cast<Eigen::Index>(p.contacts.size()) != nu) {
        throw std::invalid_argument("linkage: sizes disagree");
    }
    if (!p.inertia.isApprox(p.inertia.transpose()) ||
        Eigen::LLT<Matrix>(p.inertia).info() != Eigen::Success) {
        throw std::invalid_argument("linkage: the inertia must be symmetric positive definite");
    }
}

Vector Linkage::cosines(const Vector& q) const {
    return (q.array() + parameters_.zero).cos();
}

Vector Linkage::sines(const Vector& q) const {
    return (q.array() + parameters_.zero).sin();
}

Matrix Linkage::mass(const Vector& q) const {
    const Vector c = cosines(q), s = sines(q);
    const Matrix relative = c * c.transpose() + s * s.transpose();  // cos(q_j - q_k)
    return parameters_.inertia.cwiseProduct(relative);
}

Vector Linkage::inertial_force(const Vector& q, const Vector& v) const {
    const Vector c = cosines(q), s = sines(q);
    const Matrix relative = s * c.transpose() - c * s.transpose();  // sin(q_j - q_k)
    return -parameters_.inertia.cwiseProduct(relative) * v.cwiseAbs2();
}

Vector Linkage::gaps(double /*t*/, const Vector& q) const {
    return parameters_.offsets + parameters_.along_x * cosines(q) + parameters_.along_y * sines(q);
}

Matrix Linkage::gap_gradients(double /*t*/, const Vector& q) const {
    return parameters_.along_y * cosines(q).asDiagonal() - parameters_.along_x * sines(q).asDiagonal();
}

Vector Linkage::gap_bending(double /*t*/, const Vector& q, const Vector& v) const {
    const Vector squares = v.cwiseAbs2();
    return -parameters_.along_x * cosines(q).cwiseProduct(squares) -
           parameters_.along_y * sines(q).cwiseProduct(squares);
}

std::optional<double> Linkage::potential(const Vector& q) const {
    return parameters_.weights.dot(sines(q));
}

Vector Linkage::potential_gradient(const Vector& q) const {
    return parameters_.weights.cwiseProduct(cosines(q));
}

Matrix Linkage::potential_hessian(const Vector& q) const {
    const Vector curvature = -parameters_.weights.cwiseProduct(sines(q));
    return curvature.asDiagonal();
}

Figure Linkage::figure(double /*t*/, const Vector& q) const {
    const Vector c = cosines(q), s = sines(q);
    Figure figure{{}, parameters_.lines};
    std::vector<Vec3> joints = {Vec3::Zero()};
    for (Eigen::Index k = 0; k < q.size(); ++k) {
        joints.push_back(joints.back() + parameters_.lengths[k] * Vec3(c[k], s[k], 0.0));
    }
    figure.points.assign(joints.begin() + 1, joints.end());
    figure.lines.push_back(std::move(joints));
    return figure;
}

}  // namespace talus::lagrange
