#pragma once

#include <vector>

#include "dual_solver.hpp"

namespace talus {

/// Conjugate gradients along the projected slope, clipped at y = 0: after MPRGP (Dostal 2009, "Optimal
/// quadratic programming algorithms", chapter 5), with the full step of conjugate gradients projected onto
/// y >= 0. The direction stays conjugate to the one before whatever rows are clipped or released: clipped
/// rows leave it, rows at y = 0 that pull join it at once, so that no proportioning step is needed.
///
/// A step is kept only if it lowers the dual objective by kLeastGain |min(y, g)|^2; else a plain Gauss-Seidel
/// sweep takes its place, which lowers it by at least |change|^2 / 2, and the direction starts afresh. Either
/// way every limit of the iterates is a solution. One iteration is one pass over the rows that reads and
/// pushes bodies, one that moves multipliers only, and three over the bodies.
class ClipCg final : public DualSolver {
public:
    using DualSolver::DualSolver;

private:
    /// Sums over the rows at an iterate; Value holds them for one row at a time or for four.
    template <class Value>
    struct RowSums {
        Value work{};     ///< b . y
        Value square{};   ///< |pull_|^2
        Value along{};    ///< g . search_
        Value natural{};  ///< |min(y, g)|^2
    };
    /// Sums over the bodies in the norm of their masses.
    struct BodySums {
        double speed = 0.0;      ///< |w_|^2
        double steepest = 0.0;   ///< |w_pull_|^2
        double mixed = 0.0;      ///< w_pull_ . w_search_
        double curvature = 0.0;  ///< |w_search_|^2
    };
    /// y - length (pull_ - beta search_), before it is clipped.
    struct Step {
        double length, beta;
    };

    Status minimise() override;
    void advance();
    Step choose_step() const;
    /// Forms y_next_ and w_next_, and search_ and w_search_ without the rows that were clipped.
    void take(const Step& step);
    void take_rows(const RowLayout::Block& block, const Step& step);
    void clip_rows(const RowLayout::Block& block);
    /// One plain sweep over (y_, w_).
    void sweep();
    /// Pulls, sums and objective at (y_, w_).
    void measure();
    RowSums<double> measure_rows(const RowLayout::Block& block);
    void sum_bodies();
    /// w_ and w_search_ afresh from y_ and search_.
    void rebuild();

    double objective_ = 0.0;
    bool restart_ = true;
    RowSums<double> rows_;
    BodySums bodies_;
    std::vector<double> pull_;                        ///< (m) projected slope: g where y > 0 or g < 0, else 0
    std::vector<double> search_;                      ///< (m) the last step went along -search_
    std::vector<double> y_next_;                      ///< (m)
    std::vector<Packed> w_pull_, w_search_, w_next_;  ///< (k) M^-1 G' S of pull_, search_, y_next_
    std::vector<RowSums<double>> row_sums_;           ///< one a block
    std::vector<BodySums> body_sums_;                 ///< one a chunk
};

}  // namespace talus
