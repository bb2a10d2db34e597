#include "talus/lagrange/projection.hpp"

#include <algorithm>
#include <functional>
#include <limits>

#include "rounding.hpp"
#include "talus/core/error.hpp"
#include "talus/projection/dense_dual.hpp"

namespace talus::lagrange {

namespace {

/// Steps of the active set that a solve may take for each row: far more than any takes but in a cycle.
constexpr int kStepsPerRow = 100;
/// Shortest part of a step that the line search tries.
constexpr double kShortest = 1e-10;
/// Part of the predicted fall of the merit function that a step has to bring (Armijo).
constexpr double kFall = 1e-4;
/// Steps that shrink to this part of the shortest one so far contract.
constexpr double kContraction = 0.9;

double length(const Eigen::LLT<Matrix>& metric, const Vector& v) {
    return (metric.matrixU() * v).norm();
}

/// Length of the steps that rounding makes for ever: of z, and of the gaps that hold it, which are sums of
/// parts as large as |g - G z| + |G| |z|.
double step_noise(const Eigen::LLT<Matrix>& metric, const Matrix& gradients, const Vector& gaps,
                  const Vector& multipliers, const Vector& z) {
    const Vector parts = (gaps - gradients * z).cwiseAbs() + gradients.cwiseAbs() * z.cwiseAbs();
    const Matrix normals = metric.matrixL().solve(gradients.transpose());
    double worst = length(metric, z);
    for (Eigen::Index a = 0; a < gaps.size(); ++a) {
        if (multipliers[a] > 0.0) worst = std::max(worst, parts[a] / normals.col(a).norm());
    }
    return kRounding * worst;
}

double negative_sum(const Vector& gaps) {
    return -gaps.cwiseMin(0.0).sum();
}

/// The part of a step that lowers the merit function enough. Where none does, rounding hides its fall: all.
/// @param fall that the model predicts of the whole step.
double falling_part(const std::function<double(const Vector&)>& merit, const Vector& z, const Vector& step,
                    double fall) {
    const double present = merit(z);
    double part = 1.0;
    while (part > kShortest && merit(z + part * step) > present - kFall * part * fall) part *= 0.5;
    return part > kShortest ? part : 1.0;
}

}  // namespace

LinearProjection project_linear(const Eigen::LLT<Matrix>& metric, const Matrix& gradients,
                                const Vector& offset, const Vector& from) {
    LinearProjection result;
    result.point = from;
    if (offset.size() == 0) return result;
    // With M = L L' and x = L'(u - from) the distance is Euclidean and the rows are N'x + b, N = L^-1 G'.
    const Matrix normals = metric.matrixL().solve(gradients.transpose());
    const Vector b = offset + gradients * from;
    DenseDual dual;
    result.status = dual.solve(normals, b, kStepsPerRow * static_cast<int>(b.size() + 1));
    result.point = from + metric.matrixU().solve(dual.point());
    result.multipliers = dual.multipliers();
    result.iterations = dual.iterations();
    return result;
}

Eigen::LLT<Matrix> factorised_mass(const MechanicalSystem& system, const Vector& q) {
    Eigen::LLT<Matrix> factors(system.mass(q));
    if (factors.info() != Eigen::Success) {
        throw StateError("the mass matrix is not positive definite where the system is now");
    }
    return factors;
}

Projection minimise_over(const MechanicalSystem& system, double t, const Objective& objective,
                         const Vector& start, const ProjectionOptions& options) {
    Projection result;
    result.point = start;
    result.multipliers = Vector::Zero(system.constraint_count());
    double first = 0.0;  // |start - minimum of the model without constraints|: what residuals are relative to
    double penalty = 0.0;  // mu
    double least_size = std::numeric_limits<double>::infinity();
    for (result.iterations = 1; result.iterations <= options.max_iterations; ++result.iterations) {
        const Vector& z = result.point;
        const Eigen::LLT<Matrix> metric(objective.hessian(z));
        if (metric.info() != Eigen::Success) {
            throw StateError("what a step minimises is not convex: take a shorter step");
        }
        const Vector slope = objective.gradient(z);
        const Vector free_step = metric.solve(-slope);
        const Vector gaps = system.gaps(t, z);
        const Matrix gradients = system.gap_gradients(t, z);
        const LinearProjection model = project_linear(metric, gradients, gaps, free_step);
        if (model.status != Status::converged) {
            result.status = model.status;
            return result;
        }
        const Vector& step = model.point;
        result.multipliers = model.multipliers;
        first = std::max({first, length(metric, free_step), length(metric, step)});
        const double size = length(metric, step);
        result.residual = first > 0.0 ? size / first : 0.0;
        if (size <=
            std::max(options.tolerance * first, step_noise(metric, gradients, gaps, model.multipliers, z))) {
            result.point += step;
            return result;
        }
        // Steps that contract end at a solution; others have to lower the merit function.
        const auto merit = [&](const Vector& at) {
            return objective.value(at) + penalty * negative_sum(system.gaps(t, at));
        };
        double part = 1.0;
        if (size > kContraction * least_size) {
            penalty = std::max(penalty, 2.0 * model.multipliers.lpNorm<Eigen::Infinity>());
            part = falling_part(merit, z, step, -slope.dot(step) + penalty * negative_sum(gaps));
        }
        least_size = std::min(least_size, size);
        result.point += part * step;
    }
    result.iterations = options.max_iterations;
    result.status = Status::max_iterations;
    return result;
}

Projection project_position(const MechanicalSystem& system, double t, const Matrix& mass, const Vector& from,
                            const ProjectionOptions& options) {
    if (system.constraint_count() == 0 || system.gaps(t, from).minCoeff() >= 0.0) {
        return {from, Vector::Zero(system.constraint_count()), Status::converged, 0, 0.0};
    }
    const Objective distance{[&](const Vector& z) { return 0.5 * (z - from).dot(mass * (z - from)); },
                             [&](const Vector& z) -> Vector { return mass * (z - from); },
                             [&](const Vector& /*z*/) { return mass; }};
    return minimise_over(system, t, distance, from, options);
}

}  // namespace talus::lagrange
