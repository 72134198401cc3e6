// SPDX-License-Identifier: Apache-2.0
/// Spatial correlation of planes: for every shift (dx, dy) the sum of products of an image and
/// another one (or itself) shifted by it,
///
///     C(dx, dy) = sum over x, y and over pairs (i, j) of a_i(x + dx, y + dy) * b_j(x, y)
///
/// over all x, y for which both pixels are in their image. With b = a this is the autocorrelation.
///
///     tessera::Image map = tessera::correlate(planes, {.max_shift = 250});   // 250 x 250, f32
///
/// Or make the plan once and run it many times, from any number of threads:
///
///     tessera::Correlate plan({{500, 500, 1, 4}}, {.max_shift = 250});
///     plan(planes, map);                  // autocorrelation
///     plan(planes, other_planes, map);    // cross-correlation
#pragma once

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

/// Which shifts: 0 <= dx, dy < max_shift, or -max_shift < dx, dy < max_shift.
enum class Quadrants : unsigned char { one, all };
template <>
struct Names<Quadrants> {
  static constexpr std::array<std::pair<std::string_view, Quadrants>, 2> list{
      {{"one", Quadrants::one}, {"all", Quadrants::all}}};
};

/// The divisor of sums. `overlap`: the number of pixels in both images at that shift.
/// `energy`: the sum over its pairs of sqrt(sum of a_i^2 * sum of b_j^2), so that an
/// autocorrelation is 1 at shift 0, 0. `coefficient`: both, the mean product over the mean energy.
/// With these two, the map of planes that are all 0 is NaN.
enum class ShiftScale : unsigned char { none, overlap, energy, coefficient };
template <>
struct Names<ShiftScale> {
  static constexpr std::array<std::pair<std::string_view, ShiftScale>, 4> list{
      {{"none", ShiftScale::none},
       {"overlap", ShiftScale::overlap},
       {"energy", ShiftScale::energy},
       {"coefficient", ShiftScale::coefficient}}};
};

struct CorrelateOptions {
  int max_shift = 250;
  Quadrants quadrants = Quadrants::one;
  std::string sums = "all";
  ShiftScale scale = ShiftScale::none;
  int batch = 1;
  Backend backend = Backend::automatic;
  std::string method = "auto";
  int device = 0;

  static constexpr auto fields() {
    using O = CorrelateOptions;
    return std::tuple_cat(
        std::tuple{
            field("max-shift", &O::max_shift,
                  "shifts are smaller than this; at most the image's smaller side",
                  Range{.lowest = 1, .unit = "pixels"}),
            field("quadrants", &O::quadrants, "one: shifts right and down; all: every direction"),
            field("sums", &O::sums,
                  "the maps to make, each a sum over pairs of planes: all, each, pairs, joint, or "
                  "a list such as 0:0+1:1,0:2"),
            field("scale", &O::scale, "divisor of each shift's sum"),
            field("batch", &O::batch, "number of images among the planes, one after the other",
                  Range{1}),
        },
        run_fields<O>());
  }
};

/// Plane a_i with plane b_j.
struct PlanePair {
  int first = 0, second = 0;
  bool operator==(const PlanePair&) const = default;
};

/// One map: the pairs whose correlations it adds, and a name such as "0:0+1:1".
struct CorrelateSum {
  std::string name;
  std::vector<PlanePair> pairs;
};

/// The maps that a text names, for images with `planes` planes. "all": one map, every plane with
/// itself. "each": one map for every plane. "pairs": planes two by two (of a, b, x1, x2: colour,
/// then orientation). "joint": every plane of the first half with every one of the second (2 x 2
/// maps: a:x1, a:x2, b:x1, b:x2). Or a list: maps separated by ',', pairs by '+', planes counted
/// from 0. Throws Error(usage) with what would be right.
TESSERA_API std::vector<CorrelateSum> parse_sums(const std::string& text, int planes);

/// Sizes, maps, shifts and a chosen method. Immutable; copies share.
///
/// Images are u8, u16, f32 or f64 with any steps; all planes and channels count as planes (plane
/// after plane, channel after channel in each). Sums are computed in f32 or better; the map is f32,
/// one plane per map (image after image of a batch), one pixel per shift, row 0 the smallest dy.
///
/// Errors relative to C(0, 0): direct 1e-6, fft 5e-7. If a sum has a NaN or an infinity among
/// its terms the map has one too; the fft methods leave such images to direct.
///
/// describe(): "correlate 4 planes of 500x500 f32, shifts 250x250: cpu fft, neon, transforms of
/// 768x768".
class TESSERA_API Correlate : public ImagePlan {
 public:
  /// Throws Error(usage) with what would be right.
  explicit Correlate(const ImageInfo& image, const CorrelateOptions& options = {});

  const std::vector<CorrelateSum>& sums() const;
  Point first_shift() const;  ///< the shift of output pixel 0, 0

  /// On this thread's stream; returns when done.
  void operator()(AnyView image, AnyMutableView map) const;
  void operator()(AnyView image, AnyView other, AnyMutableView map) const;
  /// On a stream; work on a device is only enqueued. The autocorrelation has `other` = `image`.
  void operator()(AnyView image, AnyView other, AnyMutableView map, Stream& stream) const;
};

/// Plan, run, return; for one image or two of the same size.
TESSERA_API Image correlate(AnyView image, const CorrelateOptions& options = {});
TESSERA_API Image correlate(AnyView image, AnyView other, const CorrelateOptions& options = {});

}  // namespace tessera
