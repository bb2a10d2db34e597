#include "talus/measure/packing.hpp"

#include "talus/geometry/region_cuts.hpp"
#include "talus/step/contact_law.hpp"

namespace talus {

namespace {

// The active contacts of each particle with other particles, as linked lists of their ends: end 2c of contact
// c is at its particle i, end 2c + 1 at j.
class ActiveEnds {
public:
    ActiveEnds(Index particles, const ContactList& contacts)
        : contacts_(contacts), first_(particles, kNone), next_(2 * contacts.size(), kNone) {
        for (std::size_t c = 0; c < contacts.size(); ++c) {
            if (contacts[c].impulse <= 0.0 || contacts[c].j < 0) continue;
            push(contacts[c].i, 2 * c);
            push(contacts[c].j, 2 * c + 1);
        }
    }

    template <class Visit>
    void for_each_partner(Index particle, const Visit& visit) const {
        for (std::size_t e = first_[particle]; e != kNone; e = next_[e]) {
            const Contact& c = contacts_[e / 2];
            visit(e % 2 == 0 ? c.j : c.i);
        }
    }

private:
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    void push(Index particle, std::size_t end) {
        next_[end] = first_[particle];
        first_[particle] = end;
    }

    const ContactList& contacts_;
    std::vector<std::size_t> first_, next_;
};

// Active contacts that a particle needs to be held: without friction one more than the directions in which it
// could move; with friction two can hold it.
Index contacts_to_hold(const System& system) {
    return law_table(system).any_friction() ? 2 : system.dimension + 1;
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

std::vector<Index> coordination_of_held(const System& system, const ContactList& contacts) {
    const Particles& p = system.particles;
    const Index needed = contacts_to_hold(system);
    const ActiveEnds ends(p.size(), contacts);
    std::vector<Index> count = coordination(system, contacts);
    std::vector<Index> rattlers;  // to be removed; a mobile particle is one of them once count < needed
    for (Index i = 0; i < p.size(); ++i) {
        if (!p.frozen(i) && count[i] < needed) rattlers.push_back(i);
    }
    while (!rattlers.empty()) {
        const Index rattler = rattlers.back();
        rattlers.pop_back();
        ends.for_each_partner(rattler, [&](Index partner) {
            if (!p.frozen(partner) && count[partner]-- == needed) rattlers.push_back(partner);
        });
    }
    for (Index i = 0; i < p.size(); ++i) {
        if (p.frozen(i) || count[i] < needed) count[i] = 0;
    }
    return count;
}

double coordination_no_rattlers(const System& system, const ContactList& contacts) {
    double sum = 0.0;
    Index held = 0;
    for (const Index count : coordination_of_held(system, contacts)) {
        sum += count;
        held += count > 0 ? 1 : 0;
    }
    return held == 0 ? 0.0 : sum / held;
}

double sliding_fraction(const System& system, const ContactList& contacts) {
    const LawTable law = law_table(system);
    Index active = 0, sliding = 0;
    for (const Contact& c : contacts) {
        if (c.impulse <= 0.0 || law[c.law].friction <= 0.0) continue;
        ++active;
        sliding += c.sliding ? 1 : 0;
    }
    return active == 0 ? 0.0 : static_cast<double>(sliding) / active;
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
