#pragma once

#include <vector>

#include "chain.hpp"

namespace talus {

/// A straight path in space seen in the half-plane (rho, height) of an axis: a branch of a hyperbola.
class ProfilePath {
public:
    /// @param radial_from, radial_step part of the start and of the displacement that is perpendicular to the
    /// axis [m]; @param height_from, height_step part along the axis [m]
    ProfilePath(const Vec3& radial_from, const Vec3& radial_step, double height_from, double height_step);

    double rho(double t) const { return (radial_from_ + t * radial_step_).norm(); }
    double height(double t) const { return height_from_ + t * height_step_; }
    Vec2 at(double t) const { return {rho(t), height(t)}; }
    Vec3 radial(double t) const { return radial_from_ + t * radial_step_; }
    double height_step() const { return height_step_; }
    double least_rho() const { return rho(nearest_to_axis_); }

    /// Where the path passes through a line of the half-plane, and from which side.
    struct Passage {
        double t;        ///< in (0, 1]
        bool from_left;  ///< it came from where normal . (y - base) > 0
    };

    /// The passages, at most two, through the endless line through `base` with unit normal `normal`, in
    /// order.
    std::vector<Passage> passages(const Vec2& base, const Vec2& normal) const;

private:
    Vec3 radial_from_, radial_step_;
    double height_from_, height_step_;
    double nearest_to_axis_;  ///< parameter in [0, 1]
};

}  // namespace talus
