#include "talus/scene/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "talus/bodies/memory_order.hpp"
#include "talus/core/error.hpp"
#include "talus/core/text.hpp"
#include "talus/scene/feed.hpp"
#include "talus/scene/notices.hpp"
#include "talus/scene/scene_file.hpp"
#include "talus/scene/stop_conditions.hpp"
#include "talus/scene/traffic.hpp"
#include "talus/step/initial_overlap.hpp"
#include "talus/step/step_time.hpp"

namespace talus {

namespace {

// end / step of decimal numbers misses a whole number by rounding alone; less than this is rounding [steps].
constexpr double kStepRounding = 1e-6;

// Overlaps at the start are resolved until this is left, over the smaller radius [-]: the first step then
// turns it into at most this fraction of a radius per step of motion.
constexpr double kResolved = 1e-9;

System start_state(const Scene& scene, Notices& notices) {
    std::vector<std::string> remarks;
    System system = build_system(scene, &remarks);
    for (const std::string& remark : remarks) notices.add("file", remark);
    const OverlapReport overlaps = find_overlaps(system, Simulation::kTouching);
    if (overlaps.count == 0) return system;
    const std::string found = overlaps.describe(system);
    // What a run may leave, the frame of one brings: such overlaps are always moved away, never refused.
    const bool of_a_frame = overlaps.worst <= scene.step.solver.overlap_tolerance;
    if (scene.overlap_policy == OverlapPolicy::refuse && !of_a_frame) {
        throw InputError(
            {scene.path, 0}, "",
            "overlap at the start: " + found +
                "; move the particles apart, or have talus move them: [start] overlaps = \"resolve\"");
    }
    if (overlaps.coincident) {
        throw InputError(
            {scene.path, 0}, "",
            "centres in the same place can not be moved apart, no direction is better than another: " +
                found);
    }
    SolverOptions solver = scene.step.solver;
    solver.tolerance = std::min(solver.tolerance, kResolved);
    solver.overlap_tolerance = std::min(solver.overlap_tolerance, kResolved);
    const int rounds = resolve_overlaps(system, solver, kResolved);
    notices.add("overlap", fmt::format("overlap at the start: {}; resolved by moving particles, in {}", found,
                                       counted(rounds, "round")));
    return system;
}

}  // namespace

std::int64_t count_steps(double end, double step) {
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(end / step - kStepRounding)));
}

struct Simulation::Impl {
    explicit Impl(const Scene& scene);

    void arrange();
    void insert();
    StepReport step();
    void remove_flagged(const std::vector<std::uint8_t>& flags);
    void note(const StepReport& report);
    void balance();

    Notices notices;
    System system;
    ContactStepper stepper;
    std::vector<Feed> feeds;
    std::vector<std::int64_t> created_by_inlet, asked_of_inlet;
    Traffic traffic;
    StopConditions stop;
    RunSummary summary;
    std::int64_t last_step;
    ParticleId next_id;
    ContactList kept_contacts;  // of the last step, without those of particles that were removed after it
    bool removed_some = false;
};

Simulation::Impl::Impl(const Scene& scene)
    : system(start_state(scene, notices)),
      stepper(scene.step),
      created_by_inlet(scene.inlets.size(), 0),
      asked_of_inlet(scene.inlets.size(), 0),
      traffic(scene, system),
      stop(scene, system),
      last_step(count_steps(scene.end, scene.step.time_step)),
      next_id(system.particles.next_id()) {
    for (const Inlet& inlet : scene.inlets) feeds.emplace_back(inlet);
    summary.created = summary.inside = system.particles.size();
    stepper.find_contacts(system);
    const double reached = step_time(last_step, scene.step.time_step);
    if (std::abs(reached - scene.end) > kStepRounding * scene.step.time_step) {
        notices.add("end", fmt::format("the end, {:.9g} s, is no multiple of the time step {:.9g} s: the run "
                                       "ends at {:.9g} s",
                                       scene.end, scene.step.time_step, reached));
    }
}

/// Rare, and in the time of no stage.
void Simulation::Impl::arrange() {
    if (!stepper.scattered()) return;
    const std::vector<Index> order = curve_order(system.particles);
    system.particles.arrange(order);
    traffic.arrange(order);
    stepper.particles_changed();
    stepper.find_contacts(system);  // those of the last step point at places of old
    removed_some = false;
}

void Simulation::Impl::insert() {
    std::int64_t added = 0;
    for (std::size_t k = 0; k < feeds.size(); ++k) {
        Feed& feed = feeds[k];
        const std::int64_t asked_before = feed.asked();
        const std::int64_t created = feed.insert(system, next_id);
        added += created;
        created_by_inlet[k] = feed.created();
        asked_of_inlet[k] = feed.asked();
        if (created == feed.asked() - asked_before) continue;
        notices.add(
            "inlet " + feed.name(),
            fmt::format("t = {:.6g} s: inlet \"{}\" found no free place; {} of {} due so far were inserted",
                        system.time, feed.name(), feed.created(), feed.asked()));
    }
    if (added == 0) return;
    summary.created += added;
    summary.inside = system.particles.size();
    traffic.particles_added(system);
}

StepReport Simulation::Impl::step() {
    try {
        return stepper.step(system);
    } catch (const StateError&) {
        // The caller may want to draw the state that is left: with its contacts, not those of the failed
        // step.
        removed_some = false;
        stepper.find_contacts(system);
        throw;
    }
}

