// SPDX-License-Identifier: Apache-2.0
/// 2-D filtering: out(x, y) = scale * sum of filter(i, j) * in(x + i - anchor.x, y + j - anchor.y).
///
/// Make the plan once, run it many times, from any number of threads:
///
///     tessera::Image blur = tessera::gaussian(2.5);
///     tessera::Convolve plan({{4096, 4096}, tessera::Type::f32}, blur.view());
///     plan(in, out);                       // in and out must not overlap
///
/// Or in one call, `tessera::Image out = tessera::convolve(in, blur.view());`
#pragma once

#include <optional>
#include <string>
#include <tuple>

#include "tessera/export.hpp"
#include "tessera/filters.hpp"
#include "tessera/image.hpp"
#include "tessera/options.hpp"
#include "tessera/plan.hpp"
#include "tessera/stream.hpp"
#include "tessera/view.hpp"

namespace tessera {

struct ConvolveOptions {
  Border border = Border::reflect_101;
  double constant = 0;
  std::optional<Point> anchor;
  double scale = 1;
  bool flip = false;
  std::optional<Type> output_type;
  Backend backend = Backend::automatic;
  std::string method = "auto";
  int device = 0;

  static constexpr auto fields() {
    using O = ConvolveOptions;
    return std::tuple_cat(
        std::tuple{
            field("border", &O::border, "rule for pixels outside the image"),
            field("constant", &O::constant,
                  "the value outside, with border constant; nan only for floats"),
            field("anchor", &O::anchor,
                  "column and row, from 0, of the weight that lies on the output pixel; auto is "
                  "the centre, column width/2 and row height/2"),
            field("scale", &O::scale, "factor of the sum", Range{}),
            field("flip", &O::flip, "rotate the filter by 180 degrees (true convolution)"),
            field("output-type", &O::output_type,
                  "type of the result: f32, f64, the input's own or, of u8 and u16, i16; integers "
                  "are "
                  "rounded to nearest even and saturated; auto is the input's own"),
        },
        run_fields<O>());
  }
};

/// A filter, an image size and type, and a chosen method. Immutable; copies share.
///
/// Images are u8, u16, f32 or f64 with 1 to 4 channels and any steps. Sums are in float, or in
/// double if input or output is f64. Every method agrees with method "reference" to within 2 n eps
/// scale sum|filter| max|in|, n the number of weights, eps that of the sums; the FFT methods have
/// their own bound (docs/accuracy.md). NaN and infinity propagate as in IEEE arithmetic; in an
/// integer output NaN becomes 0.
///
/// A filter of several planes makes the planes of the image a volume: out(x, y, z) also sums over
/// its planes k, of in(…, z + k - d/2) with d their number; the border holds along z too, and
/// inside is not offered. On a device only if the image is there or backend cuda is asked for. A
/// filter of one plane filters the planes one by one.
///
/// With border `valid` the output is smaller than the input. With border `inside` the sum over the
/// weights inside the image is multiplied by sum|filter| / sum|weights inside|, and is 0 if no
/// weight is inside.
///
/// describe(): "convolve 4096x4096 f32 by 7x7: cpu direct, neon, 32 rows per piece".
class TESSERA_API Convolve : public RowsPlan {
 public:
  /// Throws Error(usage) with what would be right.
  Convolve(const ImageInfo& image, AnyView filter, const ConvolveOptions& options = {});

  /// The whole image, on this thread's stream; returns when done. With backend auto and an image in
  /// host memory the CPU computes all of it if the device runs out of memory.
  void operator()(AnyView in, AnyMutableView out) const;
  void operator()(AnyView in, AnyMutableView out, Stream& stream) const;
  // Some rows. Throws Error(resources) if the device runs out of memory: rows computed by another
  // method would differ in the last bits from the rows that are done.
  using RowsPlan::operator();

  /// Largest distance of any sample from the exact result if no |input sample| exceeds this; an
  /// integer output adds the half unit of its rounding.
  double error_bound(double largest_input) const;
};

/// Plan, run, return; for one image.
TESSERA_API Image convolve(AnyView in, AnyView filter, const ConvolveOptions& options = {});

}  // namespace tessera
