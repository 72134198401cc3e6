// SPDX-License-Identifier: Apache-2.0
#include <nanobind/nanobind.h>

#include <cmath>

#include "python/doors.hpp"
#include "python/image_plan.hpp"
#include "python/noise_arguments.hpp"
#include "tessera/kept_plans.hpp"
#include "tessera/percentile_filter.hpp"

namespace tessera {

/// SciPy's names of borders.
enum class ScipyMode : unsigned char { reflect, mirror, nearest, constant, wrap };
template <>
struct Names<ScipyMode> {
  static constexpr std::array<std::pair<std::string_view, ScipyMode>, 5> list{
      {{"reflect", ScipyMode::reflect},
       {"mirror", ScipyMode::mirror},
       {"nearest", ScipyMode::nearest},
       {"constant", ScipyMode::constant},
       {"wrap", ScipyMode::wrap}}};
};

}  // namespace tessera

namespace tessera::python {
namespace {

using namespace nb::literals;

constexpr const char* kOperation = "percentile_filter";

Border border_of(ScipyMode mode) {
  switch (mode) {
    case ScipyMode::mirror:
      return Border::reflect_101;
    case ScipyMode::nearest:
      return Border::replicate;
    case ScipyMode::constant:
      return Border::constant;
    case ScipyMode::wrap:
      return Border::wrap;
    default:
      return Border::reflect;
  }
}

/// Named as in SciPy.
struct ScipyOptions {
  ScipyMode mode = ScipyMode::reflect;
  double cval = 0;
  Backend backend = Backend::automatic;
  std::string method = "auto";
  int device = 0;

  static constexpr auto fields() {
    using O = ScipyOptions;
    return std::tuple_cat(
        std::tuple{
            field("mode", &O::mode,
                  "what lies outside: reflect (cba|abc), mirror (cb|abc), nearest, constant "
                  "or wrap"),
            field("cval", &O::cval,
                  "the value outside, with mode constant; its fraction is dropped for images of "
                  "integers, as in SciPy, and it saturates")},
        run_fields<O>());
  }
  PercentileOptions own(NoiseBox box) const {
    return {.box = box,
            .border = border_of(mode),
            .constant = cval,
            .backend = backend,
            .method = method,
            .device = device};
  }
};

/// Parameters of SciPy's that are not offered, by name.
void refuse_others(const nb::kwargs& keywords) {
  for (const char* name : {"footprint", "origin", "axes"})
    if (keywords.contains(name))
      throw nb::type_error((std::string(kOperation) + ": " + name +
                            " is not offered; boxes are whole and centred, size=(rows, columns)")
                               .c_str());
}

/// SciPy calls it output.
nb::handle result_of(nb::handle out, nb::handle output) {
  if (output.is_none()) return out;
  if (!out.is_none())
    throw nb::type_error("percentile_filter: out and output are both given; leave out one of them");
  return output;
}

nb::object filter(nb::handle given, nb::handle percentile, nb::handle size, nb::handle out,
                  nb::handle output, const nb::kwargs& keywords) {
  refuse_others(keywords);
  refuse_masked(std::string(kOperation) + ": image", given);
  ScipyOptions options;
  HostOptions run;
  take_options(kOperation, keywords, options, run);
  double percent = 0;
  from_python(std::string(kOperation) + ": percentile", percentile, percent);
  NoiseBox box;
  from_python(std::string(kOperation) + ": size", size, box);
  const Array image = look_at(given, std::string(kOperation) + ": image");
  // SciPy gives the value outside the type of the image: fractions of integers are dropped.
  if (is_integer(image.type)) options.cval = std::trunc(options.cval);
  check_two_axes(std::string(kOperation) + ": image", image);
  ImagePlan<PercentileFilter> plan(
      kOperation, image, RunOptions{run, std::nullopt, std::nullopt}, [&](const ImageInfo& info) {
        return kept_plan<PercentileFilter>(info, percent, options.own(box));
      });
  return plan(image, result_of(out, output));
}

constexpr const char* kAboutPercentile =
    R"(The percentile of the box of pixels around every pixel: the same values as
scipy.ndimage.percentile_filter, in about the same time for any box.

image: (rows, columns); uint8, uint16, float32 or float64, of NumPy, CuPy, torch or anything with
    __dlpack__ or __cuda_array_interface__. Any strides, no copy.
percentile: 0 to 100, the sorted value at int(n percentile / 100); negative ones count from 100 down.
size: of the box, a whole number or (rows, columns), up to 1024 pixels each way.
out, output: an array of the image's shape and dtype to fill; it must not overlap the image.
Returns out, or a new array of the image's library and dtype. NaN do not count; if a box has
nothing else, the result is NaN.

>>> floor = tessera.percentile_filter(image, 20, size=41, mode="nearest"))";

}  // namespace

void add_percentile_filter(nb::module_& module) {
  module.def(kOperation, filter, "image"_a, "percentile"_a, "size"_a, nb::kw_only(),
             "out"_a = nb::none(), "output"_a = nb::none(), "options"_a,
             nb::sig(kept("def percentile_filter(image: typing.Any, percentile: float, "
                          "size: int | tuple[int, int], *, out: typing.Any = None, "
                          "output: typing.Any = None" +
                          option_parameters<ScipyOptions>() + option_parameters<HostOptions>() +
                          ") -> typing.Any")),
             kept(kAboutPercentile + ("\n\nOptions:\n" + option_help<ScipyOptions>()) +
                  option_help<HostOptions>()));
}

}  // namespace tessera::python
