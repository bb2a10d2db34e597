#pragma once

#include <span>
#include <vector>

#include "talus/projection/row_layout.hpp"
#include "talus/projection/solver.hpp"

namespace talus {

/// Recognises that no admissible velocity exists (Farkas). For weights d >= 0 every u with rate + G u >= 0
/// has
///
///     0 <= d . S (rate + G u),  so  |u|_M >= -(S rate . d) / |G' S d|_{M^-1} =: least speed of d.
///
/// If an admissible u exists, no d has a least speed above its norm; so a least speed beyond every sensible
/// motion is a proof, however d was found. It is found by making the violation as small as it can be:
/// phi(u) = 1/2 |min(0, S (rate + G u))|^2. At its minimum d = -min(0, S (rate + G u)) has G' S d = 0, which
/// is an infinite least speed, unless d = 0 and u is admissible.
class JamDetector {
public:
    /// @param rate (m) [m/s], caller's order. @param overlap_tolerance over the radius [-]: where standing
    /// still would leave no larger overlap a proof is looked for only after very many iterations.
    void start(const RowLayout& layout, std::span<const double> rate, double time_step,
               double overlap_tolerance);
    /// Another iteration on the same rows begins: its iterations count from 0.
    void restart();
    /// Looks at iterate y of iteration k, at geometrically spaced iterations only: if the violation has not
    /// halved since the last look, some steps of the search for a proof are made.
    bool is_proven(const RowLayout& layout, int iteration, std::span<const double> y);
    /// The same for a solver that has other impulses too. @param slopes writes s (rate + G u) of its present
    /// velocities (m); called at the iterations of a look only.
    bool is_proven_from(const RowLayout& layout, int iteration, FunctionRef<void(std::span<double>)> slopes);
    /// True if the weights d (m), >= 0, in the scaling of y, are a proof.
    bool proves(const RowLayout& layout, std::span<const double> weights);
    /// The last weights looked at, largest 1, in the caller's order.
    JamProof proof(const RowLayout& layout) const;

private:
    bool search(const RowLayout& layout, int steps);
    bool weights_prove(const RowLayout& layout);
    double line_search() const;

    int first_ = 0, next_ = 0;  ///< iterations to look at
    double time_step_ = 0.0;
    double violation_ = 0.0;                  ///< |min(0, g)| at the last look
    double least_speed_ = 0.0;                ///< of the last weights
    std::vector<double> rate_;                ///< (m) s rate
    std::vector<double> g_;                   ///< (m) s (rate + G u)
    std::vector<double> d_;                   ///< (m) weights in the scaling of y
    std::vector<double> turn_;                ///< (m) change of g along the direction of the search
    std::vector<Packed> push_, push_before_;  ///< (k) M^-1 G' S d: where phi falls fastest
    std::vector<Packed> direction_;           ///< (k) of the search
    std::vector<char> touched_;               ///< (k) bodies of the weights' rows
};

}  // namespace talus
