#pragma once

#include "talus/geometry/wall_shape.hpp"

namespace talus {

/// Where a picture is taken from.
struct CameraPlace {
    Vec3 position, target, up;
    double near = 0.0, far = 0.0;  ///< distances between which things are drawn [m]
    double view_angle = 0.0;   ///< between the lower and the upper border [deg]; 0 for parallel projection
    double half_height = 0.0;  ///< of the picture, for parallel projection [m]
};

/// Share of the picture that the box may fill, from the middle to the border; the rest is for the texts.
struct PictureRoom {
    double across = 0.8, upwards = 0.84;  ///< in (0, 1]
};

/// The closest place from which the whole box is seen within `room`: in a plane scene straight along -z in
/// parallel projection, otherwise obliquely from above, with z up. @param aspect width over height.
CameraPlace place_camera(const Box& box, bool flat, double aspect, const PictureRoom& room);

}  // namespace talus
