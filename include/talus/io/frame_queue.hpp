#pragma once

#include <memory>

#include "talus/io/frame_writer.hpp"

namespace talus {

/// Writes frames in a thread of its own, in the order in which they were pushed, so that the steps go on
/// meanwhile: pushing costs a copy of what the frame shows. Files and their order are those of FrameWriter.
///
/// It is the one thread beside those of core/parallel.hpp: it waits for discs, which no compute loop should.
/// It enters no parallel loop and gets no signals.
class FrameQueue {
public:
    /// Frames in memory: one that is being written, one that waits. That is enough to keep the disc busy;
    /// more would take memory only to delay the moment at which the steps have to wait for it.
    static constexpr int kFrames = 2;

    /// Starts the thread. @throws OutputError when there can be none.
    explicit FrameQueue(FrameWriter writer);
    /// Writes the frames that were pushed, errors aside: see finish().
    ~FrameQueue();
    FrameQueue(const FrameQueue&) = delete;
    FrameQueue& operator=(const FrameQueue&) = delete;

    /// Hands over the state as the next frame; waits while kFrames others are not written. Arguments and
    /// errors as of Frame::take, errors also as of check().
    void push(const System& system, const ContactList& contacts, double time_step);
    /// @throws what stopped the thread, such as the OutputError of FrameWriter::write; then the frame at
    /// which that happened and all after it are not written.
    void check() const;
    /// Waits until every frame is in its files. @throws as check().
    void finish();

    int frames() const;      ///< written so far
    double seconds() const;  ///< that the thread has spent writing them [s]

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace talus
