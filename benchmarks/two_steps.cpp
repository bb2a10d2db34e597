#include "two_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "talus/core/error.hpp"
#include "talus/core/parallel.hpp"

namespace talus::bench {

namespace {

struct Problem {
    const System& system;
    const ContactProblem& contacts;
};

Answer no_answer(const Problem& problem) {
    return {problem.contacts.guess, problem.contacts.free_velocity, {}};
}

void solve(const Problem& problem, ProjectionSolver& solver, Answer& answer) {
    const ContactProblem& p = problem.contacts;
    const Particles& particles = problem.system.particles;
    std::vector<std::uint8_t> idle;
    expect_idle_rows(p.rows, p.rate, p.free_velocity, answer.impulse, idle);
    solver.prepare({particles.inverse_mass, particles.position, p.rows, idle});
    answer.report = solver.solve(p.rate, p.free_velocity, kBoxStep, answer.impulse, answer.velocity);
}

double natural_map_of(const Problem& problem, const Answer& answer) {
    return kBoxSpeed * natural_map(problem.system, problem.contacts, answer);
}

// The residual is nearly proportional to the tolerance, so a few solves do. 0 where rounding or the limit of
// iterations stand in the way.
double tolerance_for(const Problem& problem, SolverOptions options, double wanted) {
    constexpr double kLoosest = 1e-2, kTightest = 1e-10;
    options.tolerance = kLoosest;
    while (options.tolerance > kTightest) {
        const auto solver = make_solver(options);
        Answer answer = no_answer(problem);
        solve(problem, *solver, answer);
        if (answer.report.status != Status::converged) return 0.0;
        const double reached = natural_map_of(problem, answer);
        if (reached <= wanted) return options.tolerance;
        options.tolerance *= std::clamp(wanted / reached, 0.1, 0.8);
    }
    return 0.0;
}

Row measure_solve(const Options& options, const Problem& problem, const SolverOptions& solver_options,
                  Answer& answer) {
    const auto solver = make_solver(solver_options);
    Row row;
    row.time = repeat(
        options.repeats, [&] { answer = no_answer(problem); }, [&] { solve(problem, *solver, answer); });
    row.bodies = problem.system.particles.size();
    row.items = static_cast<std::int64_t>(problem.contacts.rows.size());
    row.threads = thread_count();
    row.iterations = answer.report.iterations;
    row.residual = answer.report.residual;
    row.natural_map = natural_map_of(problem, answer);
    row.hash = hash_of(answer.velocity);
    return row;
}

std::string describe(const Goal& goal) {
    return goal.residual > 0.0 ? fmt::format("{:.0e}", goal.residual)
                               : fmt::format("{:.0e} m/s", goal.natural_map);
}

}  // namespace

SolverKind solver_kind(const std::string& name) {
    static const std::map<std::string, SolverKind> kinds = {{"monotone_pgs", SolverKind::monotone_pgs},
                                                            {"clip_cg", SolverKind::clip_cg},
                                                            {"apgd", SolverKind::apgd},
                                                            {"uzawa", SolverKind::uzawa}};
    const auto found = kinds.find(name);
    if (found != kinds.end()) return found->second;
    throw InputError(fmt::format("--solvers: no '{}'; there are monotone_pgs, clip_cg, apgd, uzawa", name));
}

void measure_two_steps(const Options& options, const TwoSteps& steps, const std::string& solver,
                       const Goal& goal) {
    System system = steps.start;
    WarmStart memory;
    for (const bool warm : {false, true}) {
        ContactProblem contacts = contact_problem(system, steps.margin, memory);
        const Problem problem{system, contacts};
        SolverOptions solver_options;
        solver_options.kind = solver_kind(solver);
        solver_options.warm_start = warm;
        solver_options.tolerance =
            goal.residual > 0.0 ? goal.residual : tolerance_for(problem, solver_options, goal.natural_map);
        const std::string variant = fmt::format("{} {} {}", solver, describe(goal), warm ? "warm" : "cold");
        if (solver_options.tolerance == 0.0) {
            fmt::print("{:<12} {}: not reached\n", steps.stage, variant);
            return;
        }
        Answer answer;
        Row row = measure_solve(options, problem, solver_options, answer);
        row.stage = steps.stage;
        row.variant = variant;
        if (goal.residual == 0.0) row.tolerance = solver_options.tolerance;
        print(options, row);
        complete_step(system, contacts, answer, memory);
    }
}

}  // namespace talus::bench
