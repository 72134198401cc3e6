// SPDX-License-Identifier: Apache-2.0
/// How a product came to be, for formats that keep it: version, what ran, options.
#pragma once

#include <string>
#include <vector>

namespace tessera {

/// The words of a plan, or of options, without the number of their device, which changes no result:
/// files that several devices make are the same.
std::string without_device(std::string words);

std::vector<std::string> history_of(const std::string& ran, const std::string& options);

}  // namespace tessera
