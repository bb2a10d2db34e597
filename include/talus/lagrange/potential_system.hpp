#pragma once

#include "talus/lagrange/mechanical_system.hpp"

namespace talus::lagrange {

/// A system whose forces are those of its potential, of viscous damping and of its varying mass alone.
class PotentialSystem : public MechanicalSystem {
public:
    Vector force(double /*t*/, const Vector& q, const Vector& v) const override {
        return inertial_force(q, v) - potential_gradient(q) - damping() * v;
    }
};

}  // namespace talus::lagrange
