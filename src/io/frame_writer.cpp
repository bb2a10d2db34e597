#include "talus/io/frame_writer.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "collection.hpp"
#include "frame_text.hpp"
#include "talus/core/error.hpp"
#include "talus/io/output_directory.hpp"
#include "wall_drawing.hpp"

namespace talus {
namespace {

enum Part { kParticles, kContacts, kWalls, kPartCount };
constexpr std::array<const char*, kPartCount> kNames = {"particles", "contacts", "walls"};

}  // namespace

struct FrameWriter::Impl {
    std::filesystem::path directory;
    FrameOptions options;
    std::optional<WallDrawing> walls;
    std::array<std::vector<CollectionEntry>, kPartCount> collections;
    int frames = 0;

    bool wanted(int part) const {
        return part == kParticles || (part == kContacts ? options.contacts : options.walls);
    }
    std::string path(const std::string& name) const { return (directory / name).string(); }
    std::string frame_name(int part) const { return fmt::format("{}_{:06}.vtp", kNames[part], frames); }
    std::string text(int part, const Frame& frame);
    void list(int part, double time);
};

std::string FrameWriter::Impl::text(int part, const Frame& frame) {
    if (part == kParticles) return particles_text(frame);
    if (part == kContacts) return contacts_text(frame);
    if (!walls) walls.emplace(frame);
    return walls_text(frame, walls->at(frame));
}

void FrameWriter::Impl::list(int part, double time) {
    std::vector<CollectionEntry>& entries = collections[static_cast<std::size_t>(part)];
    // A write that failed at a later collection may be tried again.
    if (!entries.empty() && entries.back().file == frame_name(part)) entries.pop_back();
    entries.push_back({time, frame_name(part)});
    try {
        write_file_atomically(path(fmt::format("{}.pvd", kNames[part])), collection_text(entries));
    } catch (const OutputError&) {
        entries.pop_back();
        throw;
    }
}

FrameWriter::FrameWriter(std::string directory, const FrameOptions& options)
    : impl_(std::make_unique<Impl>()) {
    impl_->directory = std::move(directory);
    impl_->options = options;
}

FrameWriter::~FrameWriter() = default;
FrameWriter::FrameWriter(FrameWriter&&) noexcept = default;

void FrameWriter::write(const System& system, const ContactList& contacts, double time_step) {
    Frame frame;
    frame.take(system, contacts, time_step, impl_->options.rotation);
    write(frame);
}

void FrameWriter::write(const Frame& frame) {
    std::array<bool, kPartCount> unlisted{};
    try {
        for (int part = 0; part < kPartCount; ++part) {
            if (!impl_->wanted(part)) continue;
            write_file_atomically(impl_->path(impl_->frame_name(part)), impl_->text(part, frame));
            unlisted[part] = true;
        }
        for (int part = 0; part < kPartCount; ++part) {
            if (!unlisted[part]) continue;
            impl_->list(part, frame.time);
            unlisted[part] = false;
        }
    } catch (const OutputError&) {
        // Files that no collection lists are no results: a later run would trip over them.
        for (int part = 0; part < kPartCount; ++part) {
            std::error_code none;
            if (unlisted[part]) std::filesystem::remove(impl_->path(impl_->frame_name(part)), none);
        }
        throw;
    }
    ++impl_->frames;
}

int FrameWriter::frames() const {
    return impl_->frames;
}

const FrameOptions& FrameWriter::options() const {
    return impl_->options;
}

}  // namespace talus
