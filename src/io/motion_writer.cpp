#include "talus/io/motion_writer.hpp"

#include <fmt/format.h>

#include <utility>

#include "collection.hpp"
#include "frame_text.hpp"
#include "talus/io/output_directory.hpp"

namespace talus {
namespace {

std::string motion_file(std::size_t number) {
    return fmt::format("motion_{:06}.vtp", number);
}

}  // namespace

MotionWriter::MotionWriter(std::string directory) : directory_(std::move(directory)) {}

void MotionWriter::write(double time, const std::vector<Vec3>& points,
                         const std::vector<std::vector<Vec3>>& lines) {
    write_file_atomically(fmt::format("{}/{}", directory_, motion_file(times_.size())),
                          motion_text(time, points, lines));
    times_.push_back(time);
    std::vector<CollectionEntry> entries;
    for (std::size_t k = 0; k < times_.size(); ++k) entries.push_back({times_[k], motion_file(k)});
    write_file_atomically(directory_ + "/motion.pvd", collection_text(entries));
}

}  // namespace talus
