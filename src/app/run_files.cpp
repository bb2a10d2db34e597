#include "run_files.hpp"

#include <algorithm>
#include <limits>

#include "talus/io/output_directory.hpp"
#include "talus/measure/measure.hpp"
#include "talus/measure/mechanics.hpp"
#include "talus/measure/packing.hpp"
#include "talus/measure/walls.hpp"
#include "talus/step/contact_law.hpp"

namespace talus::app {

namespace {

std::vector<std::string> columns(const Scene& scene, const System& system) {
    std::vector<std::string> names = {"time",
                                      "step",
                                      "particles",
                                      "kinetic_energy",
                                      "potential_energy",
                                      "contact_work",
                                      "momentum_x",
                                      "momentum_y",
                                      "momentum_z",
                                      "contacts",
                                      "active",
                                      "coordination",
                                      "coordination_no_rattlers",
                                      "overlap",
                                      "residual",
                                      "residual_speed",
                                      "complementarity",
                                      "iterations",
                                      "unconverged",
                                      "created",
                                      "removed"};
    if (law_table(system).any_friction()) names.emplace_back("sliding_fraction");
    for (const Inlet& inlet : scene.inlets) names.push_back(column_name("inserted_", inlet.name));
    for (const Counter& counter : scene.counters) {
        for (const char* what : {"passed_", "passed_mass_", "rate_"}) {
            names.push_back(column_name(what, counter.name));
        }
    }
    for (const Outlet& outlet : scene.outlets) {
        names.push_back(column_name("removed_", outlet.name));
        names.push_back(column_name("removed_mass_", outlet.name));
    }
    for (const std::string& wall : wall_names(system.walls)) {
        for (const char* axis : {"_x", "_y", "_z"}) names.push_back(column_name("force_", wall) + axis);
    }
    for (const Measure& measure : scene.measures) {
        for (const std::string& name : measure_columns(measure, scene.dimension)) names.push_back(name);
    }
    for (const char* stage : kStageNames) names.push_back(std::string("seconds_") + stage);
    return names;
}

}  // namespace

RunFiles::RunFiles(const std::string& directory, const Scene& scene, const Simulation& simulation)
    : time_step_(scene.step.time_step),
      friction_(law_table(simulation.system()).any_friction()),
      every_step_(scene.output.series_every == 0.0),
      measures_(scene.measures),
      frame_schedule_(scene.output.every, scene.step.time_step),
      row_schedule_(scene.output.series_every, scene.step.time_step),
      frames_(FrameWriter(directory,
                          {scene.output.contacts, scene.output.walls, has_rotation(simulation.system())})),
      series_(directory + "/series.csv", columns(scene, simulation.system())) {
    write_file_atomically(directory + "/scene.toml", scene.text);
    since_.contacts = static_cast<Index>(simulation.contacts().size());
    write_frame(simulation);
    write_row(simulation);
}

void RunFiles::after_step(const Simulation& simulation, const StepReport& report) {
    frames_.check();
    since_.overlap = std::max(since_.overlap, report.overlap);
    since_.residual = std::max(since_.residual, report.solver.residual);
    since_.residual_speed = std::max(since_.residual_speed, report.residual_speed);
    since_.complementarity = std::max(since_.complementarity, report.solver.complementarity);
    since_.iterations = std::max(since_.iterations, report.solver.iterations);
    since_.contacts = report.contacts;
    since_.active = report.active;
    since_.times += report.times;

    const std::int64_t step = simulation.system().step;
    if (frame_schedule_.due(step)) write_frame(simulation);
    if (every_step_ || row_schedule_.due(step)) write_row(simulation);
}

void RunFiles::finish(const Simulation& simulation) {
    if (last_frame_ != simulation.system().step) write_frame(simulation);
    timed([&] { frames_.finish(); });
    if (last_row_ != simulation.system().step) write_row(simulation);
}

template <class Work>
void RunFiles::timed(const Work& work) {
    StageTimes spent;
    {
        const StageTimer timer(spent, Stage::write);
        work();
    }
    since_.times += spent;
    written_ += spent[Stage::write];
}

void RunFiles::write_frame(const Simulation& simulation) {
    timed([&] {
        frames_.push(simulation.system(), simulation.contacts(), time_step_);
        // A disc that takes nothing is noticed before the first step.
        if (simulation.system().step == 0) frames_.finish();
    });
    last_frame_ = simulation.system().step;
}

// Mass that passed since the row before over the time since then; not a number in the first row.
std::vector<double> RunFiles::rates_of_counters(const Simulation& simulation) {
    const std::vector<double>& mass = simulation.mass_counted();
    const double now = simulation.system().time, elapsed = now - last_row_time_;
    std::vector<double> rates(mass.size(), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t k = 0; k < mass_counted_.size(); ++k) rates[k] = (mass[k] - mass_counted_[k]) / elapsed;
    mass_counted_ = mass;
    last_row_time_ = now;
    return rates;
}

void RunFiles::write_row(const Simulation& simulation) {
    const System& system = simulation.system();
    const RunSummary& summary = simulation.summary();
    const Vec3 momentum = linear_momentum(system);
    std::vector<double> row = {system.time,
                               static_cast<double>(system.step),
                               static_cast<double>(system.particles.size()),
                               kinetic_energy(system),
                               potential_energy(system),
                               summary.contact_work,
                               momentum.x(),
                               momentum.y(),
                               momentum.z(),
                               static_cast<double>(since_.contacts),
                               static_cast<double>(since_.active),
                               mean_coordination(system, simulation.contacts()),
                               coordination_no_rattlers(system, simulation.contacts()),
                               since_.overlap,
                               since_.residual,
                               since_.residual_speed,
                               since_.complementarity,
                               static_cast<double>(since_.iterations),
                               static_cast<double>(summary.unconverged),
                               static_cast<double>(summary.created),
                               static_cast<double>(summary.removed())};
    const auto append = [&row](auto value) { row.push_back(static_cast<double>(value)); };
    if (friction_) append(sliding_fraction(system, simulation.contacts_of_step()));
    for (std::int64_t count : simulation.created_by_inlet()) append(count);
    const std::vector<double> rates = rates_of_counters(simulation);
    for (std::size_t k = 0; k < rates.size(); ++k) {
        append(simulation.counted()[k]);
        append(simulation.mass_counted()[k]);
        append(rates[k]);
    }
    for (std::size_t o = 0; o < simulation.removed_by_outlet().size(); ++o) {
        append(simulation.removed_by_outlet()[o]);
        append(simulation.mass_removed_by_outlet()[o]);
    }
    for (const Vec3& force : wall_forces(system, simulation.contacts_of_step(), time_step_)) {
        for (const double component : force) append(component);
    }
    for (double value : measure_all(measures_, system, simulation.contacts(), time_step_)) append(value);
    for (const StageTime& spent : since_.times.stages) append(spent.seconds);
    series_.row(row);
    since_ = Since{};
    last_row_ = system.step;
}

}  // namespace talus::app
