#include <algorithm>

#include "boxes.hpp"
#include "contact_problem.hpp"
#include "stages.hpp"
#include "talus/core/parallel.hpp"
#include "talus/projection/sweep_bytes.hpp"

namespace talus::bench {

namespace {

constexpr int kIterations = 200;

Index bodies_with_rows(const System& system, const ContactProblem& problem) {
    std::vector<std::uint8_t> seen(system.particles.id.size(), 0);
    for (const talus::Row& row : problem.rows) {
        seen[row.i] = 1;
        if (row.j >= 0) seen[row.j] = 1;
    }
    return static_cast<Index>(std::count(seen.begin(), seen.end(), 1));
}

}  // namespace

// A fixed number of iterations of the default solver from no guess, whatever the residual: time per contact
// and iteration, beside triad. The uncounted run is the solver's first, so that counted ones find its arrays
// in memory.
void bench_operator(const Options& options, int particles) {
    const Box box = box_of(options, particles);
    const Particles& spheres = box.system.particles;
    const ContactProblem problem = contact_problem(box.system, StepOptions{}.margin);
    for (const int threads : options.threads) {
        Row row;
        row.triad = triad_bandwidth(threads);
        set_thread_count(threads);
        SolverOptions solver_options;
        solver_options.tolerance = 1e-300;
        solver_options.warm_start = false;
        solver_options.max_iterations = kIterations;
        const auto solver = make_solver(solver_options);
        solver->prepare({spheres.inverse_mass, spheres.position, problem.rows});
        Answer answer{problem.guess, problem.free_velocity, {}};
        row.stage = "operator";
        row.variant = "200 fused sweeps";
        row.bodies = spheres.size();
        row.items = static_cast<std::int64_t>(problem.rows.size());
        row.threads = threads;
        row.time = repeat(
            options.repeats, [] {},
            [&] {
                answer.report = solver->solve(problem.rate, problem.free_velocity, kBoxStep, answer.impulse,
                                              answer.velocity);
            });
        row.iterations = answer.report.iterations;
        row.residual = answer.report.residual;
        row.bandwidth = 1e-9 * sweep_bytes(problem.rows.size(), bodies_with_rows(box.system, problem)) *
                        row.iterations / row.time.median;
        row.hash = hash_of(answer.velocity);
        print(options, row);
    }
}

}  // namespace talus::bench
