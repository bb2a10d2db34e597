#pragma once

#include <span>
#include <vector>

#include "friction_groups.hpp"
#include "friction_kernels.hpp"
#include "friction_rolling.hpp"
#include "scaled_impulses.hpp"
#include "talus/projection/friction.hpp"
#include "talus/projection/row_layout.hpp"

namespace talus {

/// The contacts of a FrictionProblem in the order, groups and scaling in which they are solved. The normal
/// parts alone are the rows of `layout`.
class FrictionRows {
public:
    void prepare(const FrictionProblem& problem);
    /// Sets the right-hand sides. @throws std::invalid_argument if sizes disagree.
    void load(const FrictionInput& input);
    /// y of the impulses and moments given, moved into the discs |y_t| <= mu' y_n and |y_r| <= mu_r' y_n; 0
    /// where they are not finite.
    void read_impulses(const FrictionOutput& given, ScaledImpulses& y) const;
    /// The reverse.
    void write_impulses(const ScaledImpulses& y, const FrictionOutput& output) const;
    /// The motion that impulses y cause. @param motion (k) out.
    void scatter(const ScaledImpulses& y, std::span<BodyMotion> motion) const;
    /// Normal slopes s (rate + G u). @param motion (k), @param slope (m) out, in the layout's order
    /// [sqrt(kg) m/s].
    void normal_slopes(std::span<const BodyMotion> motion, std::span<double> slope) const;
    /// Slips |g_t|. @param motion (k), @param slip (groups) out [sqrt(kg) m/s].
    void slips(std::span<const BodyMotion> motion, std::span<GroupValues> slip) const;
    /// b . y
    double work(const ScaledImpulses& y) const;
    /// 1/2 sum m |u|^2 + J |omega|^2 of changes of motion.
    double energy(std::span<const BodyMotion> motion) const;
    /// m |u|^2 + J |omega|^2 of packed body k.
    double square(std::ptrdiff_t k, const Packed& velocity, const Packed& spin) const {
        return layout_.mass[k] * dot3(velocity, velocity) + inertia_[k] * dot3(spin, spin);
    }

    double inertia(Index k) const { return inertia_[k]; }  ///< [kg m^2]; 0 where it can not be turned

    const RowLayout& layout() const { return layout_; }
    Index group_count() const { return groups_.count(); }
    const std::vector<ContactGroup>& contacts() const { return contacts_; }
    /// Whether any contact resists rolling.
    bool has_rolling() const { return !rolling_.empty(); }
    const std::vector<RollingGroup>& rolling() const { return rolling_; }  ///< (groups), or empty
    const GroupBlock& block(Index number) const { return groups_.blocks[number]; }
    const FrictionGroups::Members& members(Index group) const { return groups_.members[group]; }
    /// h / (s_n radius) of a group's contacts: -g_n times this is the predicted overlap [-].
    const GroupValues& reach(Index group) const { return reach_[group]; }
    /// g_n at which contacts would overlap by `overlap` [-], with the sign turned. 0 in lanes without a row.
    Wide slope_of_overlap(Index group, int part, Wide overlap) const {
        const Wide reach = reach_[group].part(part);
        return reach > 0.0 ? overlap / reach : Wide{};
    }
    const FrictionProblem& problem() const { return problem_; }

private:
    void check_rows() const;
    ProjectionProblem normal_problem() const;
    void scale_contacts();
    ContactGroup scaled_group(const FrictionGroups::Members& members) const;
    void scale_contact(Index number, int lane, ContactGroup& group) const;
    Vec3 tangential_speed(Index number, const FrictionInput& input) const;
    void scale_rolling();
    double rolling_scale(const Row& row) const;
    void load_rolling(const FrictionInput& input);
    void read_moments(std::span<const Vec3> moment, ScaledImpulses& y) const;
    void write_moments(std::span<const GroupTriple> y, std::span<Vec3> moment) const;
    bool moves(Index body) const { return body >= 0 && problem_.inverse_mass[body] > 0.0; }
    /// 1, or -1 where the body that can move is the caller's first, so that signs of p and y_t are opposite.
    double sign(const Row& row) const { return moves(row.j) ? 1.0 : -1.0; }
    /// Calls visit(group number, lane, row in the layout) for every contact, perhaps at the same time.
    template <class Visit>
    void each_contact(Visit&& visit) const;

    FrictionProblem problem_;
    RowLayoutBuilder builder_;
    RowLayout layout_;
    FrictionGroups groups_;
    std::vector<ContactGroup> contacts_;  ///< (groups)
    std::vector<RollingGroup> rolling_;   ///< (groups); empty where nothing resists rolling
    std::vector<GroupValues> reach_;      ///< (groups)
    std::vector<double> inertia_;         ///< (k) [kg m^2]; 0 where the body can not be turned
};

template <class Visit>
void FrictionRows::each_contact(Visit&& visit) const {
    parallel_for(group_count(), [&](std::ptrdiff_t g) {
        for (int lane = 0; lane < kGroupSize; ++lane) {
            const Index c = groups_.members[g][lane];
            if (c >= 0) visit(g, lane, c);
        }
    });
}

}  // namespace talus
