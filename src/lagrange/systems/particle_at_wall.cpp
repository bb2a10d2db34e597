#include "talus/lagrange/systems/particle_at_wall.hpp"

#include <Eigen/Cholesky>
#include <stdexcept>

namespace talus::lagrange {

ParticleAtWall::ParticleAtWall(const ParticleAtWallParameters& parameters) : parameters_(parameters) {
    const Eigen::Index n = parameters.normal.size();
    const Matrix& mass = parameters.mass;
    if (mass.rows() != n || mass.cols() != n || parameters.force.size() != n) {
        throw std::invalid_argument("particle at a wall: mass, normal and force must have the same size");
    }
    if (!mass.isApprox(mass.transpose()) || Eigen::LLT<Matrix>(mass).info() != Eigen::Success) {
        throw std::invalid_argument("particle at a wall: the mass must be symmetric positive definite");
    }
    if (!(parameters.normal.norm() > 0.0)) {
        throw std::invalid_argument("particle at a wall: the normal must not be zero");
    }
}

Vector ParticleAtWall::force(double /*t*/, const Vector& /*q*/, const Vector& /*v*/) const {
    return parameters_.force;
}

Vector ParticleAtWall::gaps(double /*t*/, const Vector& q) const {
    return Vector::Constant(1, parameters_.normal.dot(q) - parameters_.offset);
}

Matrix ParticleAtWall::gap_gradients(double /*t*/, const Vector& /*q*/) const {
    return parameters_.normal.transpose();
}

Vector ParticleAtWall::gap_bending(double /*t*/, const Vector& /*q*/, const Vector& /*v*/) const {
    return Vector::Zero(1);
}

std::optional<double> ParticleAtWall::potential(const Vector& q) const {
    return -parameters_.force.dot(q);
}

Vector ParticleAtWall::potential_gradient(const Vector& /*q*/) const {
    return -parameters_.force;
}

Matrix ParticleAtWall::potential_hessian(const Vector& q) const {
    return Matrix::Zero(q.size(), q.size());
}

}  // namespace talus::lagrange
