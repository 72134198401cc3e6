// SPDX-License-Identifier: Apache-2.0
#include "tessera/enhance.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "jobs/enhance/enhance_job.hpp"
#include "python/doors.hpp"
#include "python/enhance_steps.hpp"
#include "python/filter_argument.hpp"
#include "python/image_plan.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

Image weights_argument(const std::string& operation, nb::handle weights) {
  if (weights.is_none()) return {};
  if (nb::isinstance<nb::str>(weights)) return load_smoothing(nb::cast<std::string>(weights));
  return filter_argument(operation + ": weights", weights);
}

class EnhancePlan : public ImagePlan<Enhance> {
 public:
  EnhancePlan(const std::string& operation, const Array& like, const EnhanceOptions& own,
              const RunOptions& run, nb::handle weights)
      : ImagePlan(
            operation, like, with_colours(run, like.shape),
            [own, image = weights_argument(operation, weights)](const ImageInfo& info) {
              return Enhance(info, own, image ? AnyView(image.view()) : AnyView());
            },
            Channels::colours) {}
};

struct Options {
  EnhanceOptions own;
  RunOptions run;
  explicit Options(const nb::kwargs& given) { take_options("enhance", given, own, run); }
};

constexpr const char* kEnhance =
    R"(Makes an image readable, step by step: grey, histogram, contrast,
equalise, clahe, smooth, in any order. A grey result of colours has no axis for them.

weights: a 2-D array of whole numbers, or the name of a file, in the place of `smooth`.

>>> readable = tessera.enhance(scan)                                # grey, contrast, smooth
>>> local = tessera.enhance(scan, steps="grey,clahe", clip=0.02))";

/// One step as a function of its own; `Own` are its options.
template <class Own>
void add_step(nb::module_& module, const std::string& about) {
  static constexpr const char* kName = Own::kName;
  module.def(
      kName,
      [](nb::handle given, nb::handle out, const nb::kwargs& keywords) {
        Own own;
        StepPlace place;
        RunOptions run;
        take_options(kName, keywords, own, place, run);
        const Array image = look_at(given, std::string(kName) + ": image");
        return EnhancePlan(kName, image, options_of(own, place), run, nb::none())(image, out);
      },
      "image"_a, nb::kw_only(), "out"_a = nb::none(), "options"_a,
      nb::sig(kept(std::string("def ") + kName + "(image: typing.Any, *, out: typing.Any = None" +
                   option_parameters<Own>() + option_parameters<StepPlace>() +
                   option_parameters<RunOptions>() + ") -> typing.Any")),
      kept(about + kEnhanceArrays + "\n\nOptions (points are (row, column)):\n" +
           option_help<Own>() + option_help<StepPlace>() + option_help<RunOptions>()));
}

void add_smooth(nb::module_& module) {
  module.def(
      "smooth",
      [](nb::handle given, nb::handle weights, nb::handle out, const nb::kwargs& keywords) {
        StepPlace place;
        RunOptions run;
        take_options("smooth", keywords, place, run);
        const Array image = look_at(given, "smooth: image");
        return EnhancePlan("smooth", image, options_of(SmoothStep{}, place), run, weights)(image,
                                                                                           out);
      },
      "image"_a, "weights"_a = "triangle:5", nb::kw_only(), "out"_a = nb::none(), "options"_a,
      nb::sig(kept("def smooth(image: typing.Any, weights: typing.Any = \"triangle:5\", *, "
                   "out: typing.Any = None" +
                   option_parameters<StepPlace>() + option_parameters<RunOptions>() +
                   ") -> typing.Any")),
      kept(std::string(
               "Weighted means over neighbours, exact: (sum of w v + W div 2) div W over the "
               "weights w whose\npixel is inside the image, W their sum.") +
           kEnhanceArrays +
           "\n\nweights: a 2-D array of whole numbers, the name of a file, or a name: "
           "\"triangle:5\", \"binomial:3\",\n    \"ones:3x3\", or a filter such as "
           "\"gauss:2\".\n\n>>> soft = tessera.smooth(image, \"binomial:5\")\n\nOptions:\n" +
           option_help<StepPlace>() + option_help<RunOptions>()));
}

void add_plan(nb::module_& module, const std::string& parameters, const std::string& help) {
  nb::class_<EnhancePlan> plan(module, "Enhance",
                               "Steps made ready for images of one shape and dtype. Make it once, "
                               "call it many times, from any number of threads.");
  plan.def(
      "__init__",
      [](EnhancePlan* self, nb::handle shape, nb::handle dtype, nb::handle weights,
         const nb::kwargs& given) {
        const Options options(given);
        new (self) EnhancePlan("enhance", expected_array("enhance", shape, dtype), options.own,
                               options.run, weights);
      },
      "shape"_a, "dtype"_a, nb::kw_only(), "weights"_a = nb::none(), "options"_a,
      nb::sig(kept("def __init__(self, shape: collections.abc.Sequence[int], "
                   "dtype: numpy.typing.DTypeLike, *, weights: typing.Any = None" +
                   parameters + ") -> None")),
      kept(">>> plan = tessera.Enhance(scan.shape, scan.dtype, steps=\"grey,contrast\")\n"
           ">>> readable = plan(scan)" +
           help));
  add_calls(plan);
}

}  // namespace

void add_enhance(nb::module_& module) {
  const std::string parameters =
      option_parameters<EnhanceOptions>() + option_parameters<RunOptions>();
  const std::string help = "\n\nOptions (points are (row, column)):\n" +
                           option_help<EnhanceOptions>() + option_help<RunOptions>();
  module.def(
      "enhance",
      [](nb::handle given, nb::handle out, nb::handle weights, const nb::kwargs& keywords) {
        const Options options(keywords);
        const Array image = look_at(given, "enhance: image");
        return EnhancePlan("enhance", image, options.own, options.run, weights)(image, out);
      },
      "image"_a, nb::kw_only(), "out"_a = nb::none(), "weights"_a = nb::none(), "options"_a,
      nb::sig(kept("def enhance(image: typing.Any, *, out: typing.Any = None, "
                   "weights: typing.Any = None" +
                   parameters + ") -> typing.Any")),
      kept(std::string(kEnhance) + kEnhanceArrays + help));
  add_plan(module, parameters, help);
  add_step<GreyStep>(module,
                     "Grey of colours: (wr R + wg G + wb B + 2^15) div 2^16, without the axis of "
                     "the colours; with\nalpha, 2 channels are left.\n\n>>> grey = "
                     "tessera.grey(photo, weights=\"bt601\")");
  add_step<ContrastStep>(module,
                         "Stretches values so that low becomes black and high white, both found "
                         "in the image itself.\n\n>>> clear = tessera.contrast(scan, low=1, "
                         "high=99)");
  add_step<EqualiseStep>(module,
                         "Histogram equalisation over the whole image.\n\n>>> even = "
                         "tessera.equalise(grey)");
  add_step<ClaheStep>(module,
                      "Adaptive histogram equalisation as scikit-image's equalize_adapthist has "
                      "it, within one level.\n\n>>> local = tessera.clahe(grey, clip=0.02)");
  add_smooth(module);
}

}  // namespace tessera::python
