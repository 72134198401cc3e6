// SPDX-License-Identifier: Apache-2.0
/// The value of a given rank among the pixels under a footprint: the median, or the k-th smallest.
///
///     out(x, y) = the sorted in(x + (i - ax), y + (j - ay)) over the footprint's pixels (i, j),
///                 at the place of the rank
///
/// with (ax, ay) the anchor. The same values as scipy.ndimage's median_filter, rank_filter and
/// percentile_filter.
///
///     tessera::Image square = tessera::box_element(3, 3);
///     tessera::Image clean = tessera::median(in, square.view());
///
/// Or make the plan once and run it many times, from any number of threads:
///
///     tessera::RankFilter plan({{4096, 4096}, tessera::Type::u8}, square.view(), {.rank = -3});
///     plan(in, out);                       // in and out must not overlap
#pragma once

#include <optional>
#include <string>
#include <tuple>

#include "tessera/elements.hpp"
#include "tessera/export.hpp"
#include "tessera/image.hpp"
#include "tessera/options.hpp"
#include "tessera/plan.hpp"
#include "tessera/stream.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// Where the footprint lies, what lies outside, and how to run: for all rank filters.
template <class O>
constexpr auto rank_window_fields() {
  return std::tuple_cat(
      std::tuple{
          field("border", &O::border,
                "rule for pixels outside the image: reflect, reflect-101, replicate, "
                "constant, wrap or inside"),
          field("constant", &O::constant,
                "the value outside, with border constant; integer images take its whole part, and "
                "nan is only for floats"),
          field("anchor", &O::anchor,
                "column and row, from 0, of the footprint's pixel that lies on the output pixel; "
                "auto is the centre, column width/2 and row height/2"),
      },
      run_fields<O>());
}

/// Which of n sorted values is taken: `rank` is the one at that index, counted from the largest if
/// it is negative
/// (-1); `percentile` the one at int(n p / 100), the last for 100, where negative p count from 100
/// down. Neither: the median, the one at n / 2. Values that do not count make n smaller; if m of n
/// are left, rank r is the one at int(m (r + 1/2) / n).
struct RankOptions {
  std::optional<int> rank;
  std::optional<double> percentile;
  Border border = Border::reflect;
  double constant = 0;
  std::optional<Point> anchor;
  Backend backend = Backend::automatic;
  std::string method = "auto";
  int device = 0;

  static constexpr auto fields() {
    using O = RankOptions;
    return std::tuple_cat(
        std::tuple{
            field("rank", &O::rank,
                  "which of the sorted values: 0 is the smallest, -1 the largest"),
            field("percentile", &O::percentile,
                  "the same in percent: 0 is the smallest, 100 the largest; auto for both is the "
                  "median"),
        },
        rank_window_fields<O>());
  }
};

/// The options of a median.
struct MedianOptions {
  Border border = Border::reflect;
  double constant = 0;
  std::optional<Point> anchor;
  Backend backend = Backend::automatic;
  std::string method = "auto";
  int device = 0;

  static constexpr auto fields() { return rank_window_fields<MedianOptions>(); }
  RankOptions ranks() const {
    return {.border = border,
            .constant = constant,
            .anchor = anchor,
            .backend = backend,
            .method = method,
            .device = device};
  }
};

/// A footprint, an image size and type, and a chosen method. Immutable; copies share.
///
/// Images are u8, u16, f32 or f64 with 1 to 4 channels and any steps; channels are separate images,
/// and so are planes, unless the footprint has several: then they are a volume, plane d/2 of the
/// footprint's d lies on the output's plane, and the border holds along z too; on the CPU. The
/// result has the image's type, and its bytes are the same on every backend and with every method.
/// NaN do not count; if nothing else is under the footprint, the result is NaN. Negative zeros
/// count as zeros. With border `inside` pixels outside do not count either.
///
/// describe(): "median 4096x4096 u8 by 3x3: cpu square, neon, blocks of 4096x32".
class TESSERA_API RankFilter : public RowsPlan {
 public:
  /// A pixel belongs to the footprint if it is not zero; its sides can have up to 1024 pixels, and
  /// it can have up to 1024 planes.
  /// Throws Error(usage) with what would be right.
  RankFilter(const ImageInfo& image, AnyView footprint, const RankOptions& options = {});
};

/// Plan, run, return; for one image.
TESSERA_API Image rank_filter(AnyView in, AnyView footprint, const RankOptions& options = {});
TESSERA_API Image median(AnyView in, AnyView footprint, const MedianOptions& options = {});

}  // namespace tessera
