// SPDX-License-Identifier: Apache-2.0
/// The percentile of the box about every pixel, by SciPy's rule: of n sorted values the one at
/// int(n p / 100), the last for p = 100; negative p count from 100 down. The same values as
/// scipy.ndimage.percentile_filter, of any box in about the same time.
///
///     tessera::Image smooth = tessera::percentile_filter(in, 20, {.box = {41, 41}});
#pragma once

#include <string>
#include <tuple>

#include "tessera/export.hpp"
#include "tessera/image.hpp"
#include "tessera/noise_options.hpp"

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
            field("box", &O::box, "the box about each pixel, 1 to 1024 a side"),
            field("border", &O::border,
                  "what lies outside the image: reflect, reflect-101, replicate, constant, wrap or "
                  "inside"),
            field("constant", &O::constant, "the value outside, with border constant"),
        },
        run_fields<O>());
  }
};

/// One channel; the result has the image's type. NaN are taken for blanks and do not count;
/// where the box has none else, the result is NaN. `in` may lie on a device; the result is in host
/// memory. Throws Error(usage).
TESSERA_API Image percentile_filter(AnyView in, double percentile,
                                    const PercentileOptions& options = {});

}  // namespace tessera
