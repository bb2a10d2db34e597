#include "display.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "talus/core/error.hpp"

namespace talus {
namespace {

[[noreturn]] void fail(const std::string& reason) {
    throw InputError(
        fmt::format("pictures need an X display and {}; without a screen use: "
                    "xvfb-run -a talus render DIR",
                    reason));
}

/// Function of libX11, which VTK has loaded in any case: asked for at run time, so that talus need not be
/// built and linked against X itself.
template <class Function>
Function* x11_function(void* library, const char* name) {
    auto* function = reinterpret_cast<Function*>(::dlsym(library, name));
    if (function == nullptr) fail(fmt::format("libX11 has no {}", name));
    return function;
}

}  // namespace

void require_display() {
    const char* name = std::getenv("DISPLAY");
    if (name == nullptr || *name == '\0') fail("DISPLAY is not set");
    const auto close_library = [](void* library) { ::dlclose(library); };
    const std::unique_ptr<void, decltype(close_library)> library(::dlopen("libX11.so.6", RTLD_LAZY),
                                                                 close_library);
    if (!library) fail("libX11 can not be loaded");

    auto* open = x11_function<void*(const char*)>(library.get(), "XOpenDisplay");
    auto* close = x11_function<int(void*)>(library.get(), "XCloseDisplay");
    auto* query = x11_function<int(void*, const char*, int*, int*, int*)>(library.get(), "XQueryExtension");
    void* display = open(nullptr);
    if (display == nullptr) fail(fmt::format("DISPLAY={} does not answer", name));
    int opcode = 0, event = 0, error = 0;
    const bool draws = query(display, "GLX", &opcode, &event, &error) != 0;
    close(display);
    if (!draws) fail(fmt::format("DISPLAY={} has no OpenGL (GLX)", name));
}

}  // namespace talus
