// SPDX-License-Identifier: Apache-2.0
#include "tessera/enhance.hpp"

#include <nanobind/nanobind.h>

#include "python/doors.hpp"
#include "python/enhance_steps.hpp"
#include "python/enhance_sweeps_python.hpp"
#include "python/filter_argument.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

struct Options {
  EnhanceOptions own;
  RunOptions run;
  explicit Options(const nb::kwargs& given) { take_options("enhance", given, own, run); }
};

constexpr const char* kEnhance =
    R"(Makes an image readable, step by step: grey, histogram, contrast,
equalise, clahe, smooth, in any order. A grey result of colours has no axis for them. Floats have no
histogram, no equalise and no rule threshold; contrast and clahe make 0 to 1 of them.

weights: a 2-D array of whole numbers, or the name of a file, instead of `smooth`.

>>> readable = tessera.enhance(scan)                                # grey, contrast, smooth
>>> local = tessera.enhance(scan, steps="grey,clahe", clip=0.02))";

/// A step without weights.
void add_step(nb::module_& module, const EnhanceFunction& step, const std::string& about) {
  module.def(
      step.name,
      [step](nb::handle given, nb::handle out, const nb::kwargs& keywords) {
        RunOptions run;
        const auto own = step.take<EnhanceOptions>(keywords, run);
        const Array image = look_at_samples(given, std::string(step.name) + ": image");
        return EnhancePlan(step.name, image, own, run, nb::none())(image, out);
      },
      "image"_a, nb::kw_only(), "out"_a = nb::none(), "options"_a,
      nb::sig(kept("def " + std::string(step.name) + "(image: typing.Any, *, " +
                   "out: typing.Any = None" + step.parameters<EnhanceOptions>() +
                   ") -> typing.Any")),
      kept(about + kEnhanceArrays + step.help<EnhanceOptions>()));
}

/// One whose weights are an argument; `set` gives them to the step and returns those of the plan.
template <class Set>
void add_weighted_step(nb::module_& module, const char* name, const char* type,
                       const std::string& usual, const std::string& about, Set set) {
  const EnhanceFunction step{name, {}};
  module.def(
      name,
      [step, set](nb::handle given, nb::handle weights, nb::handle out,
                  const nb::kwargs& keywords) {
        RunOptions run;
        auto own = step.take<EnhanceOptions>(keywords, run);
        const nb::object planned = set(own, weights);
        const Array image = look_at_samples(given, std::string(step.name) + ": image");
        return EnhancePlan(step.name, image, own, run, planned)(image, out);
      },
      "image"_a, "weights"_a = usual.c_str(), nb::kw_only(), "out"_a = nb::none(), "options"_a,
      nb::sig(kept("def " + std::string(name) + "(image: typing.Any, weights: " + type + " = \"" +
                   usual + "\", *, out: typing.Any = None" + step.parameters<EnhanceOptions>() +
                   ") -> typing.Any")),
      kept(about + kEnhanceArrays + step.help<EnhanceOptions>()));
}

void add_weighted_steps(nb::module_& module) {
  add_weighted_step(
      module, "grey", "str", EnhanceOptions{}.grey,
      "Grey of colours: (wr R + wg G + wb B + 2^15) div 2^16, without the axis of the colours; "
      "with\nalpha, 2 channels are left. Floats are not rounded to whole numbers.\n\nweights: of "
      "red, green and blue: \"classic\", "
      "\"bt601\", \"bt709\", or three integers over 65536\n    such as "
      "\"19712,38656,7168\".\n\n>>> grey = tessera.grey(photo, weights=\"bt601\")",
      [](EnhanceOptions& own, nb::handle weights) {
        from_python("grey: weights", weights, own.grey);
        return nb::none();
      });
  add_weighted_step(
      module, "smooth", "typing.Any", EnhanceOptions{}.smooth,
      "Weighted means over neighbours, exact: (sum of w v + W div 2) div W over the weights w "
      "whose\npixel is inside the image, W their sum; floats are not rounded to whole "
      "numbers.\n\nweights: a 2-D array of whole numbers, "
      "the name of a file, or a name: \"triangle:5\", \"binomial:3\",\n    \"ones:3x3\", or a "
      "filter such as \"gauss:2\".\n\n>>> soft = tessera.smooth(image, \"binomial:5\")",
      [](EnhanceOptions&, nb::handle weights) { return nb::borrow(weights); });
}

void add_enhance_plan(nb::module_& module, const std::string& parameters, const std::string& help) {
  nb::class_<EnhancePlan> plan(module, "Enhance",
                               "Steps made ready for images of one shape and dtype. Make it once, "
                               "call it many times, from any number of threads.");
  plan.def(
      "__init__",
      [](EnhancePlan* self, nb::handle shape, nb::handle dtype, nb::handle weights,
         const nb::kwargs& given) {
        const Options options(given);
        const Array like = expected_array("enhance", shape, dtype);
        new (self) EnhancePlan("enhance", like, options.own, options.run, weights);
        nb::kwargs all = nb::borrow<nb::kwargs>(given.attr("copy")());
        all["weights"] = kept_weights("enhance: weights", weights);
        self->remember(made_for(like), all);
      },
      "shape"_a, "dtype"_a, nb::kw_only(), "weights"_a = nb::none(), "options"_a,
      nb::sig(kept("def __init__(self, shape: collections.abc.Sequence[int], "
                   "dtype: numpy.typing.DTypeLike, *, weights: typing.Any = None" +
                   parameters + ") -> None")),
      kept(">>> plan = tessera.Enhance(scan.shape, scan.dtype, steps=\"grey,contrast\")\n"
           ">>> readable = plan(scan)" +
           help));
  add_calls(plan);
  add_enhance_rows(plan);
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
        const Array image = look_at_samples(given, "enhance: image");
        return EnhancePlan("enhance", image, options.own, options.run, weights)(image, out);
      },
      "image"_a, nb::kw_only(), "out"_a = nb::none(), "weights"_a = nb::none(), "options"_a,
      nb::sig(kept("def enhance(image: typing.Any, *, out: typing.Any = None, "
                   "weights: typing.Any = None" +
                   parameters + ") -> typing.Any")),
      kept(std::string(kEnhance) + kEnhanceArrays + help));
  add_enhance_plan(module, parameters, help);
  add_weighted_steps(module);
  add_step(module, {"contrast", {"rule", "low", "high", "threshold", "channels"}},
           "Stretches values so that low becomes black and high white, both found in the image "
           "itself; floats\nbecome 0 to 1, and NaN stay.\n\n>>> clear = tessera.contrast(scan, "
           "low=1, high=99)");
  add_step(module, {"equalise", {"channels"}},
           "Histogram equalisation over the whole image.\n\n>>> even = tessera.equalise(grey)");
  add_step(module, {"clahe", {"tiles", "clip", "channels"}},
           "Adaptive histogram equalisation like scikit-image's equalize_adapthist, within one "
           "level; floats\nbecome 0 to 1, to the bit as there if they lie in 0 to 1 and span a "
           "quarter of it. Colours with\nchannels=\"value\" as there, too.\n\ntiles: (rows, "
           "columns) of the grid of tiles: how many there are, not how "
           "large they "
           "are.\n\n>>> local = tessera.clahe(grey, clip=0.02, tiles=(4, 6))");
}

}  // namespace tessera::python
