// SPDX-License-Identifier: Apache-2.0
#include "tessera/sources.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "python/doors.hpp"
#include "python/image_plan.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

struct Options {
  SourcesOptions own;
  RunOptions run;
  explicit Options(const nb::kwargs& given) { take_options("sources", given, own, run); }
};

class SourcesPlan : public ImagePlan<Sources> {
 public:
  SourcesPlan(const Array& like, const Options& options)
      : ImagePlan("sources", like, options.run,
                  [own = options.own](const ImageInfo& image) { return Sources(image, own); }) {}
};

const char* const kAbout =
    R"(Catalogues of the sources of an image: out[y, x] = factor * image[y, x].

image: (rows, columns), with channel_axis or batch_axis more; uint8, uint16, float32 or float64, of
    NumPy, CuPy, torch or anything with __dlpack__ or __cuda_array_interface__. Any strides, no copy.
out: an array of the result's shape and dtype to fill; it must not overlap the image.
Returns out, or a new array of the image's library.

>>> half = tessera.sources(image, factor=0.5))";

std::string parameters() {
  return option_parameters<SourcesOptions>() + option_parameters<RunOptions>();
}
std::string help() {
  return "\n\nOptions:\n" + option_help<SourcesOptions>() + option_help<RunOptions>();
}

}  // namespace

void add_sources(nb::module_& module) {
  module.def(
      "sources",
      [](nb::handle given, nb::handle out, const nb::kwargs& options) {
        const Array image = look_at(given, "sources: image");
        return SourcesPlan(image, Options(options))(image, out);
      },
      "image"_a, nb::kw_only(), "out"_a = nb::none(), "options"_a,
      nb::sig(kept("def sources(image: typing.Any, *, out: typing.Any = None" + parameters() +
                   ") -> typing.Any")),
      kept(kAbout + help()));

  nb::class_<SourcesPlan> plan(module, "Sources",
                               "Catalogues of the sources of an image, made ready for images of "
                               "one shape and dtype. Make it "
                               "once, call it many times, from any number of threads.");
  plan.def(
      "__init__",
      [](SourcesPlan* self, nb::handle shape, nb::handle dtype, const nb::kwargs& options) {
        new (self) SourcesPlan(expected_array("sources", shape, dtype), Options(options));
      },
      "shape"_a, "dtype"_a, "options"_a,
      nb::sig(kept("def __init__(self, shape: collections.abc.Sequence[int], "
                   "dtype: numpy.typing.DTypeLike, *" +
                   parameters() + ") -> None")),
      kept(">>> plan = tessera.Sources(image.shape, image.dtype, factor=0.5)\n"
           ">>> half = plan(image)" +
           help()));
  add_calls(plan);
}

}  // namespace tessera::python
