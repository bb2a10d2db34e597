#pragma once

#include <vector>

#include "talus/io/frame.hpp"

namespace talus {

/// A wall as it is drawn at one time.
struct PlacedSurface {
    std::int32_t wall;  ///< index into the walls
    bool bounded;       ///< false where an unbounded wall was cut to the view
    DrawnSurface surface;
};

/// Triangles and lines of the walls of a run. What unbounded walls are cut to is chosen once, from the first
/// state: everything that is there, with a margin, so that the drawing does not change from frame to frame.
class WallDrawing {
public:
    explicit WallDrawing(const Frame& first);

    /// Walls present at frame.time, in their place. Half-spaces end where they meet each other, so that
    /// those of a box look like one: what lies inside of another one borders no free space.
    std::vector<PlacedSurface> at(const Frame& frame) const;

private:
    std::vector<PlacedSurface> at_rest_;
};

}  // namespace talus
