#include "motion_files.hpp"

#include <limits>

namespace talus::app {

namespace {

using lagrange::Quantity;
using lagrange::State;
using lagrange::Vector;

/// A time of output within this part of a step has come: times are rounded.
constexpr double kPartOfStep = 1e-6;

std::vector<std::string> columns(const lagrange::MechanicalSystem& system) {
    std::vector<std::string> names = {"time"};
    for (const Quantity& q : system.coordinates()) names.push_back(q.name);
    for (const Quantity& q : system.coordinates()) names.push_back(q.name + "_dot");
    for (const char* energy : {"kinetic_energy", "potential_energy", "total_energy"})
        names.emplace_back(energy);
    for (const Quantity& gap : system.constraints()) names.push_back("gap_" + gap.name);
    names.emplace_back("violation");
    return names;
}

}  // namespace

MotionFiles::MotionFiles(const std::string& directory, const LagrangeScene& scene)
    : scene_(scene),
      motion_(directory + "/motion.csv", columns(*scene.system)),
      impacts_(directory + "/impacts.csv",
               {"time", "end", "constraint", "impulse", "rate_before", "rate_after"}),
      frames_(directory),
      last_rates_(rates(scene.start)),
      open_(static_cast<std::size_t>(scene.system->constraint_count())) {
    write_row(scene.start);
    write_frame(scene.start);
}

Vector MotionFiles::rates(const State& state) const {
    return scene_.system->gap_gradients(state.t, state.q) * state.v +
           scene_.system->gap_rates(state.t, state.q);
}

void MotionFiles::after_step(const lagrange::Scheme& scheme, const lagrange::StepReport& report, bool last) {
    const State& state = scheme.state();
    const double margin = kPartOfStep * scene_.step;
    if (const auto* events = dynamic_cast<const lagrange::EventDriven*>(&scheme)) {
        take_impacts(*events);
    } else {
        take_impulses(state, report, last);
    }
    if (last || state.t >= last_row_ + scene_.series_every - margin) write_row(state);
    if (last || (scene_.every > 0.0 && state.t >= last_frame_ + scene_.every - margin)) write_frame(state);
}

void MotionFiles::write_row(const State& state) {
    const lagrange::MechanicalSystem& system = *scene_.system;
    std::vector<double> row = {state.t};
    row.insert(row.end(), state.q.begin(), state.q.end());
    row.insert(row.end(), state.v.begin(), state.v.end());
    const double kinetic = kinetic_energy(system, state);
    const double potential = system.potential(state.q).value_or(std::numeric_limits<double>::quiet_NaN());
    row.insert(row.end(), {kinetic, potential, kinetic + potential});
    const Vector gaps = system.gaps(state.t, state.q);
    row.insert(row.end(), gaps.begin(), gaps.end());
    row.push_back(violation(system, state.t, state.q));
    motion_.row(row);
    last_row_ = state.t;
}

void MotionFiles::write_frame(const State& state) {
    const lagrange::Figure figure = scene_.system->figure(state.t, state.q);
    frames_.write(state.t, figure.points, figure.lines);
    last_frame_ = state.t;
}

void MotionFiles::write_contact(int constraint, const Contact& contact) {
    impacts_.row({contact.begin, contact.end, static_cast<double>(constraint + 1), contact.impulse,
                  contact.before, contact.after});
    ++contact_count_;
}

void MotionFiles::take_impacts(const lagrange::EventDriven& scheme) {
    for (; impacts_taken_ < scheme.impacts().size(); ++impacts_taken_) {
        const lagrange::Impact& impact = scheme.impacts()[impacts_taken_];
        for (Eigen::Index a = 0; a < impact.impulses.size(); ++a) {
            if (impact.impulses[a] <= 0.0) continue;
            write_contact(static_cast<int>(a), {impact.t, impact.t, impact.impulses[a],
                                                impact.rates_before[a], impact.rates_after[a]});
        }
    }
}

void MotionFiles::take_impulses(const State& state, const lagrange::StepReport& report, bool last) {
    const Vector now = rates(state);
    for (std::size_t a = 0; a < open_.size(); ++a) {
        Contact& contact = open_[a];
        const auto row = static_cast<Eigen::Index>(a);
        const double impulse = report.impulses[row];
        if (impulse > 0.0) {
            if (contact.impulse == 0.0) contact = {state.t, state.t, 0.0, last_rates_[row], 0.0};
            contact.impulse += impulse;
            contact.end = state.t;
            contact.after = now[row];
        }
        const bool ends = contact.impulse > 0.0 && (impulse <= 0.0 || last);
        if (!ends) continue;
        write_contact(static_cast<int>(a), contact);
        contact.impulse = 0.0;
    }
    last_rates_ = now;
}

}  // namespace talus::app
