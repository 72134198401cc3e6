// SPDX-License-Identifier: Apache-2.0
#include "tessera/morphology.hpp"

#include <nanobind/nanobind.h>

#include "jobs/morphology/morphology_job.hpp"
#include "python/doors.hpp"
#include "python/filter_argument.hpp"
#include "python/image_plan.hpp"
#include "python/text.hpp"
#include "tessera/kept_plans.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

template <MorphologyKind kKind>
class MorphologyPlan : public ImagePlan<Morphology> {
 public:
  MorphologyPlan(const Array& like, nb::handle element, const nb::kwargs& given)
      : MorphologyPlan(like, element, Options(like, given)) {}

  static const char* name() { return name_of(kKind).data(); }

 private:
  struct Options {
    MorphologyOptions own;
    RunOptions run;
    Options(const Array& like, const nb::kwargs& given) {
      take_options(name(), own_border_names(name(), given), own, run);
      check_constant(std::string(name()) + ": constant", like, own.border, own.constant);
    }
  };
  static Image element_argument(nb::handle element, bool line) {
    const std::string what = std::string(name()) + ": element";
    if (nb::isinstance<nb::str>(element))
      return line_weights(what, loaded_once(name_text(what, element), load_element), line);
    return filter_argument(what, element, line);
  }
  MorphologyPlan(const Array& like, nb::handle element, const Options& options)
      : ImagePlan(name(), like, options.run,
                  [shape = element_argument(element, are_lines(like, options.run)),
                   own = options.own, offset = like.items.offset()](const ImageInfo& image) {
                    MorphologyOptions shifted = own;
                    shifted.constant += offset;
                    return kept_plan<Morphology>(kKind, image, shape.view(), shifted);
                  }) {}
};

const std::string kMorphologyArguments =
    "\n\n" + kImageArray +
    R"(element: a 2-D array, its pixels those that are not 0, or a name such as "disk:12" (see
    tessera.elements()).
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

/// The function `erode` and the class `Erode`, or those of dilation.
template <MorphologyKind kKind>
void add(nb::module_& module, const char* class_name, const std::string& about,
         const std::string& example) {
  using Plan = MorphologyPlan<kKind>;
  const std::string name = Plan::name();
  module.def(
      Plan::name(),
      [](nb::handle given, nb::handle element, nb::handle out, const nb::kwargs& options) {
        const Array image =
            look_at_numbers(given, std::string(Plan::name()) + ": image", ItemUse::order);
        return Plan(image, element, options)(image, out);
      },
      "image"_a, "element"_a, nb::kw_only(), "out"_a = nb::none(), "options"_a,
      nb::sig(kept("def " + name + "(image: typing.Any, element: typing.Any, *, " +
                   "out: typing.Any = None" + morphology_parameters() + ") -> typing.Any")),
      kept(about + kMorphologyArguments + "\n\n" + example + morphology_help()));

  nb::class_<Plan> plan(module, class_name,
                        "An element made ready for images of one shape and dtype. Make it once, "
                        "call it many times, from any number of threads.");
  plan.def(
      "__init__",
      [](Plan* self, nb::handle shape, nb::handle dtype, nb::handle element,
         const nb::kwargs& options) {
        const Array like = expected_numbers(Plan::name(), shape, dtype, ItemUse::order);
        new (self) Plan(like, element, options);
        self->remember(made_for(like) + nb::make_tuple(kept_weights(
                                            std::string(Plan::name()) + ": element", element)),
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
}

}  // namespace

void add_morphology(nb::module_& module) {
  add<MorphologyKind::erode>(
      module, "Erode",
      "Erodes an image: out[y, x] = the least image[y + j - ay, x + i - ax] over the element's\n"
      "pixels (j, i), where (ay, ax) is the anchor.",
      ">>> thinner = tessera.erode(image, \"disk:3\")");
  add<MorphologyKind::dilate>(
      module, "Dilate",
      "Dilates an image: out[y, x] = the greatest image[y - (j - ay), x - (i - ax)] over the\n"
      "element's pixels (j, i), where (ay, ax) is the anchor. As in SciPy the\n"
      "element is turned by 180 degrees, so that dilate(erode(image)) is an opening; flip=True "
      "takes\n"
      "it as it is, as OpenCV and scikit-image do.",
      ">>> thicker = tessera.dilate(image, \"disk:3\")");
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
