#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "boxes.hpp"
#include "talus/core/error.hpp"
#include "talus/io/read_packing.hpp"

namespace talus::bench {

namespace {

namespace fs = std::filesystem;

std::string file_of(const std::string& directory, int particles) {
    return fmt::format("{}/box_{}k.csv", directory, particles / 1000);
}

}  // namespace

bool has_box(const std::string& directory, int particles) {
    const std::string plain = file_of(directory, particles);
    return particles % 1000 == 0 && (fs::is_regular_file(plain) || fs::is_regular_file(plain + ".gz"));
}

Box read_box(const std::string& directory, int particles) {
    constexpr double kWidthOfThousand = 20.6;
    const std::string plain = file_of(directory, particles);
    if (!has_box(directory, particles)) {
        throw InputError(
            fmt::format("no box of {} spheres in {} (it would be {} or the same with .gz); sizes are "
                        "given by --particles, those above --tile are made of that box",
                        particles, directory, plain));
    }
    const Packing packing = read_packing(fs::is_regular_file(plain) ? plain : plain + ".gz");
    const double width = kWidthOfThousand * std::cbrt(particles / 1000.0);
    Box box = empty_box(width, width);
    Particles& spheres = box.system.particles;
    for (std::size_t k = 0; k < packing.position.size(); ++k) {
        const double r = packing.radius[k];
        const Vec3& q = packing.position[k];
        // The files' free surface is at the top of y: x and z reach from wall to wall, y does not.
        const Vec3 upright(q.z(), q.x(), q.y());
        spheres.add({static_cast<ParticleId>(k), upright, Vec3::Zero(), r, r * r * r});
    }
    bring_to_rest(box.system);
    return box;
}

}  // namespace talus::bench
