// SPDX-License-Identifier: Apache-2.0
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "python/doors.hpp"
#include "python/image_plan.hpp"
#include "python/noise_arguments.hpp"
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

/// As SciPy has them.
struct ScipyOptions {
  ScipyMode mode = ScipyMode::reflect;
  double cval = 0;
  Backend backend = Backend::automatic;
  std::string method = "auto";
  int device = 0;

  static constexpr auto fields() {
    using O = ScipyOptions;
    return std::tuple_cat(
        std::tuple{field("mode", &O::mode,
                         "what lies outside: reflect (cba|abc), mirror (cb|abc), nearest, constant "
                         "or wrap"),
                   field("cval", &O::cval, "the value outside, with mode constant")},
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

nb::object filter(nb::handle given, nb::handle percentile, nb::handle size, nb::handle out,
                  const nb::kwargs& keywords) {
  ScipyOptions options;
  ImageRunOptions run;
  take_options(kOperation, keywords, options, run);
  double percent = 0;
  from_python(std::string(kOperation) + ": percentile", percentile, percent);
  NoiseBox box;
  from_python(std::string(kOperation) + ": size", size, box);
  const Array image = look_at(given, std::string(kOperation) + ": image");
  check_two_axes(std::string(kOperation) + ": image", image);
  ImagePlan<PercentileFilter> plan(
      kOperation, image, {.threads = run.threads, .memory_limit = run.memory_limit},
      [&](const ImageInfo& info) { return PercentileFilter(info, percent, options.own(box)); });
  return plan(image, out);
}

constexpr const char* kAbout =
    R"(The percentile of the box of pixels about every pixel: the same values as
scipy.ndimage.percentile_filter, of any box in about the same time.

image: (rows, columns); uint8, uint16, float32 or float64, of NumPy, CuPy, torch or anything with
    __dlpack__ or __cuda_array_interface__. Any strides, no copy.
percentile: 0 to 100, the sorted value at int(n percentile / 100); negative ones count from 100 down.
size: of the box, a whole number or (rows, columns), 1 to 1024.
out: an array of the image's shape and dtype to fill; it must not overlap the image.
Returns out, or a new array of the image's library and dtype. NaN do not count; where a box has
nothing else the result is NaN.

>>> floor = tessera.percentile_filter(image, 20, size=41, mode="nearest"))";

}  // namespace

void add_percentile_filter(nb::module_& module) {
  module.def(kOperation, filter, "image"_a, "percentile"_a, "size"_a, nb::kw_only(),
             "out"_a = nb::none(), "options"_a,
             nb::sig(kept("def percentile_filter(image: typing.Any, percentile: float, "
                          "size: int | tuple[int, int], *, out: typing.Any = None" +
                          option_parameters<ScipyOptions>() + option_parameters<ImageRunOptions>() +
                          ") -> typing.Any")),
             kept(kAbout + ("\n\nOptions:\n" + option_help<ScipyOptions>()) +
                  option_help<ImageRunOptions>()));
}

}  // namespace tessera::python
