#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "talus/projection/friction.hpp"
#include "talus/step/contact_projection.hpp"

namespace talus {

/// Impulses of all contacts, on j or the wall [N s].
struct Impulses {
    std::vector<double> normal;    ///< (m) >= 0
    std::vector<Vec3> tangential;  ///< (m) across the normals; empty without friction
    std::vector<Vec3> moment;      ///< (m) against rolling [N m s]; empty without rolling friction

    void clear() {
        std::fill(normal.begin(), normal.end(), 0.0);
        std::fill(tangential.begin(), tangential.end(), Vec3::Zero());
        std::fill(moment.begin(), moment.end(), Vec3::Zero());
    }
};

/// Velocities that a stage starts from.
struct MotionView {
    std::span<const Vec3> velocity;  ///< (n) [m/s]
    std::span<const Vec3> spin;      ///< (n) [rad/s], not used without friction
};

inline MotionView view_of(const Motion& motion) {
    return {motion.velocity, motion.spin};
}

/// One projection of a step with the solver that its law asks for: to = from + M^-1 G' p, where
/// rate + G to >= 0 holds at every contact, with friction or without.
class StageSolver {
public:
    explicit StageSolver(const SolverOptions& options);

    /// Rows of the contacts, for all the stages of a step. @param rate (m) D/h [m/s], @param guess (m) normal
    /// impulses [N s]: which rows to expect idle.
    void prepare(const ProjectionInput& input, const ContactList& contacts, std::span<const double> rate,
                 std::span<const double> guess);
    /// The stages to come are no corrections of those before.
    void forget_stages() { reference_ = 0.0; }
    /// Gives the rows the friction (1 + e) mu and (1 + e) mu_r where `closing` (m, or empty) is set, mu and
    /// mu_r elsewhere: for the stage of an impact, whose normal impulses are yet to be multiplied by 1 + e.
    /// Nothing without friction.
    void set_friction(const ProjectionInput& input, const ContactList& contacts,
                      std::span<const std::uint8_t> closing);
    /// @param rate (m) [m/s]. @param p in: first guess, out: impulses. @param report takes what was reached.
    /// @return false when no admissible velocity exists.
    bool solve(const ProjectionInput& input, std::span<const double> rate, const MotionView& from,
               Impulses& p, Motion& to, ProjectionReport& report);

    /// w_N of a row with velocities u [m/s].
    double normal_velocity(std::size_t row, std::span<const Vec3> u) const;
    /// mu |w_T| of a row with the relaxed law, by which it keeps w_N above the rate; 0 with others [m/s].
    double lift(std::size_t row, const ProjectionInput& input, const Motion& u) const;
    /// u += M^-1 G' of normal impulses (m) [N s].
    void add_impulses(const Particles& particles, std::span<const double> normal, std::vector<Vec3>& u) const;
    /// (m) of the last solve with friction: 1 where a contact slides; empty without.
    std::span<const std::uint8_t> sliding() const;

private:
    SolverReport solve_with_friction(const ProjectionInput& input, std::span<const double> rate,
                                     const MotionView& from, Impulses& p, Motion& to);
    double energy_defect(const ProjectionInput& input, std::span<const double> rate, const MotionView& from,
                         const Impulses& p, const Motion& to) const;
    double frictional_work(std::size_t row, const ProjectionInput& input, const Impulses& p,
                           const Motion& u) const;
    Vec3 slip(std::size_t row, const ProjectionInput& input, const Motion& u) const;
    Vec3 rolling(std::size_t row, const ProjectionInput& input, const Motion& u) const;
    double complementarity(std::span<const double> rate, const MotionView& from, const Impulses& p,
                           const Motion& to) const;

    SolverOptions options_;
    std::unique_ptr<ProjectionSolver> solver_;
    std::unique_ptr<FrictionSolver> friction_solver_;  // made when first needed
    FrictionLaw made_for_ = FrictionLaw::inelastic;
    bool with_friction_ = false;  // the rows are those of friction_solver_
    std::vector<Row> rows_;
    std::vector<std::uint8_t> idle_;     // of the rows
    std::vector<RowFriction> friction_;  // of the rows
    double reference_ = 0.0;     // largest natural map without impulses of the step's stages [sqrt(kg) m/s]
    std::vector<Vec3> impulse_;  // normal and tangential part together [N s]
};

}  // namespace talus
