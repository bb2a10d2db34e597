#pragma once

#include <memory>
#include <string>

#include "talus/io/frame.hpp"

namespace talus {

struct FrameOptions {
    bool contacts = true;
    bool walls = true;
    bool rotation = false;  ///< arrays of rotation and friction, in every frame: see has_rotation()
};

/// Writes frames that open in ParaView: particles_000123.vtp, contacts_000123.vtp, walls_000123.vtp and the
/// collections particles.pvd, contacts.pvd, walls.pvd. Every file is written under a temporary name and
/// renamed, a collection only after its frame is complete: what is there is valid at any moment, also after
/// kill -9.
class FrameWriter {
public:
    /// @param directory exists and is empty of talus frames (see prepare_output_directory).
    FrameWriter(std::string directory, const FrameOptions& options);
    ~FrameWriter();
    FrameWriter(FrameWriter&&) noexcept;

    /// Writes the next frame, with rotation where the frame has it. @throws OutputError naming the file; the
    /// collections do not list a file that is not complete.
    void write(const Frame& frame);
    /// Writes the state as the next frame; arguments and errors as of Frame::take.
    void write(const System& system, const ContactList& contacts, double time_step);

    int frames() const;  ///< written so far
    const FrameOptions& options() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace talus
