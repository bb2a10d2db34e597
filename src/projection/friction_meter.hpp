#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "friction_rows.hpp"
#include "talus/projection/optimality.hpp"

namespace talus {

/// Measures how far (y, motion) is from satisfying the law at every contact. Sums run over blocks in order:
/// same bits on any number of threads.
template <FrictionKind kind>
class FrictionMeter {
public:
    /// To be called whenever right-hand sides have changed: forms |P(-b - mu' |b_t| n)| (relaxation:
    /// |P(-b)|). @param least_reference what residuals are relative to at least [sqrt(kg) m/s].
    /// @throws std::invalid_argument if a right-hand side is not finite.
    void start(const FrictionRows& rows, double least_reference);
    /// The residual of no impulses: 0 if every contact holds without any.
    double residual_at_zero() const { return reference_ > 0.0 ? at_zero_ / reference_ : 0.0; }
    /// The natural map's norm at y = 0, or the least reference [sqrt(kg) m/s].
    double reference() const { return reference_; }
    /// One pass over the rows: the natural map of the cones with, where contacts resist rolling,
    /// |y_r - P_r(y_r - g_r)|^2 of each among its squares, P_r the projection onto the disc of radius
    /// mu_r' y_n. Zero iff the law holds. @param motion (k) that y causes.
    Optimality measure(const FrictionRows& rows, const ScaledImpulses& y, std::span<const BodyMotion> motion);
    /// Marks the contacts that slide: those whose tangential impulse the law bounds at this motion.
    /// @param sliding (m) out, caller's order.
    static void mark_sliding(const FrictionRows& rows, const ScaledImpulses& y,
                             std::span<const BodyMotion> motion, std::span<std::uint8_t> sliding);

private:
    struct Sums {
        double squares, size, largest;
    };
    template <bool rolling>
    void measure_blocks(const FrictionRows& rows, const ScaledImpulses& y,
                        std::span<const BodyMotion> motion);
    Sums total() const;

    double reference_ = 0.0;
    double at_zero_ = 0.0;       ///< the natural map's norm at y = 0 [sqrt(kg) m/s]
    std::vector<Sums> partial_;  ///< one a block
};

}  // namespace talus
