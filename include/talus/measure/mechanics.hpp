#pragma once

#include "talus/step/system.hpp"

namespace talus {

/// Gravity at the time of the state [m/s^2].
Vec3 gravity_now(const System& system);

/// Number of particles that are not frozen.
Index mobile_count(const System& system);

/// Kinetic energy of the particles that are not frozen, 1/2 (m u^2 + J omega^2) [J] (2-D: per metre of depth
/// when masses are).
double kinetic_energy(const System& system);

/// - sum m g(t) . q over the particles that are not frozen [J].
double potential_energy(const System& system);

/// sum m u [N s].
Vec3 linear_momentum(const System& system);

/// sum m (q - about) x u + J omega [N m s].
Vec3 angular_momentum(const System& system, const Vec3& about);

}  // namespace talus
