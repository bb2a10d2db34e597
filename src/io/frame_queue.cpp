#include "talus/io/frame_queue.hpp"

#include <fmt/format.h>
#include <signal.h>  // pthread_sigmask is POSIX, not in <csignal>

#include <array>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "talus/core/error.hpp"

namespace talus {
namespace {

/// Blocks every signal for the calling thread, and so for threads that it starts: Ctrl-C must interrupt the
/// thread that computes.
class SignalsBlocked {
public:
    SignalsBlocked() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    SignalsBlocked(const SignalsBlocked&) = delete;
    SignalsBlocked& operator=(const SignalsBlocked&) = delete;

private:
    sigset_t before_;
};

}  // namespace

// The frames are a ring: `held` of them, from `oldest` on, belong to the thread, the others to who pushes.
struct FrameQueue::Impl {
    explicit Impl(FrameWriter given) : writer(std::move(given)), rotation(writer.options().rotation) {}
    void start();
    void work();
    void rethrow() const;

    FrameWriter writer;  // of the thread alone
    const bool rotation;
    std::array<Frame, kFrames> ring;
    std::thread thread;

    mutable std::mutex mutex;  // guards what follows
    std::condition_variable changed;
    std::size_t oldest = 0, held = 0;
    bool closing = false;
    std::exception_ptr error;  // set: the thread has ended
    int written = 0;
    double seconds = 0.0;
};

void FrameQueue::Impl::start() {
    const SignalsBlocked blocked;
    try {
        thread = std::thread([this] { work(); });
    } catch (const std::system_error& failure) {
        throw OutputError(
            fmt::format("the thread that writes frames can not be started: {}", failure.code().message()));
    }
}

void FrameQueue::Impl::work() {
    std::unique_lock lock(mutex);
    while (true) {
        changed.wait(lock, [this] { return held > 0 || closing; });
        if (held == 0) return;
        const Frame& frame = ring[oldest];
        lock.unlock();
        std::exception_ptr failure;
        const auto begin = std::chrono::steady_clock::now();
        try {
            writer.write(frame);
        } catch (...) {
            failure = std::current_exception();  // whatever it is, it is for the thread that computes
        }
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
        lock.lock();
        seconds += spent.count();
        error = failure;
        changed.notify_all();
        if (error) return;
        oldest = (oldest + 1) % kFrames;
        --held;
        ++written;
    }
}

void FrameQueue::Impl::rethrow() const {
    if (error) std::rethrow_exception(error);
}

FrameQueue::FrameQueue(FrameWriter writer) : impl_(std::make_unique<Impl>(std::move(writer))) {
    impl_->start();
}

FrameQueue::~FrameQueue() {
    {
        const std::lock_guard lock(impl_->mutex);
        impl_->closing = true;
    }
    impl_->changed.notify_all();
    impl_->thread.join();
}

void FrameQueue::push(const System& system, const ContactList& contacts, double time_step) {
    Impl& s = *impl_;
    std::unique_lock lock(s.mutex);
    s.changed.wait(lock, [&s] { return s.held < kFrames || s.error; });
    s.rethrow();
    // While the disc keeps up, one frame is enough, and the others take no memory.
    if (s.held == 0) s.oldest = 0;
    Frame& frame = s.ring[(s.oldest + s.held) % kFrames];
    lock.unlock();
    frame.take(system, contacts, time_step, s.rotation);
    lock.lock();
    ++s.held;
    s.changed.notify_all();
}

void FrameQueue::check() const {
    const std::lock_guard lock(impl_->mutex);
    impl_->rethrow();
}

void FrameQueue::finish() {
    Impl& s = *impl_;
    std::unique_lock lock(s.mutex);
    s.changed.wait(lock, [&s] { return s.held == 0 || s.error; });
    s.rethrow();
}

int FrameQueue::frames() const {
    const std::lock_guard lock(impl_->mutex);
    return impl_->written;
}

double FrameQueue::seconds() const {
    const std::lock_guard lock(impl_->mutex);
    return impl_->seconds;
}

}  // namespace talus
