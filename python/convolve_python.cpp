// SPDX-License-Identifier: Apache-2.0
#include "tessera/convolve.hpp"

#include <nanobind/nanobind.h>

#include "python/doors.hpp"
#include "python/filter_argument.hpp"
#include "python/image_plan.hpp"
#include "python/row_calls.hpp"
#include "tessera/kept_plans.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

struct ConvolveKeywords {
  ConvolveOptions own;
  RunOptions run;
  ConvolveKeywords(nb::kwargs given, const Array& like) {
    if (given.contains("output_type") && names_own_dtype(like, given["output_type"])) {
      given = nb::borrow<nb::kwargs>(given.attr("copy")());
      nb::del(given["output_type"]);
    }
    take_options("convolve", own_border_names("convolve", given), own, run);
    check_constant("convolve: constant", like, own.border, own.constant);
  }
};

class ConvolvePlan : public ImagePlan<Convolve> {
 public:
  ConvolvePlan(const Array& like, nb::handle filter, const ConvolveKeywords& options)
      : ImagePlan(
            "convolve", like, options.run,
            [weights = filter_argument("convolve: filter", filter,
                                       filtered_axes("convolve: image", like, options.run, filter)),
             own = options.own](const ImageInfo& image) {
              return kept_plan<Convolve>(image, weights.view(), own);
            },
            Channels::apart, !options.own.output_type) {}
};

const std::string kAbout =
    R"(Filters an image: out[y, x] = scale * sum of filter[j, i] * image[y + j - ay, x + i - ax], where
(ay, ax) is the anchor.

)" + kImageArray +
    R"(filter: a 2-D array of weights or a name such as "gauss:2.5" (see tessera.filters()); a 3-D array
    for a volume, an image of axes (planes, rows, columns).
    flip=True turns it by 180 degrees with its anchor, which stays on the same weight: for odd sides
    that is scipy.ndimage.convolve; without it, scipy.ndimage.correlate.
out: an array of the result's shape and dtype to fill; it must not overlap the image.
Returns out, or a new array of the image's library. Integers are rounded to nearest even and
saturated; sums are in float32, of int32, uint32 and float64 in float64. Arrays on a device are filtered on their
library's current stream, without waiting.

>>> blurred = tessera.convolve(image, "gauss:2.5", border="reflect", channel_axis=-1))";

std::string convolve_parameters() {
  return option_parameters<ConvolveOptions>() + option_parameters<RunOptions>() + kScipyParameters;
}
std::string convolve_help() {
  return "\n\nOptions (points are (row, column)):\n" + option_help<ConvolveOptions>() +
         option_help<RunOptions>() + kScipyHelp;
}

}  // namespace

void add_convolve(nb::module_& module) {
  module.def(
      "convolve",
      [](nb::handle given, nb::handle filter, nb::handle out, const nb::kwargs& options) {
        const Array image = look_at_numbers(given, "convolve: image", ItemUse::values);
        return ConvolvePlan(image, filter, ConvolveKeywords(options, image))(image, out);
      },
      "image"_a, "filter"_a, nb::kw_only(), "out"_a = nb::none(), "options"_a,
      nb::sig(kept("def convolve(image: typing.Any, filter: typing.Any, *, out: typing.Any = None" +
                   convolve_parameters() + ") -> typing.Any")),
      kept(kAbout + convolve_help()));

  nb::class_<ConvolvePlan> plan(module, "Convolve",
                                "A filter made ready for images of one shape and dtype. Make it "
                                "once, call it many times, from any number of threads.");
  plan.def(
      "__init__",
      [](ConvolvePlan* self, nb::handle shape, nb::handle dtype, nb::handle filter,
         const nb::kwargs& options) {
        const Array like = expected_numbers("convolve", shape, dtype, ItemUse::values);
        new (self) ConvolvePlan(like, filter, ConvolveKeywords(options, like));
        self->remember(made_for(like) + nb::make_tuple(kept_weights("convolve: filter", filter)),
                       options);
      },
      "shape"_a, "dtype"_a, "filter"_a, "options"_a,
      nb::sig(kept("def __init__(self, shape: collections.abc.Sequence[int], "
                   "dtype: numpy.typing.DTypeLike, filter: typing.Any, *" +
                   convolve_parameters() + ") -> None")),
      kept(">>> blur = tessera.Convolve(image.shape, image.dtype, \"gauss:2.5\")\n"
           ">>> blurred = blur(image)" +
           convolve_help()));
  add_calls(plan);
  add_row_calls(plan, kPackedPlan);
}

}  // namespace tessera::python
