#pragma once

#include <vtkPolyData.h>
#include <vtkSmartPointer.h>

#include <string>
#include <vector>

#include "talus/geometry/wall_shape.hpp"

namespace talus {

/// A frame as it is drawn.
struct PictureFrame {
    double time = 0.0;                   ///< [s]
    bool flat = false;                   ///< a plane scene
    std::vector<Vec3> position;          ///< [m]
    std::vector<double> radius;          ///< [m]
    std::vector<double> value;           ///< what the colours stand for
    vtkSmartPointer<vtkPolyData> walls;  ///< null where the run has none
};

/// What stays the same in all pictures of a run.
struct PictureView {
    bool flat = false;
    bool empty = true;                    ///< nothing was seen yet
    Box box{Vec3::Zero(), Vec3::Zero()};  ///< what the camera looks at [m]
    double low = 0.0, high = 0.0;         ///< values at the ends of the colour scale
};

/// Reads files of FrameWriter. @param color "speed" or the name of a point array; of a vector the length.
/// @param walls empty: none. @throws InputError when a file can not be read or has no such array.
PictureFrame read_picture_frame(const std::string& particles, const std::string& walls,
                                const std::string& color);

/// Widens the box so that the particles, but for a few that flew far away, and the bounded walls are in it.
void widen_box(PictureView& view, const PictureFrame& frame);
/// Widens the colour scale to the values, but for the largest hundredth.
void widen_scale(PictureView& view, const PictureFrame& frame);

/// Heading of the colour scale: name and unit.
std::string color_title(const std::string& color);

}  // namespace talus
