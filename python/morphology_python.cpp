// SPDX-License-Identifier: Apache-2.0
#include "tessera/morphology.hpp"

#include <nanobind/nanobind.h>

#include <algorithm>

#include "jobs/morphology/morphology_job.hpp"
#include "python/doors.hpp"
#include "python/filter_argument.hpp"
#include "python/image_plan.hpp"
#include "python/row_calls.hpp"
#include "python/text.hpp"
#include "tessera/kept_plans.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

MorphologySamples samples_of(const Items& items) {
  if (items.kind == ItemKind::boolean) return MorphologySamples::truth;
  if (items.offset() != 0) return MorphologySamples::shifted;
  if (items.bytes != 4 || items.kind == ItemKind::floating) return MorphologySamples::numbers;
  return items.kind == ItemKind::whole ? MorphologySamples::u32 : MorphologySamples::i32;
}

/// "white_tophat"
std::string function_name(MorphologyKind kind) {
  if (kind == MorphologyKind::gradient) return "morphological_gradient";
  std::string name(name_of(kind));
  std::ranges::replace(name, '-', '_');
  return name;
}

class MorphologyPlan : public ImagePlan<Morphology> {
 public:
  MorphologyPlan(MorphologyKind kind, const Array& like, nb::handle element,
                 const nb::kwargs& given)
      : MorphologyPlan(kind, like, element, Options(kind, like, given)) {}

 private:
  struct Options {
    MorphologyOptions own;
    RunOptions run;
    Options(MorphologyKind kind, const Array& like, const nb::kwargs& given) {
      const std::string name = function_name(kind);
      take_options(name.c_str(), own_border_names(name.c_str(), given), own, run);
      check_constant(name + ": constant", like, own.border, own.constant);
      own.constant = sample_outside(like.items, own.constant);
    }
  };
  static bool takes_volumes(MorphologyKind kind) {
    return kind == MorphologyKind::erode || kind == MorphologyKind::dilate;
  }
  static Image element_argument(MorphologyKind kind, nb::handle element, int axes) {
    const std::string what = function_name(kind) + ": element";
    if (nb::isinstance<nb::str>(element))
      return named_weights(what, loaded_once(name_text(what, element), load_element), axes);
    return filter_argument(what, element, axes);
  }
  MorphologyPlan(MorphologyKind kind, const Array& like, nb::handle element, const Options& options)
      : ImagePlan(function_name(kind), like, options.run,
                  [kind,
                   shape = element_argument(
                       kind, element,
                       filtered_axes(function_name(kind) + ": image", like, options.run, element,
                                     takes_volumes(kind) ? kVolumeHint : kNoVolumeHint)),
                   own = options.own, samples = samples_of(like.items)](const ImageInfo& image) {
                    return kept_plan<Morphology>(kind, image, shape.view(), own, samples);
                  }) {}
};

/// Classes of Python are types here.
template <MorphologyKind kKind>
class MorphologyPlanOf : public MorphologyPlan {
 public:
  MorphologyPlanOf(const Array& like, nb::handle element, const nb::kwargs& given)
      : MorphologyPlan(kKind, like, element, given) {}
};

const std::string kMorphologyArguments =
    "\n\n" + kImageArray +
    R"(element: a 2-D array, its pixels those that are not 0, or a name such as "disk:12" (see
    tessera.elements()); a 3-D array for a volume, an image of axes (planes, rows, columns).
out: an array of the image's shape (smaller with border "valid") and dtype to fill; it must not
    overlap the image.
Returns out, or a new array of the image's library. The bytes are the same on every backend. Where a
NaN is in reach the result is NaN; with border "inside", the default, pixels outside do not count.)";

std::string morphology_parameters() {
  return option_parameters<MorphologyOptions>() + option_parameters<RunOptions>() +
         kScipyParameters;
}
std::string morphology_help() {
  return "\n\nOptions (points are (row, column)):\n" + option_help<MorphologyOptions>() +
         option_help<RunOptions>() + kScipyHelp;
}

void add_function(nb::module_& module, const char* name, MorphologyKind kind,
                  const std::string& about, const std::string& example) {
  module.def(
      name,
      [kind](nb::handle given, nb::handle element, nb::handle out, const nb::kwargs& options) {
        const Array image = look_at_numbers(given, function_name(kind) + ": image", ItemUse::order);
        return MorphologyPlan(kind, image, element, options)(image, out);
      },
      "image"_a, "element"_a, nb::kw_only(), "out"_a = nb::none(), "options"_a,
      nb::sig(kept("def " + std::string(name) + "(image: typing.Any, element: typing.Any, *, " +
                   "out: typing.Any = None" + morphology_parameters() + ") -> typing.Any")),
      kept(about + kMorphologyArguments + "\n\n" + example + morphology_help()));
}

