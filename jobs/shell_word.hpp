// SPDX-License-Identifier: Apache-2.0
/// Words of a command line that can be typed again.
#pragma once

#include <string>

namespace tessera {

/// A word as a shell takes it: one with special characters is quoted.
std::string shell_word(const std::string& word);

}  // namespace tessera
