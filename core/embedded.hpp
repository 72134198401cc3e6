// SPDX-License-Identifier: Apache-2.0
/// Texts embedded in the library by cmake/embed.cmake.
#pragma once

#include <string_view>
#include <vector>

namespace tessera {

struct EmbeddedText {
  std::string_view name, text;
};

/// tuning/*.tsv, named without folder and extension.
std::vector<EmbeddedText> embedded_tuning_tables();

}  // namespace tessera
