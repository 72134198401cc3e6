// SPDX-License-Identifier: Apache-2.0
/// How a product came to be, for formats that keep it: version, what ran, options.
#pragma once

#include <string>
#include <vector>

namespace tessera {

std::vector<std::string> history_of(const std::string& ran, const std::string& options);

}  // namespace tessera
