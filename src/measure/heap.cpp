#include "talus/measure/heap.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numbers>
#include <utility>

namespace talus {

namespace {

// A sum of masses that misses its share by less is rounding.
constexpr double kRounding = 1e-12;
// Places of the surface that a slope needs: two are always on a line.
constexpr std::size_t kFewest = 3;

/// The outer edge of a particle along one coordinate.
struct Edge {
    double place, mass;
};

std::optional<double> mass_quantile(std::vector<Edge> edges, double fraction) {
    if (edges.empty()) return std::nullopt;
    std::stable_sort(edges.begin(), edges.end(),
                     [](const Edge& a, const Edge& b) { return a.place < b.place; });
    double total = 0.0, sum = 0.0;
    for (const Edge& edge : edges) total += edge.mass;
    for (const Edge& edge : edges) {
        sum += edge.mass;
        if (sum >= fraction * total * (1.0 - kRounding)) return edge.place;
    }
    return edges.back().place;
}

double largest_diameter(const Particles& p) {
    double radius = 0.0;
    for (Index i = 0; i < p.size(); ++i) {
        if (!p.frozen(i)) radius = std::max(radius, p.radius[i]);
    }
    return 2.0 * radius;
}

/// Slope of the line that is nearest by least squares of the heights; nothing when all are at one place.
std::optional<double> fitted_slope(const std::vector<SurfacePoint>& points) {
    double outward = 0.0, height = 0.0;
    for (const SurfacePoint& point : points) {
        outward += point.outward / static_cast<double>(points.size());
        height += point.height / static_cast<double>(points.size());
    }
    double spread = 0.0, common = 0.0;
    for (const SurfacePoint& point : points) {
        spread += (point.outward - outward) * (point.outward - outward);
        common += (point.outward - outward) * (point.height - height);
    }
    if (spread == 0.0) return std::nullopt;
    return common / spread;
}

}  // namespace

double Coordinate::at(const Vec3& x) const {
    const double along = (x - point).dot(axis);
    return radial ? (x - point - along * axis).norm() : along;
}

std::optional<double> front_distance(const System& system, const Front& measure) {
    const Particles& p = system.particles;
    std::vector<Edge> edges;
    for (Index i = 0; i < p.size(); ++i) {
        if (p.frozen(i)) continue;
        edges.push_back({measure.outward.at(p.position[i]) + p.radius[i], p.mass[i]});
    }
    return mass_quantile(std::move(edges), measure.fraction);
}

std::optional<double> heap_height(const System& system, const HeapHeight& measure) {
    const Particles& p = system.particles;
    const Coordinate across = {true, measure.point, measure.up};
    std::vector<Edge> edges;
    for (Index i = 0; i < p.size(); ++i) {
        if (p.frozen(i) || across.at(p.position[i]) > measure.radius) continue;
        edges.push_back({(p.position[i] - measure.point).dot(measure.up) + p.radius[i], p.mass[i]});
    }
    return mass_quantile(std::move(edges), measure.fraction);
}

std::vector<SurfacePoint> free_surface(const System& system, const Repose& measure) {
    const Particles& p = system.particles;
    const double width = measure.bin > 0.0 ? measure.bin : largest_diameter(p);
    std::map<double, SurfacePoint> highest;  // by number of the bin
    for (Index i = 0; i < p.size(); ++i) {
        if (p.frozen(i)) continue;
        const Vec3 arm = p.position[i] - measure.outward.point;
        const SurfacePoint top = {measure.outward.at(p.position[i]), arm.dot(measure.up) + p.radius[i]};
        const auto [place, first] = highest.try_emplace(std::floor(top.outward / width), top);
        if (!first && top.height > place->second.height) place->second = top;
    }
    std::vector<SurfacePoint> surface;
    for (const auto& [bin, top] : highest) surface.push_back(top);
    return surface;
}

std::optional<double> repose_angle(const System& system, const Repose& measure) {
    std::vector<SurfacePoint> slope = free_surface(system, measure);
    double summit = 0.0;
    for (const SurfacePoint& point : slope) summit = std::max(summit, point.height);
    std::erase_if(slope, [&](const SurfacePoint& point) {
        return point.height < measure.low * summit || point.height > measure.high * summit;
    });
    if (slope.size() < kFewest) return std::nullopt;
    const std::optional<double> rise = fitted_slope(slope);
    if (!rise) return std::nullopt;
    return -std::atan(*rise) * 180.0 / std::numbers::pi;
}

}  // namespace talus
