// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal.hpp"

#include <sys/ioctl.h>

namespace tessera {

int terminal_width(int descriptor) {
  winsize window{};
  if (ioctl(descriptor, TIOCGWINSZ, &window) == 0 && window.ws_col > 0) return window.ws_col;
  return 80;
}

}  // namespace tessera
