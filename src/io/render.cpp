#include "talus/io/render.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "collection.hpp"
#include "display.hpp"
#include "picture.hpp"
#include "talus/core/error.hpp"
#include "talus/io/output_directory.hpp"

namespace talus {
namespace {

namespace fs = std::filesystem;

constexpr int kLargestPicture =
    8000;  ///< [pixels]; drawn at twice the size, the limit of many drivers is 16384

/// Frames of a directory of results.
class Frames {
public:
    Frames(const std::string& directory, std::string color)
        : directory_(directory),
          color_(std::move(color)),
          particles_(read_collection(path("particles.pvd"))) {
        if (particles_.empty()) throw InputError(fmt::format("{}: holds no frames", path("particles.pvd")));
        std::error_code none;
        if (fs::exists(path("walls.pvd"), none)) walls_ = read_collection(path("walls.pvd"));
    }

    std::size_t count() const { return particles_.size(); }
    PictureFrame read(std::size_t k) const {
        PictureFrame frame =
            read_picture_frame(path(particles_[k].file), walls_at(particles_[k].time), color_);
        frame.time = particles_[k].time;
        return frame;
    }
    /// Where the picture of frame k belongs: particles_000123.vtp gives picture_000123.png.
    std::string picture_path(std::size_t k) const {
        const std::string stem = fs::path(particles_[k].file).stem().string();
        return path("picture" + stem.substr(std::min(stem.size(), stem.rfind('_'))) + ".png");
    }

private:
    std::string path(const std::string& name) const { return (fs::path(directory_) / name).string(); }
    /// A run that was killed may have listed its last frame for the particles only.
    std::string walls_at(double time) const {
        const auto entry = std::find_if(walls_.begin(), walls_.end(),
                                        [time](const CollectionEntry& e) { return e.time == time; });
        return entry == walls_.end() ? std::string() : path(entry->file);
    }

    std::string directory_, color_;
    std::vector<CollectionEntry> particles_, walls_;
};

void check_options(const RenderOptions& options) {
    for (const int size : {options.width, options.height}) {
        if (size < 1 || size > kLargestPicture) {
            throw InputError(
                fmt::format("a picture of {} x {} pixels can not be drawn; width and height are from 1 to {}",
                            options.width, options.height, kLargestPicture));
        }
    }
}

/// One camera and one scale for every picture, so that a film neither shakes nor flickers.
PictureView common_view(const Frames& frames, std::size_t begin) {
    PictureView view;
    if (begin > 0) widen_box(view, frames.read(0));
    for (std::size_t k = begin; k < frames.count(); ++k) {
        const PictureFrame frame = frames.read(k);
        widen_box(view, frame);
        widen_scale(view, frame);
    }
    return view;
}

}  // namespace

std::vector<std::string> render(const std::string& directory, const std::string& out,
                                const RenderOptions& options) {
    check_options(options);
    const Frames frames(directory, options.color);
    const std::size_t begin = options.all_frames ? 0 : frames.count() - 1;
    const PictureView view = common_view(frames, begin);

    // Only now: a file that can not be read is the user's first concern, with a screen or without.
    const DisplayConnection display;
    Picture picture(options.width, options.height, view, color_title(options.color));
    std::vector<std::string> written;
    for (std::size_t k = begin; k < frames.count(); ++k) {
        written.push_back(options.all_frames ? frames.picture_path(k) : out);
        write_file_atomically(written.back(), picture.png(frames.read(k)));
    }
    return written;
}

}  // namespace talus
