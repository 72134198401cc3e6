// SPDX-License-Identifier: Apache-2.0
/// What the terminal is like.
#pragma once

namespace tessera {

/// Columns of the terminal behind a file descriptor; 80 where it is none.
int terminal_width(int descriptor);

}  // namespace tessera