void Simulation::Impl::remove_flagged(const std::vector<std::uint8_t>& flags) {
    removed_some = std::find(flags.begin(), flags.end(), 1) != flags.end();
    if (!removed_some) return;
    std::vector<Index> number(flags.size());
    Index kept = 0;
    for (std::size_t i = 0; i < flags.size(); ++i) number[i] = flags[i] ? -1 : kept++;
    kept_contacts.clear();
    for (Contact contact : stepper.contacts()) {
        contact.i = number[static_cast<std::size_t>(contact.i)];
        if (contact.j >= 0) {
            contact.j = number[static_cast<std::size_t>(contact.j)];
            if (contact.j < 0) continue;
        }
        if (contact.i >= 0) kept_contacts.push_back(contact);
    }
    system.particles.remove(flags);
    traffic.forget_removed();
    stepper.particles_removed(flags);
}

void Simulation::Impl::note(const StepReport& report) {
    RunSummary& s = summary;
    s.steps = system.step;
    s.worst_residual = std::max(s.worst_residual, report.solver.residual);
    s.worst_residual_speed = std::max(s.worst_residual_speed, report.residual_speed);
    s.worst_complementarity = std::max(s.worst_complementarity, report.solver.complementarity);
    s.worst_energy_defect = std::max(s.worst_energy_defect, report.energy_defect);
    if (report.overlap > s.worst_overlap) {
        s.worst_overlap = report.overlap;
        s.worst_overlap_time = system.time;
    }
    s.iterations += report.solver.iterations;
    s.worst_iterations = std::max(s.worst_iterations, report.solver.iterations);
    s.most_contacts = std::max(s.most_contacts, report.contacts);
    s.contact_work += report.contact_work;
    s.times += report.times;
    if (report.fast > 0) {
        ++s.fast_steps;
        notices.add(
            "fast",
            fmt::format("t = {:.6g} s: {} in one step, so some "
                        "may collide that would have passed each other; use a smaller time step",
                        system.time,
                        report.fast == 1
                            ? "1 particle moved further than its own radius"
                            : fmt::format("{} particles moved further than their own radii", report.fast)));
    }
    if (report.solver.status != Status::converged) {
        if (s.unconverged++ == 0) s.first_unconverged = system.step;
        const std::string advice =
            report.unsettled
                ? "particles outran their reach or a curved wall again and again; use a smaller time step"
                : fmt::format("raise {} or use a smaller time step",
                              solve_limits(stepper.options().solver, system.law).iterations_key);
        notices.add("unconverged",
                    fmt::format("step {} (t = {:.6g} s) did not converge in {} iterations: residual {:.2e}, "
                                "overlap {:.2e} of a radius; {}",
                                system.step, system.time, report.solver.iterations, report.solver.residual,
                                report.overlap, advice));
    }
}

void Simulation::Impl::balance() {
    summary.inside = system.particles.size();
    summary.removed_by_outlets = 0;
    for (std::int64_t removed : traffic.removed_by_outlet()) summary.removed_by_outlets += removed;
    summary.removed_as_escaped = traffic.removed_as_escaped();
    summary.escaped = traffic.escaped();
    if (summary.created == summary.inside + summary.removed()) return;
    throw StateError(
        fmt::format("step {}: {} particles were created, but {} are inside and {} were removed "
                    "(an error of talus)",
                    system.step, summary.created, summary.inside, summary.removed()));
}

Simulation::Simulation(const Scene& scene) : impl_(std::make_unique<Impl>(scene)) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;

StepReport Simulation::advance() {
    impl_->arrange();
    impl_->insert();
    StepReport report = impl_->step();
    impl_->note(report);
    impl_->remove_flagged(impl_->traffic.book(impl_->system, impl_->notices));
    impl_->balance();
    impl_->stop.look(impl_->system, impl_->traffic, impl_->feeds);
    return report;
}

bool Simulation::finished() const {
    return steps_left() <= 0 || !stop_reason().empty();
}

const std::string& Simulation::stop_reason() const {
    return impl_->stop.reason();
}

std::int64_t Simulation::steps_left() const {
    return impl_->last_step - impl_->system.step;
}

const System& Simulation::system() const {
    return impl_->system;
}

const ContactList& Simulation::contacts() const {
    return impl_->removed_some ? impl_->kept_contacts : impl_->stepper.contacts();
}

const ContactList& Simulation::contacts_of_step() const {
    return impl_->stepper.contacts();
}

const RunSummary& Simulation::summary() const {
    return impl_->summary;
}

const std::vector<std::int64_t>& Simulation::removed_by_outlet() const {
    return impl_->traffic.removed_by_outlet();
}

const std::vector<std::int64_t>& Simulation::counted() const {
    return impl_->traffic.counted();
}

const std::vector<double>& Simulation::mass_counted() const {
    return impl_->traffic.mass_counted();
}

const std::vector<std::int64_t>& Simulation::created_by_inlet() const {
    return impl_->created_by_inlet;
}

const std::vector<std::int64_t>& Simulation::asked_of_inlet() const {
    return impl_->asked_of_inlet;
}

const std::vector<double>& Simulation::mass_removed_by_outlet() const {
    return impl_->traffic.mass_removed_by_outlet();
}

std::vector<std::string> Simulation::take_messages() {
    return impl_->notices.take();
}

}  // namespace talus
