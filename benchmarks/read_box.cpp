#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>

#include "boxes.hpp"
#include "talus/core/error.hpp"
#include "talus/io/read_packing.hpp"

namespace talus::bench {

namespace {

namespace fs = std::filesystem;

/// Removes a file at the end.
struct Scratch {
    fs::path path = fs::temp_directory_path() / fmt::format("talus-bench-{}.csv", getpid());

    Scratch() = default;
    ~Scratch() {
        std::error_code gone;
        fs::remove(path, gone);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
};

/// Plain files are copied, packed ones unpacked: zlib reads both.
void unpack(const std::string& from, const fs::path& to) {
    const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(from.c_str(), "rb"), gzclose);
    std::ofstream out(to, std::ios::binary);
    std::array<char, 1 << 16> buffer{};
    int count = 1;
    while (file && count > 0) {
        count = gzread(file.get(), buffer.data(), buffer.size());
        if (count > 0) out.write(buffer.data(), count);
    }
    if (!file || count < 0 || !out.flush()) {
        throw InputError(fmt::format("{}: can not be read or unpacked", from));
    }
}

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
    const Scratch scratch;
    unpack(fs::is_regular_file(plain) ? plain : plain + ".gz", scratch.path);
    const Packing packing = read_packing(scratch.path.string());
    const double width = kWidthOfThousand * std::cbrt(particles / 1000.0);
    Box box = empty_box(width, width);
    Particles& spheres = box.system.particles;
    for (std::size_t k = 0; k < packing.position.size(); ++k) {
        const double r = packing.radius[k];
        spheres.add({static_cast<ParticleId>(k), packing.position[k], Vec3::Zero(), r, r * r * r});
    }
    bring_to_rest(box.system);
    return box;
}

}  // namespace talus::bench
