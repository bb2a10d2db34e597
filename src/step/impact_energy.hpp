#pragma once

#include <vector>

#include "clusters.hpp"
#include "stage_solver.hpp"

namespace talus {

/// Impulses of an impact and the motion that they lead to.
struct ImpactAnswer {
    const Impulses& impulses;
    MotionView motion;
};

/// Energy of one cluster in an impact, as sums of m u . u' and J omega . omega': before it, with the plain
/// answer (e = 0), with the full one, and the product of these two.
struct EnergyBalance {
    double before = 0.0, plain = 0.0, mixed = 0.0, full = 0.0;  ///< [J]
    double plain_work = 0.0, full_work = 0.0;  ///< of walls that move and of radii that change [J]

    /// Whether the full answer has more energy than there was and walls add, by more than rounding.
    bool gains() const;
    /// The largest theta in [0, 1] for which plain + theta (full - plain) does not.
    double affordable_part() const;
};

/// The balance of each cluster. Of walls and radii an answer takes the work
/// W = -sum (p_N (D(t + h) - D(t))/h + p_T . w_wall + L . omega_wall), and without restitution
/// |u|^2 <= |u^n|^2 + 2 W.
std::vector<EnergyBalance> energy_balances(const ProjectionInput& in, const ContactList& contacts,
                                           const Clusters& clusters, const ImpactAnswer& plain,
                                           const ImpactAnswer& full);

}  // namespace talus
