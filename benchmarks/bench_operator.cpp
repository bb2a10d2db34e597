#include <fmt/format.h>

#include "contact_problem.hpp"
#include "stages.hpp"
#include "talus/core/parallel.hpp"
#include "talus/projection/sweep_bytes.hpp"

namespace talus::bench {

// A fixed number of iterations of the default solver, whatever the residual: time per contact and iteration,
// beside triad.
void bench_operator(const Options& options) {
    constexpr int kIterations = 200;
    const System system = settled_box(options.particles);
    const ContactProblem problem = contact_problem(system);
    for (const int threads : options.threads) {
        fmt::print("STREAM triad, {} threads: {:.1f} GB/s\n", threads, triad_bandwidth(threads));
        set_thread_count(threads);
        SolverOptions solver_options;
        solver_options.tolerance = 1e-300;
        solver_options.warm_start = false;
        solver_options.max_iterations = kIterations;
        const auto solver = make_solver(solver_options);
        solver->prepare({system.particles.inverse_mass, system.particles.position, problem.rows});
        std::vector<double> impulse;
        std::vector<Vec3> velocity(problem.free_velocity.size());
        SolverReport report;
        Row row;
        row.stage = "operator";
        row.variant = "200 fused sweeps";
        row.bodies = system.particles.size();
        row.items = static_cast<std::int64_t>(problem.rows.size());
        row.threads = threads;
        row.time = repeat(
            options.repeats, [&] { impulse.assign(problem.rows.size(), 0.0); },
            [&] {
                report = solver->solve(problem.rate, problem.free_velocity, kBoxStep, impulse, velocity);
            });
        row.iterations = report.iterations;
        row.residual = report.residual;
        row.bandwidth = 1e-9 * sweep_bytes(problem.rows.size(), problem.free_velocity.size()) *
                        report.iterations / row.time.median;
        row.hash = hash_of(velocity);
        print(options, row);
    }
}

}  // namespace talus::bench
