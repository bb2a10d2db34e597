#pragma once

#include <string>
#include <vector>

namespace talus {

struct RenderOptions {
    int width = 1280, height = 960;  ///< [pixels]
    bool all_frames = false;         ///< every frame of particles.pvd; otherwise the last
    std::string color = "speed";     ///< speed, or the name of a point array
};

/// Draws the frames of a results directory off-screen: spheres coloured by speed, walls translucent. PNG
/// files picture_000123.png in `directory` (all frames) or the path `out` (one frame).
/// @return the files written. @throws InputError when there is no X display (says to use xvfb-run -a) or no
/// frames; OutputError when a picture can not be written.
std::vector<std::string> render(const std::string& directory, const std::string& out,
                                const RenderOptions& options);

}  // namespace talus
