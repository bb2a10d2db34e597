#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "talus/scene/notices.hpp"
#include "talus/scene/scene.hpp"

namespace talus {

/// What passes planes, leaves through outlets and escapes from the domain, and how much of it.
class Traffic {
public:
    /// Particles further away than this many times the size of the whole scene are reported even where the
    /// scene sets no domain [-].
    static constexpr double kFar = 1000.0;

    /// @param system the state at t = 0.
    Traffic(const Scene& scene, const System& system);

    /// To be called after particles were added behind those known.
    void particles_added(const System& system);

    /// Books the state after a step: crossings of the counters first (so that a particle that crosses and
    /// leaves in one step is counted), then outlets, then escapes. Nothing is removed yet.
    /// @return one flag a particle: to be removed.
    const std::vector<std::uint8_t>& book(const System& system, Notices& notices);
    /// Forgets the particles flagged by the last `book`, as Particles::remove does.
    void forget_removed();
    /// To be called when Particles::arrange is.
    void arrange(const std::vector<Index>& order);

    /// True while a mobile particle is behind the counter and has not been counted.
    bool any_behind(std::size_t counter, const System& system) const;

    const std::vector<std::int64_t>& counted() const { return counted_; }
    const std::vector<double>& mass_counted() const { return mass_counted_; }  ///< [kg]
    const std::vector<std::int64_t>& removed_by_outlet() const { return removed_by_outlet_; }
    const std::vector<double>& mass_removed_by_outlet() const { return mass_removed_; }
    std::int64_t removed_as_escaped() const { return removed_as_escaped_; }
    std::int64_t escaped() const { return escaped_; }  ///< particles that left the domain, removed or not

private:
    // Where a particle stands with a counter: it is counted on its first step from behind to ahead.
    enum class Side : std::uint8_t { behind, ahead, counted };

    void count_crossings(const System& system);
    bool drain(const System& system, std::size_t i);
    bool escape(const System& system, std::size_t i);
    std::string escape_text(const System& system, std::size_t i) const;

    std::vector<Counter> counters_;
    std::vector<Outlet> outlets_;
    Box domain_, far_;
    EscapePolicy policy_;

    std::vector<std::vector<Side>> side_;     // [counter][particle]
    std::vector<std::uint8_t> has_escaped_;   // [particle]
    std::vector<std::size_t> newly_escaped_;  // in the step at hand
    std::vector<std::uint8_t> remove_;        // [particle]
    std::vector<std::int64_t> counted_, removed_by_outlet_;
    std::vector<double> mass_counted_, mass_removed_;
    std::int64_t removed_as_escaped_ = 0, escaped_ = 0;
};

}  // namespace talus
