// SPDX-License-Identifier: Apache-2.0
/// The percentile of the box around every pixel, by SciPy's rule: of n sorted values the one at
/// int(n p / 100), the last for p = 100; negative p count from 100 down. The same values as
/// scipy.ndimage.percentile_filter, in nearly the same time for any box.
///
///     tessera::Image smooth = tessera::percentile_filter(in, 20, {.box = {41, 41}});
///
/// Or make the plan once and run it many times, from any number of threads:
///
///     tessera::PercentileFilter plan({{4096, 4096}, tessera::Type::f32}, 20, {.box = {41, 41}});
///     plan(in, out);
#pragma once

#include <string>
#include <tuple>

#include "tessera/export.hpp"
#include "tessera/image.hpp"
#include "tessera/noise_options.hpp"
#include "tessera/plan.hpp"
#include "tessera/stream.hpp"
#include "tessera/view.hpp"

namespace tessera {

struct PercentileOptions {
  NoiseBox box;
  Border border = Border::reflect;
  double constant = 0;
  Backend backend = Backend::automatic;
  std::string method = "auto";
  int device = 0;

  static constexpr auto fields() {
    using O = PercentileOptions;
    return std::tuple_cat(
        std::tuple{
            field("box", &O::box, "the box around each pixel", Range{1, 1024, "pixels"}),
            field("border", &O::border,
                  "rule for pixels outside the image: reflect, reflect-101, replicate, "
                  "constant, wrap or inside"),
            field(
                "constant", &O::constant,
                "the value outside, with border constant; integer images take its whole part, and "
                "nan is only for floats"),
        },
        run_fields<O>());
  }
};

/// An image size and type, a percentile and a chosen method. Immutable; copies share.
///
/// One channel, one plane, any steps; the result has the image's type. NaN are treated as blanks
/// and do not count; if the box has nothing else, the result is NaN.
///
/// describe(): "percentile_filter 4096x4096 f32, box 41x41: cpu columns, neon".
class TESSERA_API PercentileFilter : public RowsPlan {
 public:
  /// Throws Error(usage) with what would be right.
  PercentileFilter(const ImageInfo& image, double percentile,
                   const PercentileOptions& options = {});
};

/// For a whole image, which may be on a device; the result is in host memory.
TESSERA_API Image percentile_filter(AnyView in, double percentile,
                                    const PercentileOptions& options = {});

}  // namespace tessera
