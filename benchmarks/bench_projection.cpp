#include <fmt/format.h>

#include "contact_problem.hpp"
#include "stages.hpp"
#include "talus/core/parallel.hpp"

namespace talus::bench {

namespace {

struct Case {
    SolverKind kind;
    const char* name;
    double tolerance;
    bool warm;
};

void measure(const Options& options, const System& system, const ContactProblem& problem, const Case& c,
             int threads) {
    set_thread_count(threads);
    SolverOptions solver_options;
    solver_options.kind = c.kind;
    solver_options.tolerance = c.tolerance;
    solver_options.warm_start = c.warm;
    const auto solver = make_solver(solver_options);
    std::vector<double> impulse;
    std::vector<Vec3> velocity(problem.free_velocity.size());
    SolverReport report;
    Row row;
    row.stage = "projection";
    row.variant = fmt::format("{} {:.0e} {}", c.name, c.tolerance, c.warm ? "warm" : "cold");
    row.bodies = system.particles.size();
    row.items = static_cast<std::int64_t>(problem.rows.size());
    row.threads = threads;
    row.time = repeat(
        options.repeats, [&] { impulse = problem.impulse; },
        [&] {
            solver->prepare({system.particles.inverse_mass, system.particles.position, problem.rows});
            report = solver->solve(problem.rate, problem.free_velocity, kBoxStep, impulse, velocity);
        });
    row.iterations = report.iterations;
    row.residual = report.residual;
    row.hash = hash_of(velocity);
    print(options, row);
}

}  // namespace

void bench_projection(const Options& options) {
    const System system = settled_box(options.particles);
    const ContactProblem problem = contact_problem(system);
    for (const int threads : options.threads) {
        for (const bool warm : {false, true}) {
            for (const double tolerance : {1e-2, 1e-3, 1e-4, 1e-6}) {
                measure(options, system, problem, {SolverKind::monotone_pgs, "monotone_pgs", tolerance, warm},
                        threads);
            }
            for (const double tolerance : {1e-3, 1e-6}) {
                measure(options, system, problem, {SolverKind::clip_cg, "clip_cg", tolerance, warm}, threads);
            }
            for (const double tolerance : {1e-2, 1e-3}) {
                measure(options, system, problem, {SolverKind::apgd, "apgd", tolerance, warm}, threads);
            }
        }
    }
}

}  // namespace talus::bench
