// SPDX-License-Identifier: Apache-2.0
/// Texts for terminals and pictures.
#pragma once

#include <string>
#include <string_view>

#include "tessera/export.hpp"

namespace tessera {

/// The text without anything that a terminal obeys instead of showing it. Messages name files, and
/// files come from anywhere: control characters, marks that turn the direction of writing, and
/// bytes that are not UTF-8 become \x1b and the like. Characters of `keep`, such as "\n", stay.
///
///     std::fprintf(stderr, "%s\n", tessera::printable(error.what()).c_str());
TESSERA_API std::string printable(std::string_view text, std::string_view keep = "");

}  // namespace tessera
