#include "talus/projection/row_layout.hpp"

#include <cstddef>

#include "row_kernels.hpp"

namespace talus {

void RowLayout::load(const ProjectionProblem& problem, std::span<const double> rate,
                     std::span<const Vec3> free_velocity, double time_step) {
    reach.resize(row.size());
    read_blocks([&](std::ptrdiff_t, const Block& block) {
        for (Index c = block.begin; c < block.end; ++c) {
            const Row& r = problem.rows[row[c]];
            const double approach_i = r.normal.dot(free_velocity[r.i]);
            const double approach_j = r.j < 0 ? 0.0 : r.normal.dot(free_velocity[r.j]);
            direction[c][3] = scale[c] * (rate[row[c]] + (approach_j - approach_i));
            reach[c] = time_step / (scale[c] * r.radius);
        }
    });
}

void RowLayout::scatter(std::span<const double> y, std::span<Packed> w) const {
    body_chunks([&](std::ptrdiff_t, std::ptrdiff_t begin, std::ptrdiff_t end) {
        for (std::ptrdiff_t k = begin; k < end; ++k) w[k] = Packed(0.0, 0.0, 0.0, 1.0 / mass[k]);
    });
    sweep_blocks([&](std::ptrdiff_t, const Block& block) {
        const RowView rows(*this);
        for (Index c = block.begin; c < block.four_end; c += 4) {
            rows.prefetch(c, w.data());
            prefetch_values(y.data(), c);
            FourRows(rows, c, w.data()).push(talus::load<Lanes>(y.data() + c), w.data());
        }
        for (Index c = block.four_end; c < block.single; ++c) push_pair(rows, c, y[c], w.data());
        for (Index c = block.single; c < block.end; ++c) push_single(rows, c, y[c], w.data());
    });
}

void RowLayout::gather(std::span<const Packed> w, std::span<double> rate) const {
    read_blocks([&](std::ptrdiff_t, const Block& block) {
        const RowView rows(*this);
        for (Index c = block.begin; c < block.single; ++c) rate[c] = pair_rate(rows, c, w.data());
        for (Index c = block.single; c < block.end; ++c) rate[c] = single_rate(rows, c, w.data());
    });
}

}  // namespace talus
