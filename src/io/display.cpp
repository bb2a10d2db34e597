#include "display.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

#include "talus/core/error.hpp"

namespace talus {
namespace {

[[noreturn]] void fail(const std::string& reason) {
    throw InputError(
        fmt::format("pictures need an X display and {}; without a screen use: "
                    "xvfb-run -a talus render DIR",
                    reason));
}

/// A server that starts afresh after its last client left is deaf for a few milliseconds.
constexpr int kAttempts = 5;
constexpr std::chrono::milliseconds kPause{100};

}  // namespace

/// libX11, which VTK has loaded in any case: asked for at run time, so that talus need not be built and
/// linked against X itself.
struct DisplayConnection::Impl {
    void* library = nullptr;
    void* display = nullptr;

    ~Impl();
    template <class Function>
    Function* function(const char* name) const {
        return reinterpret_cast<Function*>(::dlsym(library, name));
    }
    void open(const char* name);
    bool has_opengl() const;
};

DisplayConnection::Impl::~Impl() {
    if (display != nullptr) function<int(void*)>("XCloseDisplay")(display);
    if (library != nullptr) ::dlclose(library);
}

void DisplayConnection::Impl::open(const char* name) {
    library = ::dlopen("libX11.so.6", RTLD_LAZY);
    if (library == nullptr) fail("libX11 can not be loaded");
    for (const char* used : {"XOpenDisplay", "XCloseDisplay", "XQueryExtension"}) {
        if (function<int()>(used) == nullptr) fail(fmt::format("libX11 has no {}", used));
    }
    for (int attempt = 0; attempt < kAttempts && display == nullptr; ++attempt) {
        if (attempt > 0) std::this_thread::sleep_for(kPause);
        display = function<void*(const char*)>("XOpenDisplay")(name);
    }
    if (display == nullptr) fail(fmt::format("DISPLAY={} does not answer", name));
}

bool DisplayConnection::Impl::has_opengl() const {
    int opcode = 0, event = 0, error = 0;
    return function<int(void*, const char*, int*, int*, int*)>("XQueryExtension")(display, "GLX", &opcode,
                                                                                  &event, &error) != 0;
}

DisplayConnection::DisplayConnection() : impl_(std::make_unique<Impl>()) {
    const char* name = std::getenv("DISPLAY");
    if (name == nullptr || *name == '\0') fail("DISPLAY is not set");
    impl_->open(name);
    if (!impl_->has_opengl()) fail(fmt::format("DISPLAY={} has no OpenGL (GLX)", name));
}

DisplayConnection::~DisplayConnection() = default;

}  // namespace talus
