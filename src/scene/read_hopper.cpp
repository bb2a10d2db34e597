#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "readers.hpp"
#include "wall_shapes.hpp"

namespace talus::reading {

namespace {

/// A hopper in its symmetry plane: half-widths (radii) and heights above the outlet [m].
struct Silhouette {
    Vec3 outlet;               ///< centre of the outlet
    double outlet_half = 0.0;  ///< of the outlet
    double bin_half = 0.0;     ///< of the bin
    double shoulder = 0.0;     ///< height at which the inclined wall meets the bin; 0: flat bottom
    double top = 0.0;          ///< upper end of the bin

    std::vector<std::pair<double, double>> profile() const {
        return {{outlet_half, 0.0}, {bin_half, shoulder}, {bin_half, top}};
    }
};

Silhouette read_silhouette(const Table& table, bool flat, bool round) {
    const char* outlet_key = round ? "outlet_radius" : "outlet_width";
    const char* bin_key = round ? "radius" : "width";
    const double half = round ? 1.0 : 0.5;
    Silhouette shape;
    shape.outlet = table.vector("outlet", Vec3::Zero());
    shape.outlet_half = half * table.number(outlet_key, Range::positive());
    shape.bin_half = half * table.number(bin_key, Range::positive());
    if (!(shape.outlet_half < shape.bin_half)) {
        fail(table.at(outlet_key), fmt::format("expected an outlet smaller than the bin: {} < {}, found {}",
                                               outlet_key, bin_key, shape.outlet_half / half));
    }
    if (!flat) {
        const double angle =
            table.number("half_angle_deg", Range::inside(0.0, 90.0)) * std::numbers::pi / 180.0;
        shape.shoulder = (shape.bin_half - shape.outlet_half) / std::tan(angle);
        if (shape.shoulder > kLargestNumber) {
            fail(table.at("half_angle_deg"),
                 fmt::format("the inclined wall would be {:g} m high; expected a larger angle",
                             shape.shoulder));
        }
    }
    shape.top = shape.shoulder + table.number("bin_height", Range::positive());
    return shape;
}

std::vector<ProfilePoint> as_profile(const Silhouette& shape) {
    std::vector<ProfilePoint> points;
    for (const auto& [rho, height] : shape.profile()) points.push_back({rho, height});
    return points;
}

Region space_inside(const Silhouette& shape, const Vec3& axis) {
    Region region;
    region.kind = Region::Kind::revolved;
    region.origin = shape.outlet;
    region.axis = axis;
    region.profile = shape.profile();
    return region;
}

std::vector<ShapePtr> round_hopper(const Silhouette& shape, ShapePtr& gate) {
    gate = make_revolved(shape.outlet, Vec3::UnitZ(), {{0.0, 0.0}, {shape.outlet_half, 0.0}});
    return {make_revolved(shape.outlet, Vec3::UnitZ(), as_profile(shape))};
}

std::vector<ShapePtr> plane_hopper(const Silhouette& shape, ShapePtr& gate) {
    std::vector<ShapePtr> sides;
    for (const double side : {-1.0, 1.0}) {
        std::vector<Vec3> points;
        for (const auto& [half, height] : shape.profile())
            points.emplace_back(shape.outlet + Vec3(side * half, height, 0.0));
        sides.push_back(make_polyline(points, false));
    }
    const Vec3 half(shape.outlet_half, 0.0, 0.0);
    gate = make_polyline({shape.outlet - half, shape.outlet + half}, false);
    return sides;
}

/// A trough along y: two inclined sides with their vertical walls, and two ends.
std::vector<ShapePtr> trough_hopper(const Silhouette& shape, double depth, ShapePtr& gate) {
    const auto at = [&](double x, double y, double z) -> Vec3 { return shape.outlet + Vec3(x, y, z); };
    const double back = 0.5 * depth, o = shape.outlet_half, b = shape.bin_half;
    std::vector<Quad> quads;
    for (const double s : {-1.0, 1.0}) {
        const double low = shape.shoulder, high = shape.top;
        quads.push_back(
            {at(s * o, -back, 0), at(s * o, back, 0), at(s * b, back, low), at(s * b, -back, low)});
        quads.push_back(
            {at(s * b, -back, low), at(s * b, back, low), at(s * b, back, high), at(s * b, -back, high)});
        const double y = s * back;  // an end: inclined part below the shoulder, rectangle above
        if (low > 0.0) quads.push_back({at(-o, y, 0), at(o, y, 0), at(b, y, low), at(-b, y, low)});
        quads.push_back({at(-b, y, low), at(b, y, low), at(b, y, high), at(-b, y, high)});
    }
    gate = mesh_of({{at(-o, -back, 0), at(o, -back, 0), at(o, back, 0), at(-o, back, 0)}});
    return {mesh_of(quads)};
}

}  // namespace

std::vector<ShapePtr> read_hopper(const Table& table, ShapePtr& gate, std::optional<Region>& space) {
    enum class Form { conical, wedge, flat };
    const bool plane = table.context().dimension == 2;
    const Form form =
        plane ? table.choice<Form>("shape", {{"wedge", Form::wedge}, {"flat", Form::flat}})
              : table.choice<Form>(
                    "shape", {{"conical", Form::conical}, {"wedge", Form::wedge}, {"flat", Form::flat}});
    const bool trough = !plane && (form == Form::wedge || table.has("depth"));
    const bool round = !plane && !trough;
    const auto refuse = [&](const char* key, bool refused, const char* reason) {
        if (refused && table.has(key)) fail(table.at(key), reason);
    };
    refuse("depth", plane, "a hopper in 2-D has no depth; leave the key out");
    refuse("depth", form == Form::conical,
           "a conical hopper has no depth; leave the key out, or take shape = \"wedge\"");
    refuse("half_angle_deg", form == Form::flat, "a flat bottom has no angle; leave the key out");
    const char* no_radius =
        plane ? "a hopper in 2-D has 'width' and 'outlet_width', no radius"
              : "a trough (wedge, or flat with a 'depth') has 'width' and 'outlet_width', no radius";
    const char* no_width = form == Form::flat ? "a round hopper has 'radius' and 'outlet_radius', no width; "
                                                "a flat one with a 'depth' is a trough"
                                              : "a conical hopper has 'radius' and 'outlet_radius', no width";
    for (const char* key : {"radius", "outlet_radius"}) refuse(key, !round, no_radius);
    for (const char* key : {"width", "outlet_width"}) refuse(key, round, no_width);
    const Silhouette shape = read_silhouette(table, form == Form::flat, round);
    if (trough) return trough_hopper(shape, table.number("depth", Range::positive()), gate);
    space = space_inside(shape, plane ? Vec3::UnitY() : Vec3::UnitZ());
    return plane ? plane_hopper(shape, gate) : round_hopper(shape, gate);
}

}  // namespace talus::reading
