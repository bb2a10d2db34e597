#include "talus/io/frame_queue.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <fstream>
#include <future>
#include <set>
#include <thread>

#include "io/support.hpp"
#include "talus/core/error.hpp"

using namespace talus;
using namespace talus::test;

namespace {

constexpr double kTimeStep = 0.5;  // [s]
constexpr FrameOptions kParticlesOnly{.contacts = false, .walls = false};

/// A state that differs from call to call, in numbers of particles and contacts as well.
System state(int number) {
    System system = three_spheres();
    system.time = 0.1 * number;
    for (Vec3& x : system.particles.position) x *= 1.0 + number;
    if (number % 3 == 1) system.particles.remove({0, 0, 1});
    return system;
}

ContactList contacts_of(int number) {
    ContactList contacts = three_contacts();
    contacts.back().normal = Vec3(0.0, std::sin(number), -std::cos(number));  // the one with a wall
    if (number % 3 == 1) contacts.resize(1);
    return contacts;
}

/// True as soon as `condition` is; false when that takes longer than any disc should.
template <class Condition>
bool comes_true(Condition&& condition) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!condition()) {
        if (std::chrono::steady_clock::now() > deadline) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
}

/// Holds up who writes the first frame into `directory` until it is opened: a pipe stands in its file's
/// place.
class Gate {
public:
    explicit Gate(const TemporaryDirectory& directory)
        : pipe_(directory.file("particles_000000.vtp.partial")) {
        REQUIRE(::mkfifo(pipe_.c_str(), 0600) == 0);
    }
    std::string open() const { return text_of(pipe_); }

private:
    std::string pipe_;
};

/// Pushes `count` states from another thread, counting those that went through.
std::future<void> push_states(FrameQueue& queue, int count, std::atomic<int>& pushed) {
    return std::async(std::launch::async, [&queue, count, &pushed] {
        for (int k = 0; k < count; ++k) {
            queue.push(state(k), {}, kTimeStep);
            ++pushed;
        }
    });
}

/// Directories that describe the threads of this process.
std::set<std::string> threads() {
    std::set<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
        found.insert(entry.path().string());
    }
    return found;
}

bool blocks(const std::string& thread, int signal) {
    std::ifstream file(thread + "/status");
    for (std::string word; file >> word;) {
        if (word != "SigBlk:") continue;
        file >> word;
        return (std::stoull(word, nullptr, 16) >> (signal - 1) & 1U) == 1U;
    }
    return false;
}

}  // namespace

TEST_CASE("frames written in the background are the same files as those written at once") {
    const TemporaryDirectory at_once, later;
    constexpr FrameOptions kWithRotation{.rotation = true};
    FrameWriter writer(at_once.path(), kWithRotation);
    FrameQueue queue(FrameWriter(later.path(), kWithRotation));
    System moving;
    for (int k = 0; k < 10; ++k) {
        moving = state(k);
        writer.write(moving, contacts_of(k), kTimeStep);
        queue.push(moving, contacts_of(k), kTimeStep);
    }
    queue.finish();
    CHECK(queue.frames() == 10);
    CHECK(queue.seconds() > 0.0);
    REQUIRE(later.names() == at_once.names());
    for (const std::string& name : at_once.names()) {
        CAPTURE(name);
        CHECK(text_of(later.file(name)) == text_of(at_once.file(name)));
    }
}

TEST_CASE("a state that is pushed waits while as many frames as may be in memory are not written") {
    const TemporaryDirectory directory;
    const Gate gate(directory);
    FrameQueue queue(FrameWriter(directory.path(), kParticlesOnly));
    std::atomic<int> pushed = 0;
    std::future<void> pushing = push_states(queue, FrameQueue::kFrames + 3, pushed);
    CHECK(comes_true([&] { return pushed == FrameQueue::kFrames; }));
    // Long enough for another to go through if it could.
    CHECK(pushing.wait_for(std::chrono::milliseconds(100)) == std::future_status::timeout);
    CHECK(pushed == FrameQueue::kFrames);
    CHECK(queue.frames() == 0);
    gate.open();
    pushing.get();
    queue.finish();
    CHECK(queue.frames() == FrameQueue::kFrames + 3);

    const TemporaryDirectory plain;
    FrameWriter writer(plain.path(), kParticlesOnly);
    for (int k = 0; k < queue.frames(); ++k) writer.write(state(k), {}, kTimeStep);
    CHECK(text_of(directory.file("particles.pvd")) == text_of(plain.file("particles.pvd")));
    for (int k = 1; k < queue.frames(); ++k) {
        const std::string name = "particles_00000" + std::to_string(k) + ".vtp";
        CHECK(text_of(directory.file(name)) == text_of(plain.file(name)));
    }
}

