#include "io/support.hpp"

#include <stdlib.h>  // mkdtemp is POSIX, not in <cstdlib>
#include <sys/mount.h>

#include <algorithm>
#include <clocale>
#include <cmath>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace talus::test {
namespace {

/// The solid z <= 0, drawn as two triangles that fill the view.
class Floor : public WallShape {
public:
    double distance(const Vec3& x) const override { return x.z(); }
    void tangents(const Vec3&, const Vec3&, double, std::vector<Tangent>&) const override {}
    bool crosses(const Vec3&, const Vec3&) const override { return false; }
    std::optional<Tangent> violated(const Vec3&, const Vec3&, double, double) const override { return {}; }
    DrawnSurface draw(const Box& view) const override {
        const Vec3 &a = view.low, &b = view.high;
        return {{{a.x(), a.y(), 0.0}, {b.x(), a.y(), 0.0}, {b.x(), b.y(), 0.0}, {a.x(), b.y(), 0.0}},
                {{0, 1, 2}, {0, 2, 3}},
                {}};
    }
    Box bounds() const override { return {Vec3::Zero(), Vec3::Zero()}; }
};

/// One triangle in the plane x = -3 and its border.
class Plate : public WallShape {
public:
    double distance(const Vec3& x) const override { return std::abs(x.x() + 3.0); }
    void tangents(const Vec3&, const Vec3&, double, std::vector<Tangent>&) const override {}
    bool crosses(const Vec3&, const Vec3&) const override { return false; }
    std::optional<Tangent> violated(const Vec3&, const Vec3&, double, double) const override { return {}; }
    DrawnSurface draw(const Box&) const override {
        return {{{-3, 0, 0}, {-3, 1, 0}, {-3, 0, 1}}, {{0, 1, 2}}, {{0, 1}, {1, 2}, {2, 0}}};
    }
    Box bounds() const override { return {Vec3(-3, 0, 0), Vec3(-3, 1, 1)}; }
};

struct CommaNumbers : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};

}  // namespace

TemporaryDirectory::TemporaryDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "talus-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary directory");
    path_ = name;
}

TemporaryDirectory::~TemporaryDirectory() {
    std::error_code none;
    std::filesystem::remove_all(path_, none);
}

std::string TemporaryDirectory::write(const std::string& name, const std::string& content) const {
    std::ofstream(file(name), std::ios::binary) << content;
    return file(name);
}

std::vector<std::string> TemporaryDirectory::names() const {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
        found.push_back(entry.path().filename().string());
    }
    std::sort(found.begin(), found.end());
    return found;
}

SmallDisc::SmallDisc(const std::string& directory, int kilobytes)
    : directory_(directory),
      mounted_(::mount("tmpfs", directory.c_str(), "tmpfs", 0,
                       ("size=" + std::to_string(kilobytes) + "k").c_str()) == 0) {}

SmallDisc::~SmallDisc() {
    if (mounted_) ::umount(directory_.c_str());
}

DecimalCommas::DecimalCommas() : before_(std::locale::global(std::locale(std::locale(), new CommaNumbers))) {
    std::setlocale(LC_NUMERIC, "de_DE.UTF-8");
}

DecimalCommas::~DecimalCommas() {
    std::locale::global(before_);
    std::setlocale(LC_NUMERIC, "C");
}

std::string text_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void set_spinning(System& system) {
    for (std::size_t i = 0; i < system.particles.id.size(); ++i) {
        const double angle = 0.1 + 0.3 * static_cast<double>(i);
        system.particles.orientation[i] =
            Quaternion(std::cos(angle), 0.6 * std::sin(angle), 0.0, 0.8 * std::sin(angle));
        system.particles.angular_velocity[i] = Vec3(angle, -1.0 / 3.0, 1e-300);
    }
}

System three_spheres() {
    System system;
    system.time = 0.025;
    Particles& p = system.particles;
    p.id = {7, 9, 12};
    p.position = {{-1.0, 0.0, 1.5}, {0.1, 0.0, 0.6}, {1.0 / 3.0, 0.0, 2.0}};
    p.velocity = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    p.orientation.assign(3, Quaternion::Identity());
    p.angular_velocity.assign(3, Vec3::Zero());
    p.radius = {0.5, 0.6, 0.7};
    p.reference_radius = p.radius;
    p.mass = {1.0, 1.1, 1.2};
    p.reference_mass = p.mass;
    p.inverse_inertia.assign(3, 0.0);
    p.inverse_mass = {1.0, 1.0 / 1.1, 0.0};
    p.group = {0, 1, 1};
    system.walls.resize(2);
    system.walls[0].shape = std::make_shared<Floor>();
    system.walls[1].shape = std::make_shared<Plate>();
    return system;
}

ContactList three_contacts() {
    const auto contact = [](Index i, Index j, std::int32_t wall, const Vec3& normal, double impulse) {
        Contact c{};
        c.i = i;
        c.j = j;
        c.wall = wall;
        c.normal = normal;
        c.impulse = impulse;
        return c;
    };
    const Vec3 x = Vec3::UnitX(), down = -Vec3::UnitZ();
    ContactList contacts = {contact(0, 1, -1, x, 1.0), contact(0, 2, -1, x, 0.0), contact(1, 2, -1, x, 2.0),
                            contact(1, -1, 0, down, 3.0)};
    for (std::size_t c = 0; c < contacts.size(); ++c) {
        contacts[c].tangential = static_cast<double>(c) * Vec3(1, 2, 3);
        contacts[c].sliding = c % 2 == 1;
    }
    return contacts;
}

}  // namespace talus::test
