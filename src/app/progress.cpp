#include "progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

#include "text.hpp"

namespace talus::app {

namespace {

constexpr double kRefresh = 0.2;  // time between two lines on a terminal [s]
constexpr double kPatience =
    60.0;  // time between two lines elsewhere, or a tenth of the run if that is shorter [s]
constexpr double kMemory = 0.7;  // share of older lines in the speed on a terminal, or it flickers [-]

std::size_t terminal_width() {
    winsize size = {};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
    return size.ws_col;
}

}  // namespace

Progress::Progress(double end, std::int64_t steps, bool shown)
    : end_(end), steps_(steps), shown_(shown), terminal_(isatty(STDOUT_FILENO) == 1) {}

bool Progress::due(std::int64_t step, Clock::time_point now) const {
    const double seconds = std::chrono::duration<double>(now - last_time_).count();
    if (terminal_) return seconds >= kRefresh;
    return 10 * step >= next_tenth_ * steps_ || seconds >= kPatience;
}

void Progress::update(const Simulation& simulation, const StepReport& report) {
    if (!shown_) return;
    const Clock::time_point now = Clock::now();
    const std::int64_t step = simulation.system().step;
    if (!due(step, now)) return;
    const double seconds = std::chrono::duration<double>(now - last_time_).count();
    const double speed = seconds > 0.0 ? static_cast<double>(step - last_step_) / seconds : 0.0;
    const double memory = terminal_ && steps_per_second_ > 0.0 ? kMemory : 0.0;
    steps_per_second_ = memory * steps_per_second_ + (1.0 - memory) * speed;
    last_step_ = step;
    last_time_ = now;
    next_tenth_ = 10 * step / steps_ + 1;

    const std::string text = line(simulation, report, steps_per_second_);
    if (terminal_) {
        fmt::print("\r{}\033[K", text.substr(0, terminal_width() - 1));
        line_stands_ = true;
    } else {
        fmt::print("{}\n", text);
    }
    std::fflush(stdout);
}

void Progress::clear() {
    if (!line_stands_) return;
    fmt::print("\r\033[K");
    std::fflush(stdout);
    line_stands_ = false;
}

std::string Progress::line(const Simulation& simulation, const StepReport& report,
                           double steps_per_second) const {
    const System& system = simulation.system();
    const double left = static_cast<double>(simulation.steps_left());
    const std::string remaining =
        steps_per_second > 0.0 ? duration(left / steps_per_second) : std::string("?");
    return fmt::format("t = {:.4g} s of {:.4g} s, {:3} %, {} steps/s, {} left, {}, {}, {}, overlap {:.1e}",
                       system.time, end_, 100 * system.step / steps_, rounded(steps_per_second), remaining,
                       counted(system.particles.size(), "particle"), counted(report.contacts, "contact"),
                       counted(report.solver.iterations, "iteration"), report.overlap);
}

}  // namespace talus::app
