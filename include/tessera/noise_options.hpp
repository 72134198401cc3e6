// SPDX-License-Identifier: Apache-2.0
/// Options of background and noise maps (tessera/noise.hpp).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "tessera/export.hpp"
#include "tessera/options.hpp"

namespace tessera {

/// exact: the quantiles of every pixel's box, to the bit. binned: of the box's histogram, within a
/// bound. grid: exact at nodes, bilinear between them, refined where nodes differ (`refine`).
enum class NoiseMode : unsigned char { exact, binned, grid };
template <>
struct Names<NoiseMode> {
  static constexpr std::array<std::pair<std::string_view, NoiseMode>, 3> list{
      {{"exact", NoiseMode::exact}, {"binned", NoiseMode::binned}, {"grid", NoiseMode::grid}}};
};

/// How background and noise are computed from the values of a box.
enum class NoiseEstimator : unsigned char {
  iqr,   ///< median, and (Q75 - Q25) / 1.34896
  mad,   ///< median, and 1.4826 times the median distance from it
  clip,  ///< mean and standard deviation of values within 3 of them, up to 10 times (BANE)
  mode,  ///< SExtractor's: clipped; 2.5 median - 1.5 mean if these agree, else the median
};
template <>
struct Names<NoiseEstimator> {
  static constexpr std::array<std::pair<std::string_view, NoiseEstimator>, 4> list{
      {{"iqr", NoiseEstimator::iqr},
       {"mad", NoiseEstimator::mad},
       {"clip", NoiseEstimator::clip},
       {"mode", NoiseEstimator::mode}}};
};

/// The box around a pixel: columns x - width/2 … x - width/2 + width - 1, and likewise rows. An odd
/// box is centred, an even one has its extra pixel on the low side. "64" or "96x64".
struct NoiseBox {
  int width = 64, height = 64;
  bool operator==(const NoiseBox&) const = default;
  static constexpr const char* kHint = "N|WxH";
  static constexpr const char* kPart = "each side";
  constexpr std::array<int, 2> numbers() const { return {width, height}; }

  constexpr int left() const { return width / 2; }
  constexpr int right() const { return width - 1 - width / 2; }
  constexpr int above() const { return height / 2; }
  constexpr int below() const { return height - 1 - height / 2; }
};
TESSERA_API std::string to_text(NoiseBox value);
TESSERA_API void from_text(std::string_view what, std::string_view text, NoiseBox& value);

/// Orders of quantiles: "0.25,0.5,0.75"; "auto" or empty: none.
struct NoiseQuantiles {
  std::vector<double> orders;
  bool operator==(const NoiseQuantiles&) const = default;
  static constexpr const char* kHint = "auto|Q,Q…";
  static constexpr const char* kPart = "each";
  const std::vector<double>& numbers() const { return orders; }
};
TESSERA_API std::string to_text(const NoiseQuantiles& value);
TESSERA_API void from_text(std::string_view what, std::string_view text, NoiseQuantiles& value);

inline constexpr Range kNoiseBoxSides{3, 1024, "pixels"};
inline constexpr int kMostNoiseQuantiles = 8;

struct NoiseOptions {
  NoiseBox box;
  std::optional<NoiseBox> grid;
  double refine = 0.2;
  NoiseMode mode = NoiseMode::exact;
  NoiseEstimator estimator = NoiseEstimator::iqr;
  NoiseQuantiles quantiles;
  int bins = 1024;
  Border border = Border::inside;
  bool two_pass = false;
  bool zero_is_blank = false;
  bool nomask = false;
  bool normal = false;
  Backend backend = Backend::automatic;
  std::string method = "auto";
  int device = 0;

  static constexpr auto fields() {
    using O = NoiseOptions;
    return std::tuple_cat(
        std::tuple{
            field("box", &O::box, "the box around each pixel", kNoiseBoxSides),
            field("grid", &O::grid,
                  "distance between nodes in mode grid; auto: a quarter of the box",
                  Range{.lowest = 1, .unit = "pixels"}),
            field("refine", &O::refine,
                  "mode grid: cells whose nodes bend by more than this share of the noise are "
                  "refined, down to pixels; 0: never, like BANE",
                  Range{.lowest = 0}),
            field("mode", &O::mode,
                  "exact: every pixel's own quantiles; binned: of its box's histogram; grid: "
                  "exact at nodes, bilinear between"),
            field("estimator", &O::estimator,
                  "iqr: median and quartiles; mad: median distance; clip: clipped mean and "
                  "deviation; mode: SExtractor's"),
            field("quantiles", &O::quantiles,
                  "maps of these quantiles instead of background and noise", Range{0, 1}),
            field("bins", &O::bins, "bins of mode binned, over 12 sigma", Range{8, 65535}),
            field("border", &O::border,
                  "rule for pixels outside the image: inside (they do not count), reflect, "
                  "reflect-101 or replicate; other names are refused"),
            field("two-pass", &O::two_pass, "noise of the image minus its background, like BANE"),
            field("zero-is-blank", &O::zero_is_blank, "pixels that are exactly 0 are blank too"),
            field("nomask", &O::nomask, "give estimates even where the pixel itself is blank"),
            field("normal", &O::normal,
                  "divide the distance between the quartiles by 1.3489795, the normal "
                  "distribution's, not by 1.34896"),
        },
        run_fields<O>());
  }
};

}  // namespace tessera
