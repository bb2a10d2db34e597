#pragma once

namespace talus::app {

/// From now on SIGINT (Ctrl-C) and SIGTERM are remembered and not deadly; the second one is deadly again, for
/// a step that takes too long.
void catch_interrupts();
bool interrupted();

}  // namespace talus::app
