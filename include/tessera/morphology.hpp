// SPDX-License-Identifier: Apache-2.0
/// Erosion and dilation by flat elements of any shape, and what is made of both:
///
///     erode:         out(x, y) = min over the element's (i, j) of in(x + (i - ax), y + (j - ay))
///     dilate:        out(x, y) = max over the element's (i, j) of in(x - (i - ax), y - (j - ay))
///     opening:       dilate(erode(in)), without bright details that the element does not fit in
///     closing:       erode(dilate(in)), without such dark details
///     white_tophat:  in - opening(in), these bright details alone
///     black_tophat:  closing(in) - in, these dark details alone
///     morphological_gradient:  dilate(in) - erode(in), bright along edges
///
/// with (ax, ay) the anchor. Dilation thus reads the element rotated by 180 degrees, as in
/// textbooks, SciPy and MATLAB: it is the partner of erosion, and dilate(erode(in)) is an opening
/// for any element. OpenCV and scikit-image do not rotate it; with `flip` neither does dilate here.
///
///     tessera::Image disk = tessera::disk_element(12);
///     tessera::Image cells = tessera::dilate(in, disk.view());
///
/// Or make the plan once and run it many times, from any number of threads:
///
///     tessera::Morphology plan(tessera::MorphologyKind::erode, {{4096, 4096}, tessera::Type::u8},
///                              disk.view());
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

enum class MorphologyKind : unsigned char {
  erode,
  dilate,
  opening,
  closing,
  white_tophat,
  black_tophat,
  gradient
};
template <>
struct Names<MorphologyKind> {
  static constexpr std::array<std::pair<std::string_view, MorphologyKind>, 7> list{
      {{"erode", MorphologyKind::erode},
       {"dilate", MorphologyKind::dilate},
       {"opening", MorphologyKind::opening},
       {"closing", MorphologyKind::closing},
       {"white-tophat", MorphologyKind::white_tophat},
       {"black-tophat", MorphologyKind::black_tophat},
       {"gradient", MorphologyKind::gradient}}};
};

/// The meaning of samples to the kinds that subtract. To the other kinds it makes no difference.
enum class MorphologySamples : unsigned char {
  numbers,  ///< differences of integers are saturated: they do not wrap
  shifted,  ///< u8 or u16: signed integers plus 128 or 32768; the results are shifted as well
  truth,    ///< u8: true if not 0; the difference is 1 if only one of both is true, else 0
  i32,      ///< f64: signed integers of 32 bits; infinities stand for their limits
  u32       ///< f64: unsigned integers of 32 bits; the same
};

struct MorphologyOptions {
  Border border = Border::inside;
  double constant = 0;
  std::optional<Point> anchor;
  bool flip = false;
  Backend backend = Backend::automatic;
  std::string method = "auto";
  int device = 0;

  static constexpr auto fields() {
    using O = MorphologyOptions;
    return std::tuple_cat(
        std::tuple{
            field("border", &O::border,
                  "rule for pixels outside the image; inside: they do not count"),
            field(
                "constant", &O::constant,
                "the value outside, with border constant; integer images take its whole part, and "
                "nan is only for floats"),
            field("anchor", &O::anchor,
                  "column and row, from 0, of the element's pixel that lies on the output pixel; "
                  "auto is the centre, column width/2 and row height/2"),
            field("flip", &O::flip, "rotate the element by 180 degrees about its anchor"),
        },
        run_fields<O>());
  }
};

/// An element, an image size and type, and a chosen method. Immutable; copies share.
///
/// Images are u8, u16, f32 or f64 with 1 to 4 channels and any steps. The result has the image's
/// type, and its bytes are the same on every backend and with every method. If a NaN is within the
/// element's reach the result is NaN (always the same one: positive, quiet, without payload);
/// negative zero is smaller than positive zero.
///
/// An element of several planes makes the planes of the image a volume: plane d/2 of its d lies on
/// the output's plane, and the border holds along z too; on a device only if the image is there or
/// backend cuda is asked for. An element of one plane treats the planes one by one.
///
/// With border `inside` (the default) pixels outside do not count; if the element reaches no
/// pixel at all, erode gives the type's largest value (infinity for floats) and dilate its
/// smallest.
/// With border `valid` the output is smaller than the input.
///
/// Openings and closings run both passes over a few rows at a time, so that what lies between them
/// stays in the cache; nothing of the image's size is allocated. The border rule applies to the
/// image, then to the image between the passes, which has pixels only where the image has (with
/// border `valid` where the element fits; the output is then smaller by both passes).
///
/// describe(): "erode 4096x4096 u8 by 15x15: cpu separable, neon, 120 rows per piece".
class TESSERA_API Morphology : public RowsPlan {
 public:
  /// A pixel belongs to the element if it is not zero. Throws Error(usage) with what would be
  /// right.
  Morphology(MorphologyKind kind, const ImageInfo& image, AnyView element,
             const MorphologyOptions& options = {},
             MorphologySamples samples = MorphologySamples::numbers);

  Point first_pixel() const;  ///< the input pixel under output pixel 0, 0
};

/// Plan, run, return; for one image.
TESSERA_API Image erode(AnyView in, AnyView element, const MorphologyOptions& options = {});
TESSERA_API Image dilate(AnyView in, AnyView element, const MorphologyOptions& options = {});
TESSERA_API Image opening(AnyView in, AnyView element, const MorphologyOptions& options = {});
TESSERA_API Image closing(AnyView in, AnyView element, const MorphologyOptions& options = {});
TESSERA_API Image white_tophat(AnyView in, AnyView element, const MorphologyOptions& options = {});
TESSERA_API Image black_tophat(AnyView in, AnyView element, const MorphologyOptions& options = {});
TESSERA_API Image morphological_gradient(AnyView in, AnyView element,
                                         const MorphologyOptions& options = {});

}  // namespace tessera
