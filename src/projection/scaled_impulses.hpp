#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "friction_lanes.hpp"
#include "talus/core/parallel.hpp"

namespace talus {

/// Scaled impulses of all contacts of a FrictionProblem.
struct ScaledImpulses {
    std::vector<GroupDual> contact;   ///< (groups) y [sqrt(kg) m/s]
    std::vector<GroupTriple> moment;  ///< (groups) y_r [sqrt(kg) m/s]; empty where nothing resists rolling

    void resize(std::size_t groups, bool with_rolling) {
        contact.resize(groups);
        moment.resize(with_rolling ? groups : 0);
    }
    void set_zero() {
        std::fill(contact.begin(), contact.end(), GroupDual{});
        std::fill(moment.begin(), moment.end(), GroupTriple{});
    }
    void scale(double factor) {
        const auto scale_all = [factor](auto& groups) {
            parallel_for(std::ssize(groups), [&](std::ptrdiff_t g) {
                for (int part = 0; part < kGroupParts; ++part) {
                    groups[g].set_part(part, constant(factor) * groups[g].part(part));
                }
            });
        };
        scale_all(contact);
        scale_all(moment);
    }
};

}  // namespace talus
