// SPDX-License-Identifier: Apache-2.0
/// Where a template is in an image: the normalised cross-correlation of the template with the
/// image under it, at every place,
///
///     r = sum of (t - mean t) (f - mean f) / sqrt(sum of (t - mean t)^2 sum of (f - mean f)^2)
///
/// over the template's pixels, t those of the template and f the image's under them. It is 1 where
/// the image is the template up to brightness and contrast, and -1 where it is its negative. The
/// same values as skimage.feature.match_template.
///
///     tessera::Image map = tessera::match_template(image, logo.view());
///     const tessera::MatchPeak best = tessera::match_peaks(map.view(), {.count = 1}).at(0);
///
/// Or make the plan once and run it many times, from any number of threads:
///
///     tessera::MatchTemplate plan({{640, 480}, tessera::Type::u8}, logo.view());
///     plan(image, map);
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "tessera/export.hpp"
#include "tessera/image.hpp"
#include "tessera/options.hpp"
#include "tessera/plan.hpp"
#include "tessera/stream.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// With border `valid` pixel x, y of the map has the template's first pixel at x, y of the image.
/// With all others the map has the image's size and pixel x, y has the template's centre there,
/// column width/2 and row height/2. Border `inside`: pixels outside do not count.
struct MatchOptions {
  Border border = Border::valid;
  double constant = 0;
  double overlap = 0.3;
  std::optional<Type> output_type;
  Backend backend = Backend::automatic;
  std::string method = "auto";
  int device = 0;

  static constexpr auto fields() {
    using O = MatchOptions;
    return std::tuple_cat(
        std::tuple{
            field("border", &O::border,
                  "valid: a map of the places where the whole template is in the image; others: a "
                  "map of the image's size and the rule for pixels outside"),
            field("constant", &O::constant, "the value outside, with border constant"),
            field("overlap", &O::overlap,
                  "the share of the template's pixels that must count, where pixels do not "
                  "(NaN, or outside with border inside); places with less are 0",
                  Range{0, 1}),
            field("output-type", &O::output_type, "type of the map: f32 or f64; auto is f32"),
        },
        run_fields<O>());
  }
};

/// A template, an image size and type, and a chosen method. Immutable; copies share.
///
/// Images are u8, u16, f32 or f64, and so are templates, whatever the image's type; both have the
/// same channels, 1 to 4, which count together (one mean over all of them). Planes are separate
/// images. Values are within 2e-6 of the exact ones, whatever the image's brightness, as long as
/// the squares of its values and of its contrast are normal numbers; sums are in double.
///
/// Pixels that are not finite, in the image or in the template, do not count: sums and means are
/// those of the pixels that do in both, as in
/// skimage.registration's masked correlation (Padfield 2012). Where less than the share
/// `overlap` of the template's pixels counts, and where all pixels of either have one value, r
/// is 0.
///
/// describe(): "match 640x480 u8 with 32x24: cpu fft, neon, 228 rows per group; products by
/// convolve …".
class TESSERA_API MatchTemplate : public RowsPlan {
 public:
  /// Pixels of the template where `mask` (of its size, one channel) is 0 do not count; no mask: all
  /// that are finite. Throws Error(usage) with what would be right.
  MatchTemplate(const ImageInfo& image, AnyView pattern, const MatchOptions& options = {});
  MatchTemplate(const ImageInfo& image, AnyView pattern, AnyView mask,
                const MatchOptions& options = {});

  /// The image pixel under the template's first pixel for pixel 0, 0 of the map.
  Point first_place() const;
};

/// Plan, run, return; for one image.
TESSERA_API Image match_template(AnyView image, AnyView pattern, const MatchOptions& options = {});
TESSERA_API Image match_template(AnyView image, AnyView pattern, AnyView mask,
                                 const MatchOptions& options = {});

/// A pixel of a map.
struct MatchPeak {
  int x = 0, y = 0, plane = 0;
  double value = 0;
  bool operator==(const MatchPeak&) const = default;
};

struct PeakOptions {
  int count = 1;
  int distance = 1;
  double threshold = -1;

  static constexpr auto fields() {
    using O = PeakOptions;
    return std::tuple{
        field("peaks", &O::count, "the number of best matches to list", Range{1}),
        field("distance", &O::distance,
              "peaks are more than this apart, along rows or along columns",
              Range{.lowest = 0, .unit = "pixels"}),
        field("threshold", &O::threshold, "peaks have at least this value", Range{-1, 1}),
    };
  }
};

/// The peaks of all planes of a map (f32 or f64, one channel), the highest first; equal ones as
/// they lie, by plane, row and column. A peak is at least as high as its eight neighbours and has
/// no higher peak within `distance`. Throws Error(usage).
TESSERA_API std::vector<MatchPeak> match_peaks(AnyView map, const PeakOptions& options = {});

}  // namespace tessera
