// SPDX-License-Identifier: Apache-2.0
/// The methods that a command's --method can name, for its help and for completion.
#pragma once

#include <string>

namespace tessera {

/// "auto|direct|fft" for the command with that name, "cells track"; empty if none are known.
std::string method_hint(const std::string& command);

}  // namespace tessera
