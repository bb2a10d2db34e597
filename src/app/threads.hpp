#pragma once

#include <string>

namespace talus::app {

/// Threads taken without being asked: sweeps are bound by the memory's bandwidth, which a few cores use up.
constexpr int kDefaultThreads = 8;

struct ThreadChoice {
    int count = 1;
    std::string remark;  ///< for the user when less than asked for is used; or empty
};

/// @param text of --threads, empty when it was not given. @param available threads of this machine.
/// @throws InputError for 0, negative numbers and text.
ThreadChoice choose_threads(const std::string& text, int available);

/// Starts the program again with OMP_WAIT_POLICY=passive unless the variable is set. The OpenMP library reads
/// it before main begins, so setting it in here would come too late. By default, threads that wait for each
/// other keep their processors busy; where another program wants those too, every parallel loop then waits
/// for a time slice, and a run takes several times as long.
void restart_with_passive_waiting(char** argv);

/// Frames are written by one thread beside those that compute: VTK must not start more for the ranges of its
/// arrays. To be called before anything of VTK is.
void keep_vtk_serial();

}  // namespace talus::app
