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
/// When the set is empty the dual is unbounded and its iterates run away along a direction with G' S d = 0,
/// S rate . d < 0, whose least speed is infinite. When it is not, no d has a least speed above the norm of
/// the smallest admissible u, so a bound beyond every sensible motion is a proof, however the d was found.
class JamDetector {
public:
    /// @param rate (m) [m/s], caller's order.
    void start(const RowLayout& layout, std::span<const double> rate, double time_step);
    /// Looks at iterate y of iteration k; works at geometrically spaced iterations only.
    bool is_proven(const RowLayout& layout, int iteration, std::span<const double> y);
    /// The same for given weights d (m), >= 0.
    bool proves(const RowLayout& layout, std::span<const double> weights);
    /// Weights of the rows, largest 1, in the caller's order.
    JamProof proof(const RowLayout& layout) const;

private:
    bool weights_prove(const RowLayout& layout);

    static constexpr int kFirst = 64;  ///< iterations before the first look

    int next_ = 0;
    double time_step_ = 0.0;
    double least_speed_ = 0.0;
    std::vector<double> rate_;   ///< (m) s rate
    std::vector<double> seen_;   ///< (m) iterate of the last look
    std::vector<double> d_;      ///< (m) weights in the scaling of y
    std::vector<Packed> push_;   ///< (k) M^-1 G' S d
    std::vector<char> touched_;  ///< (k) bodies of the weights' rows
};

}  // namespace talus
