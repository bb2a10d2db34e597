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
    builder_.build(normal_problem(), layout_);
    groups_.build(layout_);
    scale_contacts();
    scale_rolling();
}

void FrictionRows::check_rows() const {
    if (problem_.inverse_inertia.size() != problem_.inverse_mass.size()) {
        throw std::invalid_argument("projection: as many inverse inertias as inverse masses are needed");
    }
    if (problem_.friction.size() != problem_.rows.size()) {
        throw std::invalid_argument("projection: as many frictions as rows are needed");
    }
    const auto good = [](const RowFriction& r) {
        return is_length(r.arm_i) && is_length(r.arm_j) && is_length(r.friction) && is_length(r.rolling);
    };
    const auto bad = std::find_if_not(problem_.friction.begin(), problem_.friction.end(), good);
    if (bad == problem_.friction.end()) return;
    throw std::invalid_argument(
        fmt::format("projection: row {} has arms {} and {}, friction {} and rolling {}, none may be negative",
                    bad - problem_.friction.begin(), bad->arm_i, bad->arm_j, bad->friction, bad->rolling));
}

ProjectionProblem FrictionRows::normal_problem() const {
    return {problem_.inverse_mass, problem_.centre, problem_.rows, problem_.idle};
}

void FrictionRows::scale_contacts() {
    contacts_.resize(groups_.members.size());
    reach_.assign(groups_.members.size(), GroupValues{});
    inertia_.resize(layout_.body.size());
    parallel_for(group_count(), [&](std::ptrdiff_t g) { contacts_[g] = scaled_group(groups_.members[g]); });
    parallel_for(layout_.body_count(), [&](std::ptrdiff_t k) {
        const double inverse = problem_.inverse_inertia[layout_.body[k]];
        inertia_[k] = inverse > 0.0 ? 1.0 / inverse : 0.0;
    });
}

/// Without right-hand sides.
ContactGroup FrictionRows::scaled_group(const FrictionGroups::Members& members) const {
    ContactGroup group{};
    for (int lane = 0; lane < kGroupSize; ++lane) {
        const bool is_filled = members[lane] >= 0;
        const auto [i, j] = layout_.ends[is_filled ? members[lane] : members[0]];
        group.i[lane] = i;
        group.j[lane] = j < 0 ? i : j;
        if (is_filled) scale_contact(layout_.row[members[lane]], lane, group);
    }
    return group;
}

void FrictionRows::scale_contact(Index number, int lane, ContactGroup& group) const {
    const Row& row = problem_.rows[number];
    const RowFriction& of = problem_.friction[number];
    const bool i_moves = moves(row.i);
    const bool j_moves = moves(row.j);
    const auto give = [&](Index body) { return problem_.inverse_mass[body]; };
    const auto turn = [&](Index body, double arm) { return problem_.inverse_inertia[body] * (arm * arm); };
    const double inverse_n = (i_moves ? give(row.i) : 0.0) + (j_moves ? give(row.j) : 0.0);
    const double inverse_t =
        inverse_n + (i_moves ? turn(row.i, of.arm_i) : 0.0) + (j_moves ? turn(row.j, of.arm_j) : 0.0);
    group.normal.set(lane, sign(row) * row.normal);
    group.scale_n[lane] = 1.0 / std::sqrt(inverse_n);
    group.scale_t[lane] = 1.0 / std::sqrt(inverse_t);
    group.friction[lane] = of.friction * (group.scale_n[lane] / group.scale_t[lane]);
    group.arm_i[lane] = i_moves && j_moves ? of.arm_i : 0.0;
    group.arm_j[lane] = j_moves ? of.arm_j : of.arm_i;
}

void FrictionRows::load(const FrictionInput& input) {
    layout_.load(normal_problem(), input.rate, input.free_velocity, input.time_step);
    each_contact([&](std::ptrdiff_t g, int lane, Index c) {
        const Row& r = problem_.rows[layout_.row[c]];
        Vec3 speed = tangential_speed(layout_.row[c], input);
        if (!input.drift.empty()) speed += input.drift[layout_.row[c]];
        speed -= r.normal.dot(speed) * r.normal;
        ContactGroup& group = contacts_[g];
        group.b.t.set(lane, sign(r) * group.scale_t[lane] * speed);
        group.b.n[lane] = layout_.direction[c][3];
        reach_[g][lane] = layout_.reach[c];
    });
    load_rolling(input);
}

