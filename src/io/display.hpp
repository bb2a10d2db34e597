#pragma once

namespace talus {

/// Proves that an X server with OpenGL answers on $DISPLAY. VTK ends the process where none does, so this
/// must come before anything is drawn. @throws InputError that says to use xvfb-run.
void require_display();

}  // namespace talus
