#pragma once

#include <memory>

namespace talus {

/// A connection to the X server on $DISPLAY, to be held while anything is drawn. It proves that a server with
/// OpenGL answers: VTK ends the process where none does. And it keeps a server of one program (Xvfb) from
/// starting afresh between two pictures, which it does, deaf for a moment, when its last client leaves.
class DisplayConnection {
public:
    /// @throws InputError that says to use xvfb-run.
    DisplayConnection();
    ~DisplayConnection();
    DisplayConnection(const DisplayConnection&) = delete;
    DisplayConnection& operator=(const DisplayConnection&) = delete;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace talus
