#include "contact_problem.hpp"

#include <algorithm>
#include <cmath>

#include "talus/broadphase/neighbour_list.hpp"
#include "talus/contact/find_contacts.hpp"
#include "talus/step/contact_law.hpp"
#include "talus/step/free_velocity.hpp"
#include "talus/step/reach.hpp"

namespace talus::bench {

namespace {

ContactList contacts_within(const System& system, const std::vector<double>& reach) {
    const Particles& particles = system.particles;
    const LawTable law = law_table(system);
    const std::vector<PlacedWall> walls = place_walls(system.walls, 0.0, kBoxStep);
    const std::vector<Vec3> still(particles.position.size(),
                                  Vec3::Zero());  // planes do not ask for the motion
    NeighbourList list(BroadPhaseKind::cell_grid, 0.0);
    list.update(particles, reach);
    const ContactInput input{particles, particles.radius, reach, law};
    ContactFinder finder;
    ContactList contacts;
    finder.pairs(input, list.pairs(), contacts);
    finder.walls(input, walls, still, contacts);
    return contacts;
}

}  // namespace

ContactProblem contact_problem(const System& system, double margin, WarmStart before) {
    const Particles& particles = system.particles;
    ContactProblem problem;
    free_velocity(particles, system.gravity, 0.0, kBoxStep, problem.free_velocity);
    std::vector<double> reach;
    initial_reach(particles, problem.free_velocity, kBoxStep, margin, reach);
    problem.contacts = contacts_within(system, reach);
    before.recall(particles.id, problem.contacts);
    for (const Contact& c : problem.contacts) {
        const double own = particles.radius[c.i];
        const double other = c.j < 0 ? own : particles.radius[c.j];
        problem.rows.push_back({c.i, c.j, c.normal, std::min(own, other)});
        problem.rate.push_back(c.gap / kBoxStep);
        problem.guess.push_back(c.sustained);
    }
    return problem;
}

void complete_step(System& system, ContactProblem& problem, const Answer& answer, WarmStart& memory) {
    for (std::size_t c = 0; c < problem.contacts.size(); ++c)
        problem.contacts[c].sustained = answer.impulse[c];
    memory.remember(problem.contacts, system.particles.id);
    for (std::size_t k = 0; k < answer.velocity.size(); ++k) {
        system.particles.velocity[k] = answer.velocity[k];
        system.particles.position[k] += kBoxStep * answer.velocity[k];
    }
}

double natural_map(const System& system, const ContactProblem& problem, const Answer& answer) {
    const std::vector<double>& inverse_mass = system.particles.inverse_mass;
    double squares = 0.0;
    for (std::size_t c = 0; c < problem.rows.size(); ++c) {
        const talus::Row& row = problem.rows[c];
        const bool pair = row.j >= 0;
        const Vec3 other = pair ? answer.velocity[row.j] : Vec3::Zero();
        const double gap_rate = problem.rate[c] + row.normal.dot(other - answer.velocity[row.i]);
        const double mobility = inverse_mass[row.i] + (pair ? inverse_mass[row.j] : 0.0);
        const double part = std::min(answer.impulse[c] * mobility, gap_rate);
        squares += part * part;
    }
    return std::sqrt(squares / static_cast<double>(std::max<std::size_t>(1, problem.rows.size())));
}

}  // namespace talus::bench
