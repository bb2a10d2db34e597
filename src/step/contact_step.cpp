#include "talus/step/contact_step.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <stdexcept>

#include "talus/broadphase/scatter.hpp"
#include "talus/contact/contact_point.hpp"
#include "talus/contact/find_contacts.hpp"
#include "talus/contact/warm_start.hpp"
#include "talus/core/error.hpp"
#include "talus/core/parallel.hpp"
#include "talus/step/checks.hpp"
#include "talus/step/contact_law.hpp"
#include "talus/step/contact_projection.hpp"
#include "talus/step/free_velocity.hpp"
#include "talus/step/orientation.hpp"
#include "talus/step/reach.hpp"
#include "talus/step/relaxed_lift.hpp"
#include "talus/step/step_time.hpp"

namespace talus {

namespace {

// The solver works to half the overlap that the step promises, so that a path which still violates a wall by
// more than the whole can not be one that an existing plane holds back: each cut is a new plane.
SolverOptions tightened(SolverOptions options) {
    options.overlap_tolerance *= 0.5;
    return options;
}

}  // namespace

struct ContactStepper::Impl {
    explicit Impl(const StepOptions& given)
        : options(given), list(given.broad_phase, given.skin), projection(tightened(given.solver)) {}

    StepReport step(System& system);
    void find(const System& system, const LawTable& law, StepReport& report);
    void solve(const System& system, const LawTable& law, StepReport& report);
    void solve_until_consistent(const System& system, StepReport& report);
    void mark_held(const System& system, const LawTable& law);
    bool keeps_gaps() const { return projected.solver.overlap <= options.solver.overlap_tolerance; }
    bool is_new(const Contact& contact) const;
    bool meets_more(const System& system, const LawTable& law, StepReport& report);
    bool violates_new(const System& system) const;
    bool extend_reach(const System& system);
    double lift_of(Index particle) const {
        return lift.empty() ? 0.0 : lift[static_cast<std::size_t>(particle)];
    }
    Index cut_walls(const System& system, const LawTable& law, StepReport& report);
    void move(System& system, StepReport& report);

    StepOptions options;
    NeighbourList list;
    ContactFinder finder;
    WarmStart warm_start;
    ContactProjection projection;

