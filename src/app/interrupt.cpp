#include "interrupt.hpp"

#include <csignal>

namespace talus::app {

namespace {

// A signal handler can reach nothing but a variable of the file.
volatile std::sig_atomic_t signal_seen = 0;

void remember(int) {
    signal_seen = 1;
}

}  // namespace

void catch_interrupts() {
    struct sigaction action = {};
    action.sa_handler = remember;
    action.sa_flags =
        static_cast<int>(SA_RESETHAND) | SA_RESTART;  // restart: no write of a file is cut short
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() {
    return signal_seen != 0;
}

}  // namespace talus::app
