#include "talus/projection/solver.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "apgd.hpp"
#include "clip_cg.hpp"
#include "exact.hpp"
#include "monotone_pgs.hpp"
#include "uzawa.hpp"

namespace talus {

namespace {

void check_options(const SolverOptions& options) {
    if (!(options.tolerance > 0.0)) {
        throw std::invalid_argument(
            fmt::format("solver tolerance is {}, a positive number is needed", options.tolerance));
    }
    if (!(options.overlap_tolerance > 0.0)) {
        throw std::invalid_argument(fmt::format("solver overlap_tolerance is {}, a positive number is needed",
                                                options.overlap_tolerance));
    }
    if (options.max_iterations < 1) {
        throw std::invalid_argument(
            fmt::format("solver max_iterations is {}, at least 1 is needed", options.max_iterations));
    }
    if (!(options.friction_tolerance > 0.0) || options.friction_iterations < 1) {
        throw std::invalid_argument(fmt::format(
            "solver friction_tolerance is {} and friction_iterations {}, positive numbers are needed",
            options.friction_tolerance, options.friction_iterations));
    }
    if (!(options.relaxation > 0.0 && options.relaxation < 2.0)) {
        throw std::invalid_argument(
            fmt::format("solver relaxation is {}, a number between 0 and 2 (both left out) is needed",
                        options.relaxation));
    }
}

}  // namespace

std::unique_ptr<ProjectionSolver> make_solver(const SolverOptions& options) {
    check_options(options);
    switch (options.kind) {
        case SolverKind::monotone_pgs:
            return std::make_unique<MonotonePgs>(options);
        case SolverKind::clip_cg:
            return std::make_unique<ClipCg>(options);
        case SolverKind::apgd:
            return std::make_unique<Apgd>(options);
        case SolverKind::uzawa:
            return std::make_unique<Uzawa>(options);
        case SolverKind::exact:
            return std::make_unique<ExactSolver>(options);
    }
    throw std::invalid_argument("solver kind is not one of the known ones");
}

}  // namespace talus
