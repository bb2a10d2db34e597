#pragma once

#include <memory>
#include <string>

namespace talus {

/// While it lives, what VTK would print on the terminal (warnings and errors of its readers and writers) is
/// kept here instead, so that it can become part of one clear message. VTK has one window for them a process:
/// while a thread has such an object, other threads wait for theirs.
class VtkMessages {
public:
    VtkMessages();
    ~VtkMessages();
    VtkMessages(const VtkMessages&) = delete;
    VtkMessages& operator=(const VtkMessages&) = delete;

    /// What VTK said, on one line; empty if it said nothing.
    std::string text() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace talus
