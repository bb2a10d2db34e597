#include "deposit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

namespace talus::validation {

namespace {

double distance(const System& system, Index i) {
    const Vec3& q = system.particles.position[i];
    return system.dimension == 2 ? q.x() : std::hypot(q.x(), q.y());
}

template <class Visit>
void for_each_grain(const System& system, const Visit& visit) {
    for (Index i = 0; i < system.particles.size(); ++i) {
        if (!system.particles.frozen(i)) visit(i);
    }
}

// Area of ring k (2-D: its width) and what a grain covers of it.
double ground_of_ring(const System& system, double width, std::size_t k) {
    if (system.dimension == 2) return width;
    return std::numbers::pi * width * width * static_cast<double>(2 * k + 1);
}

double shadow_of(const System& system, Index i) {
    const double r = system.particles.radius[i];
    return system.dimension == 2 ? 2.0 * r : std::numbers::pi * r * r;
}

// Share of each ring that is covered, grains counted where their centres are; the last ring is empty.
std::vector<double> coverage(const System& system, double width) {
    std::vector<double> covered(1, 0.0);
    for_each_grain(system, [&](Index i) {
        const auto k = static_cast<std::size_t>(std::max(0.0, distance(system, i)) / width);
        if (covered.size() < k + 2) covered.resize(k + 2, 0.0);
        covered[k] += shadow_of(system, i);
    });
    for (std::size_t k = 0; k < covered.size(); ++k) covered[k] /= ground_of_ring(system, width, k);
    return covered;
}

}  // namespace

double front(const System& system, double share) {
    std::vector<std::pair<double, double>> grains;  // distance, mass
    double left = 0.0;
    for_each_grain(system, [&](Index i) {
        grains.emplace_back(distance(system, i), system.particles.mass[i]);
        left += share * system.particles.mass[i];
    });
    std::sort(grains.begin(), grains.end());
    for (const auto& [where, mass] : grains) {
        left -= mass;
        if (left <= 0.0) return where;
    }
    return grains.empty() ? 0.0 : grains.back().first;
}

double covered_front(const System& system, double width) {
    constexpr double kHalf = 0.5;
    const std::vector<double> covered = coverage(system, width);
    std::size_t k = 0;
    while (covered[k] >= kHalf) ++k;
    if (k == 0) return 0.0;
    const double beyond = (covered[k - 1] - kHalf) / (covered[k - 1] - covered[k]);  // in rings, from middle
    return width * (static_cast<double>(k) - 0.5 + std::min(1.0, beyond));
}

double summit(const System& system) {
    double top = -std::numeric_limits<double>::infinity();
    for_each_grain(system, [&](Index i) {
        const Particles& p = system.particles;
        top = std::max(top, p.position[i][system.dimension - 1] + p.radius[i]);
    });
    return top;
}

}  // namespace talus::validation
