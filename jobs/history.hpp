// SPDX-License-Identifier: Apache-2.0
/// How a product came to be, for formats that keep it: version, command line, what ran.
#pragma once

#include <string>
#include <vector>

namespace tessera {

/// `command` is empty where no command line was typed.
std::vector<std::string> history_of(const std::string& command, const std::string& ran,
                                    const std::string& options);

}  // namespace tessera
