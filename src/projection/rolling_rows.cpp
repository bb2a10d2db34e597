#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "friction_rows.hpp"

// What rolling resistance adds to the contacts of a FrictionProblem.
namespace talus {

void FrictionRows::scale_rolling() {
    const bool resists = std::any_of(problem_.friction.begin(), problem_.friction.end(),
                                     [](const RowFriction& of) { return of.rolling > 0.0; });
    rolling_.assign(resists ? contacts_.size() : 0, RollingGroup{});
    if (!resists) return;
    each_contact([&](std::ptrdiff_t g, int lane, Index c) {
        const Index number = layout_.row[c];
        const double scale = rolling_scale(problem_.rows[number]);
        if (scale == 0.0) return;
        rolling_[g].scale[lane] = scale;
        rolling_[g].limit[lane] = problem_.friction[number].rolling * (contacts_[g].scale_n[lane] / scale);
    });
}

/// s_r; 0 where neither body can be turned.
double FrictionRows::rolling_scale(const Row& row) const {
    double inverse = 0.0;
    for (const Index body : {row.i, row.j}) {
        if (moves(body)) inverse += problem_.inverse_inertia[body];
    }
    return inverse > 0.0 ? 1.0 / std::sqrt(inverse) : 0.0;
}

void FrictionRows::load_rolling(const FrictionInput& input) {
    if (!has_rolling()) return;
    each_contact([&](std::ptrdiff_t g, int lane, Index c) {
        const Index number = layout_.row[c];
        const Row& r = problem_.rows[number];
        Vec3 speed = input.turning.empty() ? Vec3(Vec3::Zero()) : input.turning[number];
        speed -= input.free_spin[r.i];
        if (r.j >= 0) speed += input.free_spin[r.j];
        speed -= r.normal.dot(speed) * r.normal;
        RollingGroup& group = rolling_[g];
        group.b.set(lane, sign(r) * group.scale[lane] * speed);
    });
}

void FrictionRows::read_moments(std::span<const Vec3> moment, ScaledImpulses& y) const {
    if (!has_rolling()) return;
    each_contact([&](std::ptrdiff_t g, int lane, Index c) {
        const Row& r = problem_.rows[layout_.row[c]];
        const RollingGroup& group = rolling_[g];
        const double limit = group.limit[lane] * y.contact[g].n[lane];
        if (limit == 0.0) return;
        const Vec3& given = moment[layout_.row[c]];
        const Vec3 across = (sign(r) / group.scale[lane]) * (given - r.normal.dot(given) * r.normal);
        const Vec3 y_r = onto_disc(across, limit);
        if (y_r.allFinite()) y.moment[g].set(lane, y_r);
    });
}

void FrictionRows::write_moments(std::span<const GroupTriple> y, std::span<Vec3> moment) const {
    std::fill(moment.begin(), moment.end(), Vec3::Zero());
    if (!has_rolling()) return;
    each_contact([&](std::ptrdiff_t g, int lane, Index c) {
        const double scale = sign(problem_.rows[layout_.row[c]]) * rolling_[g].scale[lane];
        moment[layout_.row[c]] = scale * y[g][lane];
    });
}

}  // namespace talus
