#pragma once

#include <memory>
#include <string>

#include "picture_frame.hpp"

namespace talus {

/// Draws frames off-screen: lit spheres coloured by value, walls as clear sheets with dark edges, a colour
/// scale and the time. Plane scenes are seen along -z, others obliquely from above with z up.
class Picture {
public:
    /// A DisplayConnection must be held. @param title of the colour scale.
    Picture(int width, int height, const PictureView& view, const std::string& title);
    ~Picture();

    /// @return a PNG file. @throws OutputError when VTK can not draw.
    std::string png(const PictureFrame& frame);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace talus
