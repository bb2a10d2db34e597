#include "impact_law.hpp"

#include <algorithm>
#include <cmath>

namespace talus::lagrange {

double bounce_scale(const ImpactInput& input, const Vector& u1, const Vector& bounced) {
    double lowest = 1.0, highest = 0.0;
    for (Eigen::Index k = 0; k < bounced.size(); ++k) {
        if (bounced[k] <= 0.0) continue;
        if (input.drift[k] != 0.0) return 1.0;
        lowest = std::min(lowest, input.restitution[k]);
        highest = std::max(highest, input.restitution[k]);
    }
    if (lowest >= highest) return 1.0;
    const auto scaled = [&](const Vector& v) -> Vector { return input.metric.matrixU() * v; };
    const Vector change = scaled(input.metric.solve(input.gradients.transpose() * bounced));
    const Vector u = scaled(u1);
    const double a = change.squaredNorm(), b = change.dot(u);  // a theta^2 + 2 b theta + c <= 0
    const double c = u.squaredNorm() - scaled(input.before).squaredNorm();
    if (a == 0.0 || a + 2.0 * b + c <= 0.0) return 1.0;
    return std::clamp((std::sqrt(std::max(0.0, b * b - a * c)) - b) / a, 0.0, 1.0);
}

ImpactOutput collide(const ImpactInput& input) {
    const LinearProjection stopped = project_linear(input.metric, input.gradients, input.drift, input.before);
    Vector bounced = input.restitution.cwiseProduct(stopped.multipliers);
    bounced *= bounce_scale(input, stopped.point, bounced);
    const Vector rebound = stopped.point + input.metric.solve(input.gradients.transpose() * bounced);
    const LinearProjection after = project_linear(input.metric, input.gradients, input.drift, rebound);
    const bool fine = stopped.status == Status::converged && after.status == Status::converged;
    return {after.point, stopped.multipliers + bounced + after.multipliers,
            fine ? Status::converged : Status::infeasible};
}

}  // namespace talus::lagrange
