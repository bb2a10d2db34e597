#include "talus/core/parallel.hpp"

#include <omp.h>

#include <atomic>
#include <exception>
#include <optional>
#include <stdexcept>

namespace talus {

namespace {

/// Looks at a value that another thread is about to set, before the thread goes to sleep: some 20
/// microseconds, about what falling asleep and being woken takes.
constexpr int kLooks = 2000;

int threads_in_use = 1;
int looks_in_use = kLooks;  ///< none where threads outnumber processors: the awaited one may need this one's
std::ptrdiff_t items_of_small_loop = 8192;

void pause_briefly() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

}  // namespace

/// Threads that take turns: in each turn the first publishes a loop and all do their shares of it. A loop
/// with m milestones takes m + 1 ticks of every member's clock, the last when its share is done.
class Team {
public:
    /// @param threads that may come.
    explicit Team(int threads) : count_(threads), members_(static_cast<std::size_t>(threads)) {}

    /// Of the first thread, before the first loop. @param threads that have come.
    void gather(int threads) { count_ = threads; }

    void run(const FunctionRef<void(const Member&)>& share, int milestones) {
        share_ = share;
        ticks_ = static_cast<unsigned>(milestones) + 1;
        start_.raise(begin_ + 1);
        share(member(0));
        wait_for_others(0, milestones + 1);
        begin_ += ticks_;
    }
    /// Lets the other threads go.
    void close() {
        share_.reset();
        start_.raise(begin_ + 1);
    }
    /// Of every thread but the first: takes part in every loop until the team is closed.
    void serve(int thread) {
        for (unsigned begin = 0;;) {
            start_.wait_for(begin + 1);
            if (!share_) return;
            const unsigned end = begin + ticks_;
            (*share_)(member(thread));
            members_[static_cast<std::size_t>(thread)].raise(end);
            begin = end;
        }
    }
    void reach(int thread, int milestone) {
        members_[static_cast<std::size_t>(thread)].raise(begin_ + static_cast<unsigned>(milestone));
    }
    void wait_for_others(int thread, int milestone) const {
        for (int other = 0; other < count_; ++other) {
            if (other == thread) continue;
            members_[static_cast<std::size_t>(other)].wait_for(begin_ + static_cast<unsigned>(milestone));
        }
    }

private:
    /// A count that one thread raises and others wait for. It may wrap around: only differences count.
    class alignas(64) Clock {  // a cache line of its own
    public:
        unsigned now() const { return now_.load(std::memory_order_relaxed); }
        void raise(unsigned to) {
            now_.store(to);
            now_.notify_all();
        }
        void wait_for(unsigned wanted) const {
            for (int look = 0; look < looks_in_use; ++look) {
                if (is_at(now_.load(std::memory_order_acquire), wanted)) return;
                pause_briefly();
            }
            for (unsigned seen = now_.load(); !is_at(seen, wanted); seen = now_.load()) now_.wait(seen);
        }

    private:
        static bool is_at(unsigned now, unsigned wanted) { return static_cast<int>(now - wanted) >= 0; }

        std::atomic<unsigned> now_{0};
    };

    Member member(int thread) {
        Member member;
        member.number = thread;
        member.count = count_;
        member.team_ = this;
        return member;
    }

    int count_;
    std::optional<FunctionRef<void(const Member&)>> share_;
    unsigned begin_ = 0;  ///< what every clock has shown when the loop began
    unsigned ticks_ = 0;
    Clock start_;
    std::vector<Clock> members_;
};

namespace {

/// Team whose first thread this is, between its loops.
thread_local Team* open_team = nullptr;
thread_local bool within_team = false;

/// Of the first thread: the body, with the team open to its loops. Returns what it threw.
std::exception_ptr lead(Team& team, const FunctionRef<void()>& body) {
    std::exception_ptr thrown;
    open_team = &team;
    try {
        body();
    } catch (...) {
        thrown = std::current_exception();
    }
    open_team = nullptr;
    team.close();
    return thrown;
}

}  // namespace

void set_thread_count(int count) {
    if (count < 1) throw std::invalid_argument("thread count must be at least 1");
    threads_in_use = count;
    looks_in_use = count <= available_threads() ? kLooks : 0;
}

void set_small_loop(std::ptrdiff_t items) {
    if (items < 1) throw std::invalid_argument("a small loop must have at least 1 item");
    items_of_small_loop = items;
}

std::ptrdiff_t small_loop() {
    return items_of_small_loop;
}

int thread_count() {
    return threads_in_use;
}

int available_threads() {
    return omp_get_num_procs();
}

void Member::reach_milestone(int milestone) const {
    team_->reach(number, milestone);
}

void Member::wait_for_milestone(int milestone) const {
    team_->wait_for_others(number, milestone);
}

void with_team(FunctionRef<void()> body, std::ptrdiff_t items) {
    if (threads_in_use == 1 || within_team || items < items_of_small_loop) {
        body();
        return;
    }
    std::exception_ptr thrown;
    Team team(threads_in_use);
#pragma omp parallel num_threads(threads_in_use)
    {
        const int thread = omp_get_thread_num();
        within_team = true;
        if (thread == 0) {
            team.gather(omp_get_num_threads());
            thrown = lead(team, body);
        } else {
            team.serve(thread);
        }
        within_team = false;
    }
    if (thrown) std::rethrow_exception(thrown);
}

void on_team(FunctionRef<void(const Member&)> share, int milestones) {
    if (Team* team = open_team) {
        open_team = nullptr;
        team->run(share, milestones);
        open_team = team;
    } else if (within_team || threads_in_use == 1) {
        share(Member{});
    } else {
        with_team([&] { on_team(share, milestones); });
    }
}

}  // namespace talus