template <MorphologyKind kKind>
void add_class(nb::module_& module, const char* class_name) {
  using Plan = MorphologyPlanOf<kKind>;
  nb::class_<Plan> plan(module, class_name,
                        "An element made ready for images of one shape and dtype. Make it once, "
                        "call it many times, from any number of threads.");
  plan.def(
      "__init__",
      [](Plan* self, nb::handle shape, nb::handle dtype, nb::handle element,
         const nb::kwargs& options) {
        const std::string name = function_name(kKind);
        const Array like = expected_numbers(name, shape, dtype, ItemUse::order);
        new (self) Plan(like, element, options);
        self->remember(made_for(like) + nb::make_tuple(kept_weights(name + ": element", element)),
                       options);
      },
      "shape"_a, "dtype"_a, "element"_a, "options"_a,
      nb::sig(kept("def __init__(self, shape: collections.abc.Sequence[int], "
                   "dtype: numpy.typing.DTypeLike, element: typing.Any, *" +
                   morphology_parameters() + ") -> None")),
      kept(std::string(">>> plan = tessera.") + class_name +
           "(image.shape, image.dtype, \"disk:12\")\n>>> result = plan(image)" +
           morphology_help()));
  add_calls(plan);
  add_row_calls(plan, kPackedPlan);
}

/// A remark of all words that subtract.
const std::string kDifferences =
    "\n\nDifferences of integers are saturated; those of bool are true where one is true and the\n"
    "other is not.";

void add_two_passes(nb::module_& module) {
  add_function(module, "opening", MorphologyKind::opening,
               "Opens an image: dilate(erode(image)), in which bright details that the element "
               "does not\nfit in are gone.",
               ">>> smoother = tessera.opening(image, \"disk:3\")");
  add_function(module, "closing", MorphologyKind::closing,
               "Closes an image: erode(dilate(image)), in which dark details that the element "
               "does not\nfit in are gone.",
               ">>> filled = tessera.closing(mask, \"disk:3\")");
  add_function(module, "white_tophat", MorphologyKind::white_tophat,
               "The white top-hat of an image: image - opening(image), its bright details smaller "
               "than the\nelement." +
                   kDifferences,
               ">>> spots = tessera.white_tophat(image, \"disk:12\")");
  add_function(module, "black_tophat", MorphologyKind::black_tophat,
               "The black top-hat of an image: closing(image) - image, its dark details smaller "
               "than the\nelement." +
                   kDifferences,
               ">>> cracks = tessera.black_tophat(image, \"disk:12\")");
  add_function(module, "morphological_gradient", MorphologyKind::gradient,
               "The morphological gradient of an image: dilate(image) - erode(image), bright along "
               "edges." +
                   kDifferences,
               ">>> edges = tessera.morphological_gradient(image, \"box:3x3\")");
}

}  // namespace

void add_morphology(nb::module_& module) {
  add_function(
      module, "erode", MorphologyKind::erode,
      "Erodes an image: out[y, x] = the least image[y + j - ay, x + i - ax] over the element's\n"
      "pixels (j, i), where (ay, ax) is the anchor.",
      ">>> thinner = tessera.erode(image, \"disk:3\")");
  add_function(
      module, "dilate", MorphologyKind::dilate,
      "Dilates an image: out[y, x] = the greatest image[y - (j - ay), x - (i - ax)] over the\n"
      "element's pixels (j, i), where (ay, ax) is the anchor. As in SciPy the\n"
      "element is turned by 180 degrees, so that dilate(erode(image)) is an opening; flip=True "
      "takes\n"
      "it as it is, as OpenCV and scikit-image do.",
      ">>> thicker = tessera.dilate(image, \"disk:3\")");
  add_two_passes(module);
  add_class<MorphologyKind::erode>(module, "Erode");
  add_class<MorphologyKind::dilate>(module, "Dilate");
  module.def(
      "elements", [] { return usage_list(element_usages()); },
      nb::sig("def elements() -> list[tuple[str, str]]"),
      "The elements that have names: how each is written, and what it is.");
  module.def(
      "named_element", [](const std::string& text) { return to_numpy(element_from_text(text)); },
      "text"_a, nb::sig("def named_element(text: str) -> numpy.typing.NDArray[numpy.uint8]"),
      "The pixels of a named element: 1 where it has one, else 0.");
}

}  // namespace tessera::python
