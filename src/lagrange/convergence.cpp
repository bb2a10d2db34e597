#include "talus/lagrange/convergence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>

#include "talus/core/error.hpp"

namespace talus::lagrange {

namespace {

/// A run to `end` has this part of a step more or less: rounding.
constexpr double kPartOfStep = 1e-6;

double energy(const MechanicalSystem& system, const State& state) {
    return kinetic_energy(system, state) + system.potential(state.q).value_or(0.0);
}

std::optional<double> one_restitution(const SchemeOptions& options) {
    const auto [least, most] = std::minmax_element(options.restitution.begin(), options.restitution.end());
    if (least == options.restitution.end() || *least < *most) return std::nullopt;
    return *least;
}

void add_new(const std::vector<std::string>& found, std::vector<std::string>& known) {
    for (const std::string& warning : found) {
        // Numbers differ from step to step: what stands before them tells a kind of warning.
        const std::string kind = warning.substr(0, warning.find(':'));
        const auto same = [&](const std::string& other) { return other.starts_with(kind); };
        if (std::none_of(known.begin(), known.end(), same)) known.push_back(warning);
    }
}

}  // namespace

Reference make_reference(const MechanicalSystem& system, const State& start, double end, double h,
                         const SchemeOptions& options) {
    const auto steps = static_cast<long>(std::ceil((end - start.t) / h - kPartOfStep));
    Reference reference;
    reference.states.push_back(start);
    const std::optional<double> e = one_restitution(options);
    if (e && system.closed_form(start, *e, start.t)) {
        reference.closed_form = true;
        for (long k = 1; k <= steps; ++k) {
            reference.states.push_back(*system.closed_form(start, *e, start.t + static_cast<double>(k) * h));
        }
        return reference;
    }
    const auto scheme = make_scheme(SchemeKind::event_driven, system, start, h, options);
    for (long k = 1; k <= steps; ++k) {
        scheme->step();
        reference.states.push_back(scheme->state());
    }
    return reference;
}

Comparison compare(SchemeKind kind, const MechanicalSystem& system, const State& start, double h,
                   const SchemeOptions& options, const Reference& reference) {
    Comparison result;
    result.scheme = kind;
    result.step = h;
    const auto scheme = make_scheme(kind, system, start, h, options);
    std::vector<State> states;
    const auto begin = std::chrono::steady_clock::now();
    try {
        for (std::size_t k = 1; k < reference.states.size(); ++k) {
            const StepReport report = scheme->step();
            states.push_back(scheme->state());
            result.iterations += report.iterations;
            result.unconverged += report.status == Status::converged ? 0 : 1;
            result.violation = std::max(result.violation, report.violation);
            add_new(report.warnings, result.warnings);
        }
    } catch (const StateError& error) {
        result.failure = error.what();
        return result;
    } catch (const std::invalid_argument& error) {
        // A projection met a number that is not finite: the step is too long for the scheme.
        result.failure = fmt::format("t = {:g}: {}", scheme->state().t, error.what());
        return result;
    }
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    for (std::size_t k = 0; k < states.size(); ++k) {
        const State& exact = reference.states[k + 1];
        const double position = (states[k].q - exact.q).cwiseAbs().maxCoeff();
        result.position_max = std::max(result.position_max, position);
        result.position_mean += h * position;
        result.velocity_mean += h * (states[k].v - exact.v).cwiseAbs().maxCoeff();
    }
    result.energy = energy(system, states.back()) - energy(system, reference.states.back());
    return result;
}

std::optional<ObservedOrder> fit_order(const std::vector<double>& steps, const std::vector<double>& errors) {
    std::vector<Eigen::Vector2d> points;
    for (std::size_t k = 0; k < steps.size(); ++k) {
        if (errors[k] > 0.0) points.emplace_back(std::log(steps[k]), std::log(errors[k]));
    }
    if (points.size() < 2) return std::nullopt;
    const auto count = static_cast<double>(points.size());
    Eigen::Vector2d mean = Eigen::Vector2d::Zero();
    for (const Eigen::Vector2d& point : points) mean += point / count;
    double xx = 0.0, xy = 0.0, yy = 0.0;
    for (const Eigen::Vector2d& point : points) {
        const Eigen::Vector2d d = point - mean;
        xx += d.x() * d.x();
        xy += d.x() * d.y();
        yy += d.y() * d.y();
    }
    if (!(xx > 0.0)) return std::nullopt;
    const double slope = xy / xx, left = std::max(0.0, yy - slope * xy);
    return ObservedOrder{slope, points.size() > 2 ? std::sqrt(left / (count - 2.0) / xx) : 0.0};
}

}  // namespace talus::lagrange
