// SPDX-License-Identifier: Apache-2.0
/// Properties of the terminal.
#pragma once

namespace tessera {

/// Columns of the terminal behind a file descriptor; 80 if it is not a terminal.
int terminal_width(int descriptor);

}  // namespace tessera
