#pragma once

#include <cstdint>
#include <vector>

#include "talus/projection/friction.hpp"

namespace talus::test {

constexpr FrictionKind kBothLaws[] = {FrictionKind::coulomb, FrictionKind::coulomb_relaxed};

/// A projection with friction and everything it needs, owned.
struct FrictionSystem {
    std::vector<Vec3> centre;
    std::vector<double> inverse_mass;
    std::vector<double> inverse_inertia;
    std::vector<Row> rows;
    std::vector<RowFriction> friction;
    std::vector<double> rate;
    std::vector<Vec3> drift;
    std::vector<Vec3> velocity;
    std::vector<Vec3> spin;
    std::vector<std::uint8_t> idle;  ///< of the rows, or empty
    double time_step = 1.0;

    FrictionProblem view() const { return {inverse_mass, inverse_inertia, centre, rows, friction, idle}; }
    /// @param inertia infinite: can not be turned; an infinite mass can not be moved either.
    Index add_body(const Vec3& at, double mass, double inertia, const Vec3& speed = Vec3::Zero(),
                   const Vec3& turn = Vec3::Zero());
    /// The common point is in the middle of the gap between spheres of the radii given.
    void add_pair(Index i, Index j, double radius_i, double radius_j, double mu);
    void add_wall(Index i, const Vec3& normal_to_wall, double gap, double radius, double mu);
    double mass(Index k) const { return 1.0 / inverse_mass[k]; }
};

struct FrictionAnswer {
    FrictionReport report;
    std::vector<Vec3> impulse;
    std::vector<Vec3> moment;
    std::vector<Vec3> velocity;
    std::vector<Vec3> spin;
    std::vector<std::uint8_t> sliding;
};

/// Solves from no first guess, or from `guess`.
FrictionAnswer solve(const FrictionSystem& system, const FrictionOptions& options,
                     const std::vector<Vec3>& guess = {}, const std::vector<Vec3>& moments = {});
/// Impulses, motions and the course of the solve.
bool same_bits(const FrictionAnswer& a, const FrictionAnswer& b);
double largest_difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b);
FrictionOptions friction_options(FrictionKind kind, double tolerance);
/// Relative velocity at contact c, by the formula of the header.
Vec3 contact_velocity(const FrictionSystem& system, std::size_t c, const std::vector<Vec3>& velocity,
                      const std::vector<Vec3>& spin);
/// Kinetic energy of what can move [J].
double kinetic_energy(const FrictionSystem& system, const std::vector<Vec3>& velocity,
                      const std::vector<Vec3>& spin);
/// test::packing with solid spheres that turn, and friction.
FrictionSystem friction_packing(Index count, std::uint64_t seed, double friction);
/// A body of mass 2 and radius 1/2 that touches the floor z = 0 with velocity v. @param factor 1 + m r^2 / J:
/// 3.5 for a solid sphere, 3 for a disc, 1 for a body that can not be turned.
FrictionSystem on_floor(double factor, const Vec3& v, double friction);
/// Pairs alone.
FrictionSystem without_walls(const FrictionSystem& system);

}  // namespace talus::test
