// SPDX-License-Identifier: Apache-2.0
#include "tessera/enhance.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include "jobs/enhance/enhance_job.hpp"
#include "python/doors.hpp"
#include "python/enhance_steps.hpp"
#include "python/filter_argument.hpp"
#include "python/image_plan.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

// Of three axes the last holds the colours unless another was named.
RunOptions with_colours(RunOptions run, const Shape& shape) {
  if (!run.channel_axis && !run.batch_axis && shape.size() == 3) run.channel_axis = -1;
  return run;
}

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

constexpr const char* kArrays = R"(

image: (rows, columns), (rows, columns, 1 to 4 channels), or with channel_axis and batch_axis
    elsewhere; uint8 or uint16, of NumPy, CuPy, torch or anything with __dlpack__ or
    __cuda_array_interface__. Of 2 or 4 channels the last is alpha and stays as it is.
out: an array of the result's shape and dtype to fill; it must not overlap the image.
Returns out, or a new array of the image's library. The bytes are the same on every backend.)";

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
      kept(about + kArrays + "\n\nOptions (points are (row, column)):\n" + option_help<Own>() +
           option_help<StepPlace>() + option_help<RunOptions>()));
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
           kArrays +
           "\n\nweights: a 2-D array of whole numbers, the name of a file, or a name: "
           "\"triangle:5\", \"binomial:3\",\n    \"ones:3x3\", or a filter such as "
           "\"gauss:2\".\n\n>>> soft = tessera.smooth(image, \"binomial:5\")\n\nOptions:\n" +
           option_help<StepPlace>() + option_help<RunOptions>()));
}

// (images,) (channels,) values; images and channels only where there are more than one.
nb::object counts_array(const std::vector<EnhanceFinding>& found, long long images) {
  const std::size_t values = found.empty() ? 0 : found[0].counts.size();
  const auto groups = static_cast<long long>(found.size()) / std::max(1LL, images);
  Shape shape;
  if (images > 1) shape.push_back(images);
  if (groups > 1) shape.push_back(groups);
  shape.push_back(static_cast<long long>(values));
  const nb::object array = nb::module_::import_("numpy").attr("empty")(to_tuple(shape), "int64");
  auto* to = nb::cast<nb::ndarray<std::int64_t, nb::c_contig>>(array).data();
  for (const EnhanceFinding& one : found) to = std::copy(one.counts.begin(), one.counts.end(), to);
  return array;
}

nb::object count_values(nb::handle given, const nb::kwargs& keywords) {
  HistogramStep own;
  StepPlace place;
  RunOptions run;
  take_options("histogram", keywords, own, place, run);
  const std::string what = "histogram: image";
  const Array image = look_at(given, what);
  run = with_colours(run, image.shape);
  Axes axes = find_axes(what, image.shape, run.channel_axis, run.batch_axis);
  const Array adjacent = with_channels_last(what, image, axes);
  const AnyView view = view_of(what, adjacent, axes, false);
  std::optional<Stream> stream;
  if (image.device != kHost) stream = library_stream(image);
  std::vector<EnhanceFinding> found;
  {
    const nb::gil_scoped_release release;
    const Enhance plan(view.info(), options_of(own, place));
    if (!stream)
      stream.emplace(plan.device(), run.threads, static_cast<std::size_t>(run.memory_limit));
    found = plan.examine(view, *stream).findings();
  }
  return counts_array(found, view.size.planes);
}

void add_histogram(nb::module_& module) {
  module.def(
      "histogram", count_values, "image"_a, "options"_a,
      nb::sig(kept("def histogram(image: typing.Any, *" + option_parameters<HistogramStep>() +
                   option_parameters<StepPlace>() + option_parameters<RunOptions>() +
                   ") -> numpy.typing.NDArray[numpy.int64]")),
      kept(std::string("How many pixels have each value, exactly: 256 counts for uint8, 65536 for "
                       "uint16, as a NumPy array;\n(channels, values) for colours, without alpha; "
                       "(images, ...) for a batch.") +
           kArrays + "\n\n>>> tessera.histogram(photo).shape\n(3, 256)\n\nOptions:\n" +
           option_help<HistogramStep>() + option_help<StepPlace>() + option_help<RunOptions>()));
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
      kept(std::string(kEnhance) + kArrays + help));
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
  add_histogram(module);
}

}  // namespace tessera::python
