#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "readers.hpp"
#include "talus/io/read_packing.hpp"
#include "wall_shapes.hpp"

namespace talus::reading {

namespace {

using Shapes = std::vector<ShapePtr>;

/// A side of a box: the coordinate and the end that it closes.
struct Face {
    std::string_view name;
    Index axis;
    bool high;
};

std::vector<Face> faces_of_box(int dimension) {
    if (dimension == 2)
        return {{"bottom", 1, false}, {"right", 0, true}, {"top", 1, true}, {"left", 0, false}};
    return {{"left", 0, false}, {"right", 0, true},   {"front", 1, false},
            {"back", 1, true},  {"bottom", 2, false}, {"top", 2, true}};
}

Quad quad_of(const Face& face, const Vec3& low, const Vec3& high) {
    const Index u = (face.axis + 1) % 3, v = (face.axis + 2) % 3;
    Quad quad;
    quad.fill(face.high ? high : low);
    for (std::size_t corner = 0; corner < 4; ++corner) {
        const bool far_u = corner == 1 || corner == 2, far_v = corner >= 2;
        quad[corner][u] = far_u ? high[u] : low[u];
        quad[corner][v] = far_v ? high[v] : low[v];
    }
    return quad;
}

/// The closed sides of a rectangle, in one line where they meet. The faces stand in their order around it.
Shapes sides_of_rectangle(const std::vector<bool>& open, const Vec3& low, const Vec3& high) {
    const std::array<Vec3, 4> corners = {low, Vec3(high[0], low[1], 0.0), high, Vec3(low[0], high[1], 0.0)};
    const auto first_open =
        static_cast<std::size_t>(std::find(open.begin(), open.end(), true) - open.begin());
    if (first_open == 4) return {make_polyline({corners.begin(), corners.end()}, true)};
    Shapes shapes;
    std::vector<Vec3> line;
    for (std::size_t step = 1; step <= 4; ++step) {
        const std::size_t side = (first_open + step) % 4;
        if (!open[side]) {
            if (line.empty()) line.push_back(corners[side]);
            line.push_back(corners[(side + 1) % 4]);
        } else if (!line.empty()) {
            shapes.push_back(make_polyline(line, false));
            line.clear();
        }
    }
    return shapes;
}

Shapes read_box(const Table& table) {
    const int dimension = table.context().dimension;
    const Vec3 low = table.vector("low"), high = table.vector("high");
    for (Index k = 0; k < dimension; ++k) {
        if (low[k] < high[k]) continue;
        fail(table.at("high"),
             fmt::format("expected high > low along {}, found {} and {}", "xyz"[k], high[k], low[k]));
    }
    const std::vector<Face> faces = faces_of_box(dimension);
    std::vector<bool> open(faces.size(), false);
    if (table.has("open")) {
        for (const Node& item : to_array(table.at("open"))) {
            const auto face = std::find_if(faces.begin(), faces.end(), [&](const Face& candidate) {
                return candidate.name == to_text(item);
            });
            if (face == faces.end()) {
                std::vector<std::string_view> names;
                for (const Face& each : faces) names.push_back(each.name);
                fail(item, fmt::format("unknown side '{}'; sides: {}", item.text, join(names)));
            }
            open[static_cast<std::size_t>(face - faces.begin())] = true;
        }
    }
    if (std::find(open.begin(), open.end(), false) == open.end())
        fail(table.at("open"), "a box needs a closed side");
    const bool finite = table.flag("finite", false);
    if (finite && dimension == 2) return sides_of_rectangle(open, low, high);
    Shapes shapes;
    std::vector<Quad> quads;
    for (std::size_t k = 0; k < faces.size(); ++k) {
        if (open[k]) continue;
        const Vec3 inwards = (faces[k].high ? -1.0 : 1.0) * Vec3::Unit(faces[k].axis);
        if (finite) quads.push_back(quad_of(faces[k], low, high));
        if (!finite) shapes.push_back(make_half_space(faces[k].high ? high : low, inwards));
    }
    if (finite) shapes.push_back(mesh_of(quads));
    return shapes;
}

Shapes read_plane(const Table& table) {
    return {make_half_space(table.vector("point", Vec3::Zero()), table.direction("normal"))};
}

Shapes read_segment(const Table& table) {
    const std::vector<Vec3> ends = table.vectors("ends", 2);
    if (ends.size() != 2) fail(table.at("ends"), fmt::format("expected two points, found {}", ends.size()));
    return {make_polyline(ends, false)};
}

Shapes read_polyline(const Table& table) {
    return {make_polyline(table.vectors("points", 2), table.flag("closed", false))};
}

Shapes read_circle(const Table& table) {
    const double radius = table.number("radius", Range::positive());
    return {make_revolved(table.vector("centre", Vec3::Zero()), Vec3::UnitZ(),
                          {{radius, -kForever}, {radius, kForever}})};
}

/// Cylinder and cone: a side between two circles, with caps where asked for.
Shapes read_frustum(const Table& table, double low_radius, double high_radius) {
    enum class Caps { none, bottom, top, both };
    const double height = table.number("height", {.low = kSmallestNumber, .infinite = true});
    const Caps caps = table.choice<Caps>(
        "caps", {{"none", Caps::none}, {"bottom", Caps::bottom}, {"top", Caps::top}, {"both", Caps::both}},
        Caps::none);
    const Vec3 base = table.vector("base", Vec3::Zero());
    const Vec3 axis = table.direction("axis", Vec3::UnitZ());
    if (height == kForever) {
        if (low_radius != high_radius) fail(table.at("height"), "a cone needs a finite height");
        if (caps != Caps::none) fail(table.at("caps"), "a cylinder without end has no caps");
        return {make_revolved(base, axis, {{low_radius, -kForever}, {high_radius, kForever}})};
    }
    std::vector<ProfilePoint> profile = {{low_radius, 0.0}, {high_radius, height}};
    if (low_radius > 0.0 && (caps == Caps::bottom || caps == Caps::both))
        profile.insert(profile.begin(), {0.0, 0.0});
    if (high_radius > 0.0 && (caps == Caps::top || caps == Caps::both)) profile.push_back({0.0, height});
    return {make_revolved(base, axis, profile)};
}

Shapes read_cylinder(const Table& table) {
    const double radius = table.number("radius", Range::positive());
    return read_frustum(table, radius, radius);
}

Shapes read_cone(const Table& table) {
    const double low = table.number("radius", Range::from(0.0));
    const double high = table.number("top_radius", Range::from(0.0));
    if (low == 0.0 && high == 0.0) fail(table.at("top_radius"), "a cone needs a radius > 0 at one end");
    return read_frustum(table, low, high);
}

Shapes read_disc(const Table& table) {
    const double radius = table.number("radius", Range::positive());
    return {make_revolved(table.vector("centre", Vec3::Zero()), table.direction("normal", Vec3::UnitZ()),
                          {{0.0, 0.0}, {radius, 0.0}})};
}

/// Two lengths, along and across.
std::array<double, 2> read_size(const Table& table, std::string_view key) {
    const std::vector<double> size = table.numbers(key, Range::positive(), 2);
    if (size.size() != 2) fail(table.at(key), fmt::format("expected two lengths, found {}", size.size()));
    return {size[0], size[1]};
}

Shapes read_round_plate(const Table& table, const Vec3& centre, const Vec3& normal) {
    const double outer = table.number("radius", Range::positive());
    const double orifice = table.number("orifice_radius", Range::from(0.0), 0.0);
    if (!(orifice < outer))
        fail(table.at("orifice_radius"), fmt::format("expected less than radius = {}", outer));
    for (const char* key : {"size", "slot", "along"}) {
        if (table.has(key))
            fail(table.at(key), "a plate has 'radius' (round) or 'size' (rectangular), not both");
    }
    return {make_revolved(centre, normal, {{orifice, 0.0}, {outer, 0.0}})};
}

/// A plate is round with a round orifice, or rectangular with a slot.
Shapes read_plate(const Table& table) {
    const Vec3 centre = table.vector("centre", Vec3::Zero());
    const Vec3 normal = table.direction("normal", Vec3::UnitZ());
    if (table.has("radius")) return read_round_plate(table, centre, normal);
    if (!table.has("size"))
        fail(table.node(), "'radius' (round plate) or 'size' (rectangular plate) is missing");
    if (table.has("orifice_radius"))
        fail(table.at("orifice_radius"), "a rectangular plate has a 'slot' = [a, b]");
    const auto frame =
        located(table.node(), [&] { return frame_across(normal, table.direction("along", Vec3::UnitX())); });
    const auto [a, b] = read_size(table, "size");
    const auto at = [&](double u, double v) -> Vec3 { return centre + u * frame[0] + v * frame[1]; };
    const auto rectangle = [&](double u0, double u1, double v0, double v1) -> Quad {
        return {at(u0, v0), at(u1, v0), at(u1, v1), at(u0, v1)};
    };
    const double u = 0.5 * a, v = 0.5 * b;
    if (!table.has("slot")) return {mesh_of({rectangle(-u, u, -v, v)})};
    const auto [slot_a, slot_b] = read_size(table, "slot");
    if (!(slot_a < a && slot_b < b)) fail(table.at("slot"), "expected a slot smaller than the plate");
    const double s = 0.5 * slot_a, t = 0.5 * slot_b;
    // Nine fields without the middle one, so that triangles meet at common corners.
    return {mesh_of({rectangle(-u, -s, -v, -t), rectangle(-s, s, -v, -t), rectangle(s, u, -v, -t),
                     rectangle(-u, -s, -t, t), rectangle(s, u, -t, t), rectangle(-u, -s, t, v),
                     rectangle(-s, s, t, v), rectangle(s, u, t, v)})};
}

Shapes read_mesh(const Table& table) {
    TriangleSoup soup = located(table.at("path"),
                                [&] { return read_stl(resolve_path(table.text("path"), table.context())); });
    const double scale = table.number("scale", Range::positive(), 1.0);
    const Vec3 shift = table.vector("translate", Vec3::Zero());
    for (Vec3& point : soup.points) point = scale * point + shift;
    const bool computable = std::all_of(soup.points.begin(), soup.points.end(), [](const Vec3& point) {
        return point.cwiseAbs().maxCoeff() <= kLargestNumber;
    });
    if (!computable) fail(table.node(), fmt::format("the mesh reaches beyond {:g} m", kLargestNumber));
    return {make_triangle_mesh(soup.points, soup.triangles)};
}

/// A kind of wall: its keys beside the common ones, the dimensions it exists in (0: both), its reader.
struct WallKind {
    std::string_view name;
    int dimension;
    std::vector<std::string_view> keys;
    Shapes (*read)(const Table&);
};

const std::vector<WallKind>& wall_kinds() {
    static const std::vector<WallKind> kinds = {
        {"plane", 0, {"point", "normal"}, read_plane},
        {"box", 0, {"low", "high", "open", "finite"}, read_box},
        {"segment", 2, {"ends"}, read_segment},
        {"polyline", 2, {"points", "closed"}, read_polyline},
        {"circle", 2, {"centre", "radius"}, read_circle},
        {"cylinder", 3, {"base", "axis", "radius", "height", "caps"}, read_cylinder},
        {"cone", 3, {"base", "axis", "radius", "top_radius", "height", "caps"}, read_cone},
        {"disc", 3, {"centre", "normal", "radius"}, read_disc},
        {"plate", 3, {"centre", "normal", "radius", "orifice_radius", "size", "slot", "along"}, read_plate},
        {"mesh", 3, {"path", "scale", "translate"}, read_mesh},
        // Its reader has more to give (gate, inside): read_entry calls it.
        {"hopper",
         0,
         {"shape", "outlet", "outlet_radius", "outlet_width", "radius", "width", "half_angle_deg",
          "bin_height", "depth", "opens"},
         nullptr}};
    return kinds;
}

const WallKind& kind_of_wall(const Node& node, const Context& context) {
    std::vector<std::string_view> names;
    for (const WallKind& kind : wall_kinds()) names.push_back(kind.name);
    const std::string& name = kind_of(node, names);
    const WallKind& kind = *std::find_if(wall_kinds().begin(), wall_kinds().end(),
                                         [&](const WallKind& candidate) { return candidate.name == name; });
    if (kind.dimension != 0 && kind.dimension != context.dimension) {
        fail(*node.find("kind"), fmt::format("a {} exists in {}-D only, and dimension = {}", name,
                                             kind.dimension, context.dimension));
    }
    return kind;
}

void check_name(const Table& table, const std::string& name, const Scene& scene) {
    const Node& node = table.has("name") ? table.at("name") : table.node();
    if (name.empty()) fail(node, "expected a name, found an empty text");
    const bool wall = std::any_of(scene.walls.begin(), scene.walls.end(),
                                  [&](const Wall& other) { return other.name == name; });
    if (wall) fail(node, fmt::format("the name '{}' is taken by another wall", name));
    if (table.context().groups.count(name) > 0) {
        fail(node,
             fmt::format("the name '{}' is taken by a group; a restitution pair could not tell them apart",
                         name));
    }
}

/// What the entries share: name, motion, times.
Wall read_common(const Table& table, std::size_t number, const Scene& scene) {
    Wall wall;
    wall.name = table.text("name", fmt::format("wall{}", number));
    check_name(table, wall.name, scene);
    if (const Node* motion = table.find("motion")) wall.motion = read_motion(*motion, table.context());
    wall.from = table.number("from", Range::unbounded(), wall.from);
    wall.until = table.number("until", Range::unbounded(), wall.until);
    if (!(wall.until > wall.from)) {
        const bool ends = table.has("until");
        fail(table.at(ends ? "until" : "from"),
             fmt::format("expected a time {} {} = {}, found {}", ends ? "after" : "before",
                         ends ? "from" : "until", ends ? wall.from : wall.until,
                         ends ? wall.until : wall.from));
    }
    return wall;
}

void add_hopper(const Table& table, Wall wall, HopperSpaces& hoppers, Scene& scene) {
    ShapePtr gate;
    std::optional<Region> space;
    for (ShapePtr& shape : read_hopper(table, gate, space)) {
        wall.shape = std::move(shape);
        scene.walls.push_back(wall);
    }
    if (space.has_value()) hoppers.emplace(wall.name, *space);
    if (!table.has("opens")) return;
    const double opens = table.number("opens", Range::unbounded());
    wall.name += ".gate";
    wall.shape = gate;
    wall.until = opens;
    if (!(wall.until > wall.from))
        fail(table.at("opens"), fmt::format("expected a time after from = {}, found {}", wall.from, opens));
    check_name(table, wall.name, scene);
    read_surface(table, wall.name, scene);
    scene.walls.push_back(wall);
}

void read_entry(const Node& node, std::size_t number, const Context& context, HopperSpaces& hoppers,
                Scene& scene) {
    const WallKind& kind = kind_of_wall(node, context);
    std::vector<std::string_view> keys = {"kind",  "name",     "motion",          "from",
                                          "until", "friction", "rolling_friction"};
    keys.insert(keys.end(), kind.keys.begin(), kind.keys.end());
    const Table table(node, context, keys);
    Wall wall = read_common(table, number, scene);
    read_surface(table, wall.name, scene);
    if (kind.read == nullptr) return add_hopper(table, wall, hoppers, scene);
    for (ShapePtr& shape : kind.read(table)) {
        wall.shape = std::move(shape);
        scene.walls.push_back(wall);
    }
}

}  // namespace

void read_walls(const Node& root, const Context& context, HopperSpaces& hoppers, Scene& scene) {
    const std::vector<Node>& walls = entries(root, "wall");
    for (std::size_t k = 0; k < walls.size(); ++k) {
        try {
            read_entry(walls[k], k, context, hoppers, scene);
        } catch (const std::invalid_argument& error) {
            fail(walls[k], error.what());  // the geometry refuses what describes no wall
        }
    }
}

}  // namespace talus::reading
