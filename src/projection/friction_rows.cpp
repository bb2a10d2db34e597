#include "friction_rows.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace talus {

namespace {

bool is_length(double x) {
    return x >= 0.0 && std::isfinite(x);
}

}  // namespace

void FrictionRows::prepare(const FrictionProblem& problem) {
    problem_ = problem;
    check_rows();
    list_normal_rows();
    builder_.build({problem.inverse_mass, problem.centre, normal_rows_}, layout_);
    scale_contacts();
}

void FrictionRows::check_rows() const {
    if (problem_.inverse_inertia.size() != problem_.inverse_mass.size()) {
        throw std::invalid_argument("projection: as many inverse inertias as inverse masses are needed");
    }
    const auto good = [](const FrictionRow& r) {
        return is_length(r.arm_i) && is_length(r.arm_j) && is_length(r.friction);
    };
    const auto bad = std::find_if_not(problem_.rows.begin(), problem_.rows.end(), good);
    if (bad == problem_.rows.end()) return;
    throw std::invalid_argument(
        fmt::format("projection: row {} has arms {} and {} and friction {}, none may be negative",
                    bad - problem_.rows.begin(), bad->arm_i, bad->arm_j, bad->friction));
}

void FrictionRows::list_normal_rows() {
    normal_rows_.resize(problem_.rows.size());
    parallel_for(std::ssize(normal_rows_), [&](std::ptrdiff_t c) {
        const FrictionRow& r = problem_.rows[c];
        normal_rows_[c] = {r.i, r.j, r.normal, r.radius};
    });
}

void FrictionRows::scale_contacts() {
    contacts_.resize(normal_rows_.size());
    inertia_.resize(layout_.body.size());
    parallel_for(layout_.row_count(),
                 [&](std::ptrdiff_t c) { contacts_[c] = scaled(problem_.rows[layout_.row[c]]); });
    parallel_for(layout_.body_count(), [&](std::ptrdiff_t k) {
        const double inverse = problem_.inverse_inertia[layout_.body[k]];
        inertia_[k] = inverse > 0.0 ? 1.0 / inverse : 0.0;
    });
}

/// Without right-hand sides.
ContactRow FrictionRows::scaled(const FrictionRow& row) const {
    const bool i_moves = moves(row.i);
    const bool j_moves = moves(row.j);
    const auto give = [&](Index body) { return problem_.inverse_mass[body]; };
    const auto turn = [&](Index body, double arm) { return problem_.inverse_inertia[body] * (arm * arm); };
    const double inverse_n = (i_moves ? give(row.i) : 0.0) + (j_moves ? give(row.j) : 0.0);
    const double inverse_t =
        inverse_n + (i_moves ? turn(row.i, row.arm_i) : 0.0) + (j_moves ? turn(row.j, row.arm_j) : 0.0);
    const double scale_n = 1.0 / std::sqrt(inverse_n);
    const double scale_t = 1.0 / std::sqrt(inverse_t);
    ContactRow contact;
    contact.normal << sign(row) * row.normal, 0.0;
    contact.tangent << 0.0, 0.0, 0.0, row.friction * (scale_n / scale_t);
    contact.lever << scale_n, scale_t, i_moves && j_moves ? row.arm_i : 0.0, j_moves ? row.arm_j : row.arm_i;
    return contact;
}

void FrictionRows::load(const FrictionInput& input) {
    layout_.load({problem_.inverse_mass, problem_.centre, normal_rows_}, input.rate, input.free_velocity,
                 input.time_step);
    parallel_for(layout_.row_count(), [&](std::ptrdiff_t c) {
        const FrictionRow& r = problem_.rows[layout_.row[c]];
        Vec3 speed = tangential_speed(r, input);
        if (!input.drift.empty()) speed += input.drift[layout_.row[c]];
        speed -= r.normal.dot(speed) * r.normal;
        contacts_[c].normal[3] = layout_.direction[c][3];
        contacts_[c].tangent.head<3>() = sign(r) * contacts_[c].lever[1] * speed;
    });
}

