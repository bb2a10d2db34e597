#include "talus/geometry/convex_polygon.hpp"

namespace talus {

DrawnSurface draw_polygon(const std::vector<Vec3>& corners, bool flat) {
    DrawnSurface drawn;
    if (corners.size() < (flat ? 2 : 3)) return drawn;
    drawn.points = corners;
    if (flat) drawn.lines.push_back({0, 1});
    for (Index k = 1; !flat && k + 1 < static_cast<Index>(corners.size()); ++k) {
        drawn.triangles.push_back({0, k, k + 1});
    }
    return drawn;
}

}  // namespace talus
