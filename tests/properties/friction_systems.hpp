#pragma once

#include <array>
#include <vector>

#include "support/builders.hpp"

/// Grains with friction and spins among walls of every kind, and what the tests of their promises ask of
/// them.
namespace talus::test {

constexpr std::array kLaws = {FrictionLaw::coulomb, FrictionLaw::coulomb_relaxed};

/// Rolling friction to try with a law; the relaxed one has none.
std::vector<double> rolling_frictions(FrictionLaw law);

constexpr double kMean = 0.01;  // radius of the grains [m], +- 30 %
constexpr double kPitch = 2.0 * 1.3 * 1.1 * kMean;
constexpr double kGravity = 9.81;

/// In what units and from where a system is described.
struct View {
    double length = 1.0, time = 1.0, mass = 1.0;
    Mat3 axes = Mat3::Identity();  ///< a turn, or a mirror
    Vec3 drift = Vec3::Zero();     ///< of everything, walls included [m/s]

    Vec3 point(const Vec3& x) const { return length * (axes * x); }
    Vec3 velocity(const Vec3& u) const { return length / time * (axes * u + drift); }
    Vec3 turning(const Vec3& v) const { return axes.determinant() * (axes * v); }  // a pseudovector
    Vec3 spin(const Vec3& omega) const { return turning(omega) / time; }
};

struct Setup {
    int dimension = 3;
    FrictionLaw law = FrictionLaw::coulomb;
    double restitution = 0.0;
    double rolling = 0.0;  ///< coefficient of friction of most surfaces
    bool turning_wall = true;
    bool frozen = true;
    View view = {};
};

enum GroupNumber { kRough, kSmooth, kLocked, kBase };

Vec3 up(int dimension);

Vec3 random_in_cube(Random& draw, double size);

/// No grains yet: four groups whose surfaces differ, and gravity.
System mixed_surfaces(const Setup& setup);

/// Grains that fall into a box, onto frozen ones and a plate that turns: 130 discs or 256 spheres.
System mixer(const Setup& setup);

/// Grains in a vessel that curves around them and turns about its axis: 130 discs in a drum, 288 spheres in a
/// hopper, through whose mouth they leave.
System vessel(const Setup& setup);

/// Grains that fly towards each other without walls and gravity; none is locked, so that nothing holds them.
System crowd(const Setup& setup);

StepOptions with_iterations(double h, int iterations);

StepOptions tight_friction(double h, double tolerance);

/// Everything about the particles that a step computes, one row a particle.
std::vector<double> numbers(const System& system);

bool same_bits(const std::vector<double>& a, const std::vector<double>& b);

bool same_bits(const Vec3& a, const Vec3& b);

bool converged(const StepReport& report);

Index sliding_count(const ContactList& contacts);

}  // namespace talus::test