/// u_j - u_i - (arm_j omega_j + arm_i omega_i) x n of the free motion.
Vec3 FrictionRows::tangential_speed(const FrictionRow& row, const FrictionInput& input) const {
    Vec3 difference = -input.free_velocity[row.i];
    Vec3 rolling = row.arm_i * input.free_spin[row.i];
    if (row.j >= 0) {
        difference += input.free_velocity[row.j];
        rolling += row.arm_j * input.free_spin[row.j];
    }
    return difference - rolling.cross(row.normal);
}

void FrictionRows::read_impulses(std::span<const Vec3> impulse, std::span<Packed> y) const {
    parallel_for(layout_.row_count(), [&](std::ptrdiff_t c) {
        const FrictionRow& r = problem_.rows[layout_.row[c]];
        const Vec3& p = impulse[layout_.row[c]];
        const Packed& lever = contacts_[c].lever;
        const double along = r.normal.dot(p);
        const double y_n = along > 0.0 ? along / lever[0] : 0.0;
        const Vec3 across = (sign(r) / lever[1]) * (p - along * r.normal);
        const double size = across.norm();
        const double limit = contacts_[c].tangent[3] * y_n;
        y[c] << (size <= limit ? 1.0 : limit / size) * across, y_n;
        if (!y[c].allFinite()) y[c].setZero();
    });
}

void FrictionRows::write_impulses(std::span<const Packed> y, std::span<Vec3> impulse) const {
    parallel_for(layout_.row_count(), [&](std::ptrdiff_t c) {
        const FrictionRow& r = problem_.rows[layout_.row[c]];
        const Packed& lever = contacts_[c].lever;
        impulse[layout_.row[c]] = (lever[0] * y[c][3]) * r.normal + (sign(r) * lever[1]) * y[c].head<3>();
    });
}

void FrictionRows::scatter(std::span<const Packed> y, std::span<BodyMotion> motion) const {
    layout_.body_chunks([&](std::ptrdiff_t, std::ptrdiff_t begin, std::ptrdiff_t end) {
        for (std::ptrdiff_t k = begin; k < end; ++k) {
            motion[k].velocity << 0.0, 0.0, 0.0, 1.0 / layout_.mass[k];
            motion[k].spin << 0.0, 0.0, 0.0, problem_.inverse_inertia[layout_.body[k]];
        }
    });
    layout_.sweep_blocks([&](Index, const RowLayout::Block& block) {
        visit_contacts(layout_, contacts_, block, motion.data(),
                       [&]<class Shape>(Index c, const Shape& shape) {
                           shape.push(load_dual<typename Shape::Value>(y.data() + c), motion.data());
                       });
    });
}

void FrictionRows::normal_slopes(std::span<const BodyMotion> motion, std::span<double> slope) const {
    layout_.read_blocks([&](Index, const RowLayout::Block& block) {
        visit_contacts(layout_, contacts_, block, motion.data(),
                       [&](Index c, const auto& shape) { store(slope.data() + c, shape.slope.n); });
    });
}

void FrictionRows::slips(std::span<const BodyMotion> motion, std::span<double> slip) const {
    layout_.read_blocks([&](Index, const RowLayout::Block& block) {
        visit_contacts(layout_, contacts_, block, motion.data(), [&](Index c, const auto& shape) {
            store(slip.data() + c, root(shape.slope.t.dot(shape.slope.t)));
        });
    });
}

double FrictionRows::work(std::span<const Packed> y) const {
    return parallel_sum(layout_.row_count(), [&](std::ptrdiff_t c) {
        return dot3(contacts_[c].tangent, y[c]) + contacts_[c].normal[3] * y[c][3];
    });
}

double FrictionRows::energy(std::span<const BodyMotion> motion) const {
    return 0.5 * parallel_sum(layout_.body_count(), [&](std::ptrdiff_t k) {
               return square(k, motion[k].velocity, motion[k].spin);
           });
}

}  // namespace talus
