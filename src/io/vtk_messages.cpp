#include "vtk_messages.hpp"

#include <vtkObjectFactory.h>
#include <vtkOutputWindow.h>
#include <vtkSmartPointer.h>

#include <sstream>

namespace talus {
namespace {

class KeepingWindow : public vtkOutputWindow {
public:
    // NOLINTBEGIN(readability-identifier-naming): names of VTK
    static KeepingWindow* New();
    vtkTypeMacro(KeepingWindow, vtkOutputWindow)

        void DisplayText(const char* text) override {
        if (text != nullptr) kept += text;
    }
    // NOLINTEND(readability-identifier-naming)

    std::string kept;
};
vtkStandardNewMacro(KeepingWindow)

}  // namespace

struct VtkMessages::Impl {
    vtkSmartPointer<vtkOutputWindow> before = vtkOutputWindow::GetInstance();
    vtkSmartPointer<KeepingWindow> window = vtkSmartPointer<KeepingWindow>::New();
};

VtkMessages::VtkMessages() : impl_(std::make_unique<Impl>()) {
    vtkOutputWindow::SetInstance(impl_->window);
}

VtkMessages::~VtkMessages() {
    vtkOutputWindow::SetInstance(impl_->before);
}

std::string VtkMessages::text() const {
    // VTK writes "ERROR: In file.cxx, line 1\nvtkClass (0x1): what is wrong\n\n": keep what is wrong.
    std::istringstream lines(impl_->window->kept);
    std::string joined, line;
    while (std::getline(lines, line)) {
        if (line.empty() || line.starts_with("ERROR: In ") || line.starts_with("Warning: In ")) continue;
        const std::size_t address = line.find("): ");
        if (address != std::string::npos) line.erase(0, address + 3);
        joined += (joined.empty() ? "" : "; ") + line;
    }
    return joined.empty() && !impl_->window->kept.empty() ? impl_->window->kept : joined;
}

}  // namespace talus
