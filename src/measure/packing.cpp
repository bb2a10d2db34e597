#include "talus/measure/packing.hpp"

#include <numbers>

namespace talus {

namespace {

double ball_volume(double radius, int dimension) {
    const double area = std::numbers::pi * radius * radius;
    return dimension == 2 ? area : 4.0 / 3.0 * area * radius;
}

}  // namespace

std::vector<Index> coordination(const System& system, const ContactList& contacts) {
    std::vector<Index> count(system.particles.size(), 0);
    for (const Contact& c : contacts) {
        if (c.impulse <= 0.0) continue;
        ++count[c.i];
        if (c.j >= 0) ++count[c.j];
    }
    return count;
}

double mean_coordination(const System& system, const ContactList& contacts) {
    if (system.particles.size() == 0) return 0.0;
    double sum = 0.0;
    for (const Index count : coordination(system, contacts)) sum += count;
    return sum / system.particles.size();
}

std::vector<double> particle_pressure(const System& system, const ContactList& contacts, double time_step) {
    const Particles& p = system.particles;
    std::vector<double> pressure(p.size(), 0.0);
    const auto add = [&](Index body, double impulse) {
        const double r = p.radius[body];
        pressure[body] += r * impulse / time_step / (system.dimension * ball_volume(r, system.dimension));
    };
    for (const Contact& c : contacts) {
        add(c.i, c.impulse);
        if (c.j >= 0) add(c.j, c.impulse);
    }
    return pressure;
}

double solid_volume(const System& system) {
    double sum = 0.0;
    for (const double r : system.particles.radius) sum += ball_volume(r, system.dimension);
    return sum;
}

}  // namespace talus
