#pragma once

#include <span>
#include <vector>

#include "dormant_groups.hpp"
#include "friction_rows.hpp"
#include "iteration.hpp"
#include "momentum.hpp"

namespace talus {

/// Iterates of a friction solver and the Gauss-Seidel sweep that solves one contact after the other. One
/// sweep is one pass over the contacts that do not sleep. For the relaxation it minimises the dual objective
/// contact by contact.
///
/// For Coulomb's law the first kExactSweeps solve every contact exactly. Where these do not converge, strong
/// friction makes contacts disturb each other: the later ones project onto the cone of the relaxation with
/// right-hand sides that are mu' s too large, as in the fixed point of Acary, Cadoux, Lemarechal and Malick
/// (2011), and each contact's s follows its slip |g_t| by the part 1/(1 + mu'^2) of the way a sweep. The
/// solutions are the same, and in dense packings with mu >= 1 the residual stalls two to three times lower;
/// loose ones take five times longer that way from the start.
template <FrictionKind kind>
class FrictionSweep {
public:
    explicit FrictionSweep(const FrictionRows& rows) : rows_(rows) {}

    /// Starts from the impulses y, in place, and the motion they cause. Both iterates are the same then.
    void start();
    /// The same for sweeps that only push apart: normal impulses grow where contacts would overlap by more
    /// than `allowed` of the smaller radius, and all others stay, moments
    /// too. That is a convex problem: the least change of the motion, in the norm of the masses, that leaves
    /// no such overlap.
    void start_pushing_apart(double allowed);
    /// Sweeps from z = y + beta (y - y_old), the same for motions; the result is in y_old and motion_old.
    SweepSums<double> sweep(double beta);
    /// The result of the last sweep becomes y, and y becomes y_old.
    void accept();
    /// Both motions afresh from their impulses. Both, or momentum amplifies the drift of the one left out.
    void rebuild();

    ScaledImpulses y;
    std::vector<BodyMotion> motion;  ///< (k) that y causes

private:
    static constexpr int kExactSweeps = 200;

    /// Gives momentum to the bodies that no block before this one has touched; returns their travel.
    double open_bodies(Index block, double beta);
    SweepSums<double> relax_exactly(Index block, double beta);
    SweepSums<double> push_apart(Index block, double beta);
    SweepSums<double> relax_following_slip(Index block, double beta);
    static Wide opening(const Dual& g, Wide friction);
    void start_dormancy();
    void wake_violated();
    /// @param solve (group, part, z, g, friction) -> y of its contacts; it may shift g, a Dual&. Moments
    /// against rolling follow, each after the rest of its contact, from the spins and the normal impulse that
    /// this leaves.
    template <class Solve>
    SweepSums<double> relax(Index block, double beta, Solve&& solve);
    template <bool rolling, class Solve>
    SweepSums<double> relax_contacts(Index block, double beta, Solve&& solve);

    const FrictionRows& rows_;
    DormantGroups dormant_;
    CheckSchedule wake_;             ///< sweeps at which dormant contacts are looked at
    std::vector<GroupValues> slip_;  ///< (groups) s [sqrt(kg) m/s], Coulomb's law only
    int sweeps_ = 0;
    bool pushes_apart_ = false;
    double allowed_ = 0.0;            ///< overlap over the smaller radius [-], when pushing apart
    std::vector<GroupValues> least_;  ///< (groups) y_n that pushing apart started from
    ScaledImpulses y_old_;
    std::vector<BodyMotion> motion_old_;
    std::vector<SweepSums<double>> block_sums_;
};

}  // namespace talus