TEST_CASE("frames that wait when the queue is destroyed are written") {
    const TemporaryDirectory directory;
    const Gate gate(directory);
    std::future<std::string> opening;
    {
        FrameQueue queue(FrameWriter(directory.path(), kParticlesOnly));
        for (int k = 0; k < FrameQueue::kFrames; ++k) queue.push(state(k), {}, kTimeStep);
        opening = std::async(std::launch::async, [&gate] { return gate.open(); });
    }
    CHECK(opening.get().ends_with("</VTKFile>\n"));
    const std::string listed = text_of(directory.file("particles.pvd"));
    for (int k = 0; k < FrameQueue::kFrames; ++k) {
        CHECK(listed.find("particles_00000" + std::to_string(k) + ".vtp") != std::string::npos);
    }
}

TEST_CASE("an error of the disc reaches who checks, pushes or finishes, once and again; later frames go") {
    const TemporaryDirectory directory;
    FrameQueue queue(FrameWriter(directory.path(), {}));
    queue.push(state(0), {}, kTimeStep);
    queue.finish();
    std::filesystem::remove_all(directory.path());
    CHECK_NOTHROW(queue.check());
    queue.push(state(1), {}, kTimeStep);
    std::string message;
    CHECK(comes_true([&] {
        message = message_of<OutputError>([&] { queue.check(); });
        return !message.empty();
    }));
    CHECK(message.find(directory.file("particles_000001.vtp")) != std::string::npos);
    CHECK(message_of<OutputError>([&] { queue.push(state(2), {}, kTimeStep); }) == message);
    std::filesystem::create_directory(directory.path());
    CHECK(message_of<OutputError>([&] { queue.finish(); }) == message);
    CHECK(queue.frames() == 1);
    CHECK(directory.names().empty());
}

TEST_CASE("an error of the disc wakes a push that waits for it") {
    const TemporaryDirectory directory;
    const Gate gate(directory);
    std::filesystem::create_directory(directory.file("contacts_000000.vtp"));  // comes after the particles
    FrameQueue queue(FrameWriter(directory.path(), {}));
    std::atomic<int> pushed = 0;
    std::future<void> pushing = push_states(queue, FrameQueue::kFrames + 1, pushed);
    CHECK(comes_true([&] { return pushed == FrameQueue::kFrames; }));
    gate.open();
    const std::string message = message_of<OutputError>([&] { pushing.get(); });
    CHECK(message.find("contacts_000000.vtp") != std::string::npos);
    CHECK(pushed == FrameQueue::kFrames);
}

TEST_CASE("contacts of particles that are not there are refused by push, and the next frame is written") {
    const TemporaryDirectory directory;
    FrameQueue queue(FrameWriter(directory.path(), {}));
    CHECK_THROWS_AS(queue.push(state(1), three_contacts(), kTimeStep), std::invalid_argument);
    queue.push(state(0), three_contacts(), kTimeStep);
    queue.finish();
    CHECK(queue.frames() == 1);
}

TEST_CASE("no signal interrupts the thread that writes, and who starts it gets them as before") {
    const TemporaryDirectory directory;
    const std::set<std::string> before = threads();
    FrameQueue queue(FrameWriter(directory.path(), kParticlesOnly));
    queue.push(state(0), {}, kTimeStep);
    queue.finish();  // a thread that is being started blocks everything
    int started = 0;
    for (const std::string& thread : threads()) {
        if (before.count(thread) > 0) continue;
        ++started;
        for (const int signal : {SIGINT, SIGTERM, SIGHUP}) CHECK(blocks(thread, signal));
    }
    CHECK(started > 0);
    CHECK_FALSE(blocks("/proc/thread-self", SIGINT));
}