    ContactList contacts;
    ContactList solved_contacts;                 // while contacts are looked for again
    std::ptrdiff_t found = 0, solved_found = 0;  // how many of them are no cuts: these are in order
    std::vector<std::uint8_t> held;              // particles that bore a force in the last step
    bool scattered = false;
    bool incomplete = false;  // contacts leave out some within reach, which the last solve satisfied
    std::vector<PlacedWall> walls;
    std::vector<double> radius_before, reach;
    std::vector<double> lift;  // of the relaxed law of friction
    std::vector<Vec3> spin_before;
    std::vector<Vec3> free_velocity;
    std::vector<Vec3> surface_velocity;        // of walls, where contacts touch them
    std::vector<Vec3> wall_spin;               // of the walls that contacts touch
    Motion after;                              // u^{n+1} and spins, until they are the particles'
    std::vector<Vec3> free_spin;               // without contacts, once `after` has become the state
    std::vector<Vec3> expected, displacement;  // in this step: if velocities stayed; as solved
    ProjectionReport projected;
    std::optional<double> map_before;  // natural map that the last step left [sqrt(kg) m/s]
};

ContactStepper::ContactStepper(const StepOptions& options) : impl_(std::make_unique<Impl>(options)) {
    if (!(options.time_step > 0.0)) throw std::invalid_argument("time step must be positive");
}

ContactStepper::~ContactStepper() = default;

const ContactList& ContactStepper::contacts() const {
    return impl_->contacts;
}
const StepOptions& ContactStepper::options() const {
    return impl_->options;
}
void ContactStepper::particles_removed(const std::vector<std::uint8_t>& flags) {
    impl_->list.remove(flags);
}
void ContactStepper::particles_changed() {
    impl_->list.invalidate();
}
bool ContactStepper::scattered() const {
    return impl_->scattered;
}

// The scheme of Bernicot and Lefebvre-Lepot 2010, one line a stage: read from here.
StepReport ContactStepper::step(System& system) {
    StepReport report;
    with_team([&] { report = impl_->step(system); }, system.particles.size());
    return report;
}

StepReport ContactStepper::Impl::step(System& system) {
    const double h = options.time_step;
    const double t0 = system.time, t1 = step_time(system.step + 1, h);
    Particles& particles = system.particles;
    StepReport report;

    radius_before = particles.radius;
    const bool radii_change = std::any_of(system.groups.begin(), system.groups.end(),
                                          [](const Group& g) { return !g.radius_scale.is_constant(); });
    if (radii_change) spin_before = particles.angular_velocity;
    try {
        set_radii(particles, system.groups, system.dimension, t1);
        walls = place_walls(system.walls, t0, t1);
        talus::free_velocity(particles, system.gravity, t0, t1, free_velocity);
        initial_reach(particles, free_velocity, h, options.margin, reach);
        check_start(system, t0, t1, reach);
        solve_until_consistent(system, report);
    } catch (...) {
        set_radii(particles, system.groups, system.dimension, t0);
        // Changed there and back, spins have been rounded twice.
        if (radii_change) particles.angular_velocity = spin_before;
        throw;
    }
    move(system, report);
    system.time = t1;
    ++system.step;
    warm_start.remember(contacts, particles.id);
    map_before = projected.solver.map;
    const std::vector<Vec3>& spin_without = after.spin.empty() ? particles.angular_velocity : free_spin;
    const StepOutcome outcome{
        contacts, walls, finder.near_walls(), free_velocity, spin_without, displacement, h, projected};
    fill_certificate(system, outcome, report);
    return report;
}

// Candidates and contacts for the current reach; their multipliers are not set yet.
void ContactStepper::Impl::find(const System& system, const LawTable& law, StepReport& report) {
    const Particles& particles = system.particles;
    {
        const StageTimer timer(report.times, Stage::broad_phase);
        if (list.update(particles, reach)) {
            report.rebuilt = true;
            scattered = talus::scattered(particles, list.pairs(), options.near_in_memory);
        }
    }
    const StageTimer timer(report.times, Stage::contacts);
    const double h = options.time_step;
    expected.resize(static_cast<std::size_t>(particles.size()));
    parallel_for(particles.size(), [&](std::ptrdiff_t i) {
        expected[static_cast<std::size_t>(i)] = h * particles.velocity[static_cast<std::size_t>(i)];
    });
    const ContactInput input{particles, radius_before, reach, law};
    finder.pairs(input, list.pairs(), contacts);
    finder.walls(input, walls, expected, contacts);
    found = std::ssize(contacts);
}

// Before the first step those that touch another.
void ContactStepper::Impl::mark_held(const System& system, const LawTable& law) {
    held.assign(law.any_bounces() ? system.particles.id.size() : 0, 0);
    if (held.empty()) return;
    for (const Contact& c : contacts) {
        const double touching = options.solver.overlap_tolerance * smaller_radius(c, system.particles);
        if (map_before ? !(c.sustained > 0.0) : c.gap > touching) continue;
        held[static_cast<std::size_t>(c.i)] = 1;
        if (c.j >= 0) held[static_cast<std::size_t>(c.j)] = 1;
    }
}

void ContactStepper::Impl::solve(const System& system, const LawTable& law, StepReport& report) {
    const double h = options.time_step;
    ProjectionInput input{.particles = system.particles,
                          .time_step = h,
                          .velocity_before = system.particles.velocity,
                          .free_velocity = free_velocity,
                          .law = law,
                          .friction = system.law.kind,
                          .held = held,
                          .map_before = map_before.value_or(std::numeric_limits<double>::infinity())};
    if (input.has_friction()) {
        surface_velocities(contacts, walls, system.particles, h, surface_velocity);
        input.surface_velocity = surface_velocity;
    }
    if (input.has_rolling()) {
        wall_spins(contacts, walls, h, wall_spin);
        input.wall_spin = wall_spin;
    }
    const ProjectionReport solved = projection.project(input, contacts, after);
    report.times += solved.times;
    const StageTimer timer(report.times, Stage::checks);
    if (solved.solver.jam) {
        throw StateError(describe_jam(system, contacts, *solved.solver.jam, h));
    }
    // The last solve is the one that counts; only the work is added up.
    const int iterations = projected.solver.iterations + solved.solver.iterations;
    projected = solved;
    projected.solver.iterations = iterations;
    displacement.resize(after.velocity.size());
    parallel_for(system.particles.size(), [&](std::ptrdiff_t i) {
        displacement[static_cast<std::size_t>(i)] = h * after.velocity[static_cast<std::size_t>(i)];
    });
    check_finite(system, displacement);
    if (!after.spin.empty()) {
        relaxed_lifts(system, law, walls, after.velocity, after.spin, h, lift);
    }
}

// Solves, then asks whether what was left out matters: a particle that moves further than its reach may meet
// one that is no candidate, and a path may leave the admissible side of a curved wall. If so: add it and
// solve again.
void ContactStepper::Impl::solve_until_consistent(const System& system, StepReport& report) {
    const LawTable law = law_table(system);
    projected = {};
    incomplete = false;
    relaxed_lifts(system, law, walls, free_velocity, system.particles.angular_velocity, options.time_step,
                  lift);
    parallel_for(std::ssize(lift), [&](std::ptrdiff_t i) { reach[i] += lift[i]; });
    find(system, law, report);
    warm_start.recall(system.particles.id, contacts);
    mark_held(system, law);
    solve(system, law, report);
    // A solve that can not keep the gaps it knows is worth another for those it did not know, but not many.
    constexpr int kMostInVain = 3;
    for (int in_vain = keeps_gaps() ? 0 : 1; report.resolves < options.max_resolves && in_vain < kMostInVain;
         ++report.resolves) {
        if (!meets_more(system, law, report) && cut_walls(system, law, report) == 0) return;
        solve(system, law, report);
        if (!keeps_gaps()) ++in_vain;
    }
    report.unsettled = meets_more(system, law, report) || cut_walls(system, law, report) > 0;
    if (report.unsettled) projected.solver.status = Status::max_iterations;
}

// Where displacements outran their reach: looks for contacts again. If the solution satisfies those that are
// new, it is that of the larger problem too, whose multipliers there are zero, and the contacts stay as they
// are, cuts of walls among them; another solve, of new cuts, has to be asked the same again. Else they are
// replaced, with the multipliers found so far, and cuts are looked for afresh.
bool ContactStepper::Impl::meets_more(const System& system, const LawTable& law, StepReport& report) {
    if (!extend_reach(system) && !incomplete) return false;
    contacts.swap(solved_contacts);
    solved_found = found;
    find(system, law, report);
    incomplete = !violates_new(system);
    if (incomplete) {
        contacts.swap(solved_contacts);
        found = solved_found;
        return false;
    }
    warm_start.remember(solved_contacts, system.particles.id);
    warm_start.recall(system.particles.id, contacts);
    return true;
}

bool ContactStepper::Impl::is_new(const Contact& contact) const {
    const auto by_key = [](const Contact& a, const Contact& b) { return contact_key(a) < contact_key(b); };
    return !std::binary_search(solved_contacts.begin(), solved_contacts.begin() + solved_found, contact,
                               by_key);
}

// True if the velocity solved for violates a contact that the solve did not know by more than a step may
// leave.
bool ContactStepper::Impl::violates_new(const System& system) const {
    const double tolerance = options.solver.overlap_tolerance;
    return std::any_of(contacts.begin(), contacts.end(), [&](const Contact& c) {
        const double at_i = c.normal.dot(displacement[static_cast<std::size_t>(c.i)]);
        const double at_j = c.j < 0 ? 0.0 : c.normal.dot(displacement[static_cast<std::size_t>(c.j)]);
        const double opening = lift_of(c.i) + (c.j < 0 ? 0.0 : lift_of(c.j));
        return c.gap + at_j - at_i < opening - tolerance * smaller_radius(c, system.particles) && is_new(c);
    });
}

Index ContactStepper::Impl::cut_walls(const System& system, const LawTable& law, StepReport& report) {
    const StageTimer timer(report.times, Stage::contacts);
    const ContactInput input{system.particles, radius_before, reach, law};
    return finder.cuts(input, walls, displacement, options.solver.overlap_tolerance, contacts);
}

// True if a displacement outran its reach; that reach is then doubled beyond it.
bool ContactStepper::Impl::extend_reach(const System& system) {
    const Index count = system.particles.size();
    const auto moved = [&](std::ptrdiff_t i) {
        return displacement[i].norm() + lift_of(static_cast<Index>(i));
    };
    if (parallel_count(count, [&](std::ptrdiff_t i) { return moved(i) > reach[i]; }) == 0) return false;
    parallel_for(count, [&](std::ptrdiff_t i) {
        if (moved(i) > reach[i]) reach[i] = 2.0 * moved(i);
    });
    return true;
}

void ContactStepper::Impl::move(System& system, StepReport& report) {
    const StageTimer timer(report.times, Stage::integrate);
    Particles& particles = system.particles;
    const double h = options.time_step;
    parallel_for(particles.size(), [&](std::ptrdiff_t k) {
        const auto i = static_cast<std::size_t>(k);
        particles.velocity[i] = after.velocity[i];
        particles.position[i] += displacement[i];
    });
    if (!after.spin.empty()) {
        free_spin.swap(particles.angular_velocity);
        particles.angular_velocity = after.spin;
    }
    turn(particles, h);
}

void ContactStepper::find_contacts(const System& system) {
    Impl& s = *impl_;
    StepReport report;
    s.radius_before = system.particles.radius;
    s.walls = place_walls(system.walls, system.time, system.time);
    s.reach.assign(static_cast<std::size_t>(system.particles.size()), 0.0);
    initial_reach(system.particles, system.particles.velocity, 0.0, s.options.margin, s.reach);
    s.find(system, law_table(system), report);
    s.warm_start.recall(system.particles.id, s.contacts);
}

}  // namespace talus
