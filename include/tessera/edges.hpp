// SPDX-License-Identifier: Apache-2.0
/// How steep an image is: out(x, y) = scale * sqrt(gx^2 + gy^2), with gx and gy the image filtered
/// by two derivatives (tessera/convolve.hpp).
///
///     tessera::Image steep = tessera::edges(in, "sobel");
///
/// Or make the plan once and run it many times, from any number of threads:
///
///     const tessera::EdgeFilters pair = tessera::edge_filters("gauss:2");
///     tessera::Edges plan(in.info(), pair.x.view(), pair.y.view(), {.scale = pair.scale});
///     plan(in, out);
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "tessera/export.hpp"
#include "tessera/filters.hpp"
#include "tessera/image.hpp"
#include "tessera/options.hpp"
#include "tessera/plan.hpp"
#include "tessera/view.hpp"

namespace tessera {

struct EdgesOptions {
  Border border = Border::reflect;
  double constant = 0;
  double scale = 1;
  std::optional<Type> output_type;
  Backend backend = Backend::automatic;
  std::string method = "auto";
  int device = 0;

  static constexpr auto fields() {
    using O = EdgesOptions;
    return std::tuple_cat(
        std::tuple{
            field("border", &O::border, "rule for pixels outside the image"),
            field("constant", &O::constant,
                  "the value outside, with border constant; nan only for floats"),
            field("scale", &O::scale, "factor of the result", Range{}),
            field("output-type", &O::output_type,
                  "type of the result: f32, f64 or the input's own; integers are rounded to "
                  "nearest even and saturated; auto is the input's own"),
        },
        run_fields<O>());
  }
};

/// Derivatives along x and y, and the factor of their magnitude.
struct EdgeFilters {
  Image x, y;
  double scale = 1;
};

/// By name: "sobel", "scharr", "prewitt" as in scikit-image, the root of the mean of both squares
/// with weights that sum to 1 on either side, so that results are within the range of the image;
/// "gauss:SIGMA" as in scipy.ndimage.gaussian_gradient_magnitude. Throws Error(usage) naming what
/// would be right.
TESSERA_API EdgeFilters edge_filters(std::string_view text);

/// How they are written, for help texts.
TESSERA_API const std::vector<FilterUsage>& edge_usages();

/// Two filters of the same size, an image size and type. Immutable; copies share.
///
/// Images are u8, u16, f32 or f64 with 1 to 4 channels and any steps; channels and planes are
/// filtered one by one. Sums are in float, or in double if input or output is f64; the magnitude is
/// in double. NaN propagate; in an integer output NaN becomes 0. Plans run on the CPU.
///
/// describe(): "edges 4096x4096 u8 by 3x3: cpu pair, separable, 32 rows per piece".
class TESSERA_API Edges : public RowsPlan {
 public:
  /// Throws Error(usage) with what would be right.
  Edges(const ImageInfo& image, AnyView x, AnyView y, const EdgesOptions& options = {});

  /// Largest distance of any sample from the exact result if no |input sample| exceeds this; an
  /// integer output adds the half unit of its rounding.
  double error_bound(double largest_input) const;
};

/// Plan, run, return; for one image.
TESSERA_API Image edges(AnyView in, std::string_view filters, EdgesOptions options = {});

}  // namespace tessera
