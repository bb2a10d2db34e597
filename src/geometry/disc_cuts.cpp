#include "disc_cuts.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace talus {

namespace {

/// Area of the segment of a disc beyond a line at a signed distance from its centre, at most the radius.
double segment_area(double radius, double distance) {
    const double half_chord = std::sqrt((radius - distance) * (radius + distance));
    return radius * radius * std::acos(distance / radius) - distance * half_chord;
}

/// Area of the part of a disc about the origin with coordinates less than x and y.
double area_below(double radius, double x, double y) {
    x = std::clamp(x, -radius, radius);
    y = std::clamp(y, -radius, radius);
    const double disc = std::numbers::pi * radius * radius;
    if (x * x + y * y >= radius * radius) {  // the corner lies outside: the two lines do not meet in the disc
        if (x < 0.0 && y < 0.0) return 0.0;
        if (x < 0.0) return segment_area(radius, -x);
        if (y < 0.0) return segment_area(radius, -y);
        return disc - segment_area(radius, x) - segment_area(radius, y);
    }
    // A quarter, and from each line to the parallel one through the centre half a strip; x y is in both or
    // none.
    const auto half_strip = [&](double d) { return 0.25 * disc - 0.5 * segment_area(radius, d); };
    return 0.25 * disc + half_strip(x) + half_strip(y) + x * y;
}

}  // namespace

double disc_in_rectangle(double radius, double left, double right, double low, double high) {
    if (radius <= 0.0) return 0.0;
    const double area = area_below(radius, right, high) - area_below(radius, left, high) -
                        area_below(radius, right, low) + area_below(radius, left, low);
    return std::max(0.0, area);
}

double disc_in_disc(double radius, double other_radius, double distance) {
    if (distance >= radius + other_radius) return 0.0;
    const double smaller = std::min(radius, other_radius);
    if (distance <= std::abs(radius - other_radius)) return std::numbers::pi * smaller * smaller;
    // The common chord is at this distance from the centre of the first disc.
    const double chord = 0.5 * (distance + (radius - other_radius) * (radius + other_radius) / distance);
    return segment_area(radius, std::clamp(chord, -radius, radius)) +
           segment_area(other_radius, std::clamp(distance - chord, -other_radius, other_radius));
}

}  // namespace talus
