// SPDX-License-Identifier: Apache-2.0
/// The result of looking for a template.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "jobs/image_result.hpp"

namespace tessera {

/// A place of the template. It is outside the image by some pixels if the map has a border.
struct MatchPlace {
  int x = 0, y = 0, plane = 0;
  double value = 0;

  static constexpr auto fields() {
    using P = MatchPlace;
    return std::tuple{field("x", &P::x, "the image's column, from 0, under the template's first"),
                      field("y", &P::y, "the image's row, from 0, under the template's first"),
                      field("plane", &P::plane, "the image's plane, from 0"),
                      field("value", &P::value, "the normalised cross-correlation there, -1 to 1")};
  }
};

struct MatchResult : ImageResult {
  std::vector<MatchPlace> peaks;
  std::string table;  ///< file made; "" if there is none

  static constexpr auto fields() {
    using R = MatchResult;
    return std::tuple_cat(ImageResult::fields(),
                          std::tuple{field("peaks", &R::peaks, "best matches, the best first"),
                                     field("table", &R::table, "the table of peaks")});
  }
  std::string describe() const;
};

}  // namespace tessera
