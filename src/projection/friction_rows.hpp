#pragma once

#include <span>
#include <vector>

#include "friction_kernels.hpp"
#include "talus/projection/friction.hpp"
#include "talus/projection/row_layout.hpp"

namespace talus {

/// The contacts of a FrictionProblem in the order and scaling in which they are solved. The normal parts
/// alone are the rows of `layout`.
class FrictionRows {
public:
    void prepare(const FrictionProblem& problem);
    /// Sets the right-hand sides. @throws std::invalid_argument if sizes disagree.
    void load(const FrictionInput& input);
    /// y of the impulses p, moved into the discs |y_t| <= mu' y_n; 0 where p is not finite.
    /// @param impulse (m) [N s], caller's order; @param y (m) out [sqrt(kg) m/s].
    void read_impulses(std::span<const Vec3> impulse, std::span<Packed> y) const;
    /// The reverse. @param y (m), @param impulse (m) out.
    void write_impulses(std::span<const Packed> y, std::span<Vec3> impulse) const;
    /// The motion that impulses y cause. @param y (m), @param motion (k) out.
    void scatter(std::span<const Packed> y, std::span<BodyMotion> motion) const;
    /// Normal slopes s (rate + G u). @param motion (k), @param slope (m) out [sqrt(kg) m/s].
    void normal_slopes(std::span<const BodyMotion> motion, std::span<double> slope) const;
    /// Slips |g_t|. @param motion (k), @param slip (m) out [sqrt(kg) m/s].
    void slips(std::span<const BodyMotion> motion, std::span<double> slip) const;
    /// b . y
    double work(std::span<const Packed> y) const;
    /// 1/2 sum m |u|^2 + J |omega|^2 of changes of motion.
    double energy(std::span<const BodyMotion> motion) const;
    /// m |u|^2 + J |omega|^2 of packed body k.
    double square(std::ptrdiff_t k, const Packed& velocity, const Packed& spin) const {
        return layout_.mass[k] * dot3(velocity, velocity) + inertia_[k] * dot3(spin, spin);
    }

    const RowLayout& layout() const { return layout_; }
    const std::vector<ContactRow>& contacts() const { return contacts_; }
    const FrictionProblem& problem() const { return problem_; }

private:
    void check_rows() const;
    void list_normal_rows();
    void scale_contacts();
    ContactRow scaled(const FrictionRow& row) const;
    Vec3 tangential_speed(const FrictionRow& row, const FrictionInput& input) const;
    bool moves(Index body) const { return body >= 0 && problem_.inverse_mass[body] > 0.0; }
    /// 1, or -1 where the body that can move is the caller's first, so that signs of p and y_t are opposite.
    double sign(const FrictionRow& row) const { return moves(row.j) ? 1.0 : -1.0; }

    FrictionProblem problem_;
    std::vector<Row> normal_rows_;  ///< (m) caller's order
    RowLayoutBuilder builder_;
    RowLayout layout_;
    std::vector<ContactRow> contacts_;  ///< (m)
    std::vector<double> inertia_;       ///< (k) [kg m^2]; 0 where the body can not be turned
};

}  // namespace talus
