// SPDX-License-Identifier: Apache-2.0
/// A part of an image, as every command and option writes it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tessera/export.hpp"
#include "tessera/options.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// "X,Y,WIDTHxHEIGHT" from column X and row Y on; "WIDTHxHEIGHT" at the centre of the image.
struct Crop {
  int width = 0, height = 0;
  std::optional<Point> corner;  ///< its first pixel
  bool operator==(const Crop&) const = default;
  static constexpr const char* kHint = "X,Y,WxH|WxH";

  /// Its first pixel in an image; a pixel outside if it does not fit.
  TESSERA_API Point corner_in(const Size& image) const;
  TESSERA_API bool fits(const Size& image) const;
};
TESSERA_API std::string to_text(const Crop& value);
TESSERA_API void from_text(std::string_view what, std::string_view text, Crop& value);

}  // namespace tessera
