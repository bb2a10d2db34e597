#include "vtk_messages.hpp"

#include <vtkLogger.h>
#include <vtkObjectFactory.h>
#include <vtkOutputWindow.h>
#include <vtkSmartPointer.h>

#include <mutex>
#include <sstream>
#include <vector>

namespace talus {

namespace {

/// The part that is for users of "ERROR: In file.cxx, line 1\nvtkClass (0x1): what is wrong\n\n".
std::string first_sentence(const std::string& message) {
    std::istringstream lines(message);
    std::string line;
    while (std::getline(lines, line)) {
        if (line.empty() || line.starts_with("ERROR: In ") || line.starts_with("Warning: In ")) continue;
        const std::size_t address = line.find("): ");
        return address == std::string::npos ? line : line.substr(address + 3);
    }
    return message;
}

// As global as the window that it guards; recursive, because a picture reads frames while it keeps messages.
std::recursive_mutex window_in_use;

}  // namespace

// Names of VTK, and its macros, which have no semicolons.
// NOLINTBEGIN(readability-identifier-naming)
// clang-format off
class KeepingWindow : public vtkOutputWindow {
public:
    static KeepingWindow* New();
    vtkTypeMacro(KeepingWindow, vtkOutputWindow)

    void DisplayText(const char* text) override {
        if (text != nullptr) messages.emplace_back(text);
    }

    std::vector<std::string> messages;
};
vtkStandardNewMacro(KeepingWindow)

// NOLINTEND(readability-identifier-naming)
    // clang-format on
    struct VtkMessages::Impl {
    std::lock_guard<std::recursive_mutex> alone{window_in_use};
    vtkSmartPointer<vtkOutputWindow> window_before = vtkOutputWindow::GetInstance();
    vtkLogger::Verbosity verbosity_before = vtkLogger::GetCurrentVerbosityCutoff();
    vtkSmartPointer<KeepingWindow> window = vtkSmartPointer<KeepingWindow>::New();
};

VtkMessages::VtkMessages() : impl_(std::make_unique<Impl>()) {
    vtkOutputWindow::SetInstance(impl_->window);
    // VTK 9 logs every message to the terminal as well.
    vtkLogger::SetStderrVerbosity(vtkLogger::VERBOSITY_OFF);
}

VtkMessages::~VtkMessages() {
    vtkOutputWindow::SetInstance(impl_->window_before);
    vtkLogger::SetStderrVerbosity(impl_->verbosity_before);
}

std::string VtkMessages::text() const {
    std::string joined;
    for (const std::string& message : impl_->window->messages) {
        // What follows from the message before, with pages of internals.
        if (!joined.empty() && message.find("returned failure for request") != std::string::npos) continue;
        joined += (joined.empty() ? "" : "; ") + first_sentence(message);
    }
    return joined;
}

}  // namespace talus
