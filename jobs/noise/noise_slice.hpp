// SPDX-License-Identifier: Apache-2.0
/// The choice of planes in a file with several.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "io/image_file.hpp"

namespace tessera {

/// Places along the third and fourth axis, counted from 0: "3" or "3,0".
struct NoiseSlice {
  int third = 0;
  std::optional<int> fourth;
  bool operator==(const NoiseSlice&) const = default;
  static constexpr const char* kHint = "N|N,M";
};
std::string to_text(NoiseSlice value);
void from_text(std::string_view what, std::string_view text, NoiseSlice& value);

/// The planes [first, end) of a file.
struct PlaneRange {
  int first = 0, end = 1;
  int count() const { return end - first; }
};

/// The plane chosen, or all planes of the file if none is chosen. Throws Error(usage), naming the
/// operation and the axes, for a plane that does not exist.
PlaneRange planes_of_slice(const std::string& operation, const std::string& name,
                           const ImageSource& file, const std::optional<NoiseSlice>& slice);

}  // namespace tessera