/// u_j - u_i - (arm_j omega_j + arm_i omega_i) x n of the free motion.
Vec3 FrictionRows::tangential_speed(Index number, const FrictionInput& input) const {
    const Row& row = problem_.rows[number];
    const RowFriction& of = problem_.friction[number];
    Vec3 difference = -input.free_velocity[row.i];
    Vec3 rolling = of.arm_i * input.free_spin[row.i];
    if (row.j >= 0) {
        difference += input.free_velocity[row.j];
        rolling += of.arm_j * input.free_spin[row.j];
    }
    return difference - rolling.cross(row.normal);
}

void FrictionRows::read_impulses(const FrictionOutput& given, ScaledImpulses& y) const {
    y.set_zero();
    each_contact([&](std::ptrdiff_t g, int lane, Index c) {
        const Row& r = problem_.rows[layout_.row[c]];
        const Vec3& p = given.impulse[layout_.row[c]];
        if (!p.allFinite()) return;
        const ContactGroup& group = contacts_[g];
        const double along = r.normal.dot(p);
        const double y_n = along > 0.0 ? along / group.scale_n[lane] : 0.0;
        const Vec3 across = (sign(r) / group.scale_t[lane]) * (p - along * r.normal);
        const Vec3 y_t = onto_disc(across, group.friction[lane] * y_n);
        if (!std::isfinite(y_n) || !y_t.allFinite()) return;
        y.contact[g].t.set(lane, y_t);
        y.contact[g].n[lane] = y_n;
    });
    read_moments(given.moment, y);
}

void FrictionRows::write_impulses(const ScaledImpulses& y, const FrictionOutput& output) const {
    each_contact([&](std::ptrdiff_t g, int lane, Index c) {
        const Row& r = problem_.rows[layout_.row[c]];
        const ContactGroup& group = contacts_[g];
        const GroupDual& of = y.contact[g];
        output.impulse[layout_.row[c]] =
            (group.scale_n[lane] * of.n[lane]) * r.normal + (sign(r) * group.scale_t[lane]) * of.t[lane];
    });
    write_moments(y.moment, output.moment);
}

void FrictionRows::scatter(const ScaledImpulses& y, std::span<BodyMotion> motion) const {
    layout_.body_chunks([&](std::ptrdiff_t, std::ptrdiff_t begin, std::ptrdiff_t end) {
        for (std::ptrdiff_t k = begin; k < end; ++k) {
            motion[k].velocity << 0.0, 0.0, 0.0, 1.0 / layout_.mass[k];
            motion[k].spin << 0.0, 0.0, 0.0, problem_.inverse_inertia[layout_.body[k]];
        }
    });
    layout_.sweep_blocks([&](Index number, const RowLayout::Block&) {
        visit_contacts(contacts_, block(number), motion.data(), [&](Index g, int part, auto&& contacts) {
            contacts.push(y.contact[g].part(part));
            if (has_rolling()) contacts.turn(rolling_[g].scale.part(part) * y.moment[g].part(part));
            contacts.write(motion.data());
        });
    });
}

void FrictionRows::normal_slopes(std::span<const BodyMotion> motion, std::span<double> slope) const {
    layout_.read_blocks([&](Index number, const RowLayout::Block&) {
        visit_contacts(contacts_, block(number), motion.data(), [&](Index g, int part, const auto& contacts) {
            for (int k = 0; k < kWide; ++k) {
                const Index c = members(g)[part * kWide + k];
                if (c >= 0) slope[c] = contacts.slope.n[k];
            }
        });
    });
}

void FrictionRows::slips(std::span<const BodyMotion> motion, std::span<GroupValues> slip) const {
    layout_.read_blocks([&](Index number, const RowLayout::Block&) {
        visit_contacts(contacts_, block(number), motion.data(), [&](Index g, int part, const auto& contacts) {
            slip[g].set_part(part, root(contacts.slope.t.dot(contacts.slope.t)));
        });
    });
}

double FrictionRows::work(const ScaledImpulses& y) const {
    return parallel_sum(group_count(), [&](std::ptrdiff_t g) {
        Wide sums[kGroupParts];
        for (int part = 0; part < kGroupParts; ++part) {
            sums[part] = contacts_[g].b.part(part).dot(y.contact[g].part(part));
            if (has_rolling()) sums[part] += rolling_[g].b.part(part).dot(y.moment[g].part(part));
        }
        return sum_of_parts(sums);
    });
}

double FrictionRows::energy(std::span<const BodyMotion> motion) const {
    return 0.5 * parallel_sum(layout_.body_count(), [&](std::ptrdiff_t k) {
               return square(k, motion[k].velocity, motion[k].spin);
           });
}

}  // namespace talus
