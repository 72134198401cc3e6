// SPDX-License-Identifier: Apache-2.0
/// Background and noise at every pixel, from the box of pixels around it:
///
///     background(x, y) = Q50,   rms(x, y) = (Q75 - Q25) / 1.34896
///
/// with Q the quantiles of the box's valid values: sorted v, h = q (n - 1), i = floor h,
/// v_i + (h - i) (v_(i+1) - v_i), in double, rounded once (NumPy's and R's type 7). Sources in a
/// box hardly change its quartiles, unlike a mean and standard deviation.
///
///     tessera::NoiseMaps maps = tessera::noise(image, {.box = {64, 64}});
///     maps.background, maps.rms            // of the image's size
///
/// Or make the plan once and run it many times, from any number of threads:
///
///     tessera::Noise plan({{4096, 4096}, tessera::Type::f32}, {.box = {64, 64}});
///     tessera::Image maps(plan.output());  // plane 0: background, plane 1: rms
///     plan(in, maps.view());
///
/// A value is valid if it is finite (NaN and infinities are blanks; 0 too if requested). With n
/// of the box's pixels valid (those inside the image, with border inside), the maps are NaN if
/// n < max(min(8, pixels), pixels / 4), and where the pixel itself is blank unless `nomask`.
///
/// Mode exact with iqr, mad or quantiles: the same bytes from every backend and method, for any
/// pieces, threads and strips; likewise mode binned. Negative zeros count as zeros. Differences are
/// computed in double: if the values of an f64 image span more than the type's range they overflow,
/// to infinity or NaN.
/// Mode binned: the box's values in `bins` bins over m - 6 s … m + 6 s, with m the median and s the
/// noise of pixels in and around the 256 by 256 tile that the pixel lies in (counted from 0, 0);
/// values outside count in the end bins. With b the bin of v_i, a values before it and c in it,
/// Q = low + width (b + (h - a + 1/2) / c): at most 3/2 width = 18 s / bins from v_i, while the
/// exact value lies between v_i and v_(i+1). A pixel with a v_i in an end bin is computed exactly.
#pragma once

#include "tessera/export.hpp"
#include "tessera/image.hpp"
#include "tessera/noise_options.hpp"
#include "tessera/plan.hpp"
#include "tessera/stream.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// An image size and type, options, and a chosen method, for modes exact and binned (NoiseGrid has
/// the grid). Immutable; copies share.
///
/// Images are u8, u16, f32 or f64, one channel, one plane, any steps. Maps are f32, for f64 images
/// f64: planes background and rms, or one plane per quantile requested, of the image's size. In
/// mode binned row_step() is the height of a tile.
///
/// Rows outside the image that a piece holds are used as given, but with `two_pass` only for the
/// background: the difference follows the border rule.
///
/// describe(): "noise 4096x4096 f32, box 64x64, exact iqr: cpu columns, neon".
class TESSERA_API Noise : public RowsPlan {
 public:
  /// Throws Error(usage) with what would be right.
  explicit Noise(const ImageInfo& image, const NoiseOptions& options = {});
};

/// Maps of a whole host image, in any mode; `fill`: replaces NaN in the maps by the nearest pixel
/// that has a value (fill_from_nearest). Every plane of the image is an image of its own, and a
/// plane of both maps; the maps of a single plane share one block of memory.
struct NoiseMaps {
  Image background, rms;
};
TESSERA_API NoiseMaps noise(AnyView in, const NoiseOptions& options = {}, bool fill = false);

/// One map per quantile of options.quantiles, as planes: all planes of the first quantile, then all
/// of the next.
TESSERA_API Image noise_quantiles(AnyView in, const NoiseOptions& options, bool fill = false);

/// Replaces NaN in every plane by the nearest value (Euclidean; of equally near ones the first row
/// by row). A plane without any value stays as it is. Host views of f32 or f64.
TESSERA_API void fill_from_nearest(AnyMutableView maps);
/// The same on a stream's threads.
TESSERA_API void fill_from_nearest(AnyMutableView maps, const Stream& stream);

/// (in - background) / rms; NaN if `in` is blank, a map is NaN, or rms is 0. Host views of the same
/// size; `out` is f32 or f64. Some rows of an image are enough.
TESSERA_API void signal_to_noise(AnyView in, AnyView background, AnyView rms, AnyMutableView out,
                                 bool zero_is_blank = false);
/// The same on a host stream's threads.
TESSERA_API void signal_to_noise(AnyView in, AnyView background, AnyView rms, AnyMutableView out,
                                 bool zero_is_blank, const Stream& stream);

}  // namespace tessera
