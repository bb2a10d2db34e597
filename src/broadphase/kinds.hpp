#pragma once

#include <memory>

#include "talus/broadphase/broad_phase.hpp"

namespace talus {

std::unique_ptr<BroadPhase> make_brute_force();
std::unique_ptr<BroadPhase> make_cell_grid();
std::unique_ptr<BroadPhase> make_kd_tree();
std::unique_ptr<BroadPhase> make_r_tree();

/// @throws std::invalid_argument when the arrays differ in length, a centre is not finite or a size is
/// negative or not finite, naming the first such index.
void require_valid_input(std::span<const Vec3> centre, std::span<const double> size);

}  // namespace talus
