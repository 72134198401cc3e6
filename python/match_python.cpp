// SPDX-License-Identifier: Apache-2.0
#include <nanobind/nanobind.h>

#include <utility>

#include "python/doors.hpp"
#include "python/filter_argument.hpp"
#include "python/image_plan.hpp"
#include "tessera/kept_plans.hpp"
#include "tessera/match_template.hpp"

namespace tessera {

/// NumPy's names of what pad() adds, and one of ours.
enum class PadMode : unsigned char { constant, edge, reflect, symmetric, wrap, inside };
template <>
struct Names<PadMode> {
  static constexpr std::array<std::pair<std::string_view, PadMode>, 6> list{
      {{"constant", PadMode::constant},
       {"edge", PadMode::edge},
       {"reflect", PadMode::reflect},
       {"symmetric", PadMode::symmetric},
       {"wrap", PadMode::wrap},
       {"inside", PadMode::inside}}};
};

}  // namespace tessera

namespace tessera::python {
namespace {

using namespace nb::literals;

Border border_of(PadMode mode) {
  switch (mode) {
    case PadMode::edge:
      return Border::replicate;
    case PadMode::reflect:
      return Border::reflect_101;
    case PadMode::symmetric:
      return Border::reflect;
    case PadMode::wrap:
      return Border::wrap;
    case PadMode::inside:
      return Border::inside;
    default:
      return Border::constant;
  }
}

/// Those that scikit-image does not have.
struct MatchKeywords {
  double overlap = 0.3;
  std::optional<Type> output_type;
  Backend backend = Backend::automatic;
  std::string method = "auto";
  int device = 0;

  static constexpr auto fields() {
    using O = MatchKeywords;
    return std::tuple_cat(
        std::tuple{field("overlap", &O::overlap,
                         "the share of the template's pixels that must count, where pixels do not; "
                         "places with less are 0",
                         Range{0, 1}),
                   field("output_type", &O::output_type,
                         "dtype of the map, float32 or float64; None: float32")},
        run_fields<O>());
  }
};

/// The template as an image: its axes are the image's, without that of a batch.
Image template_argument(nb::handle given, const Array& image, const RunOptions& run) {
  const std::string what = "match_template: template";
  const int axes = static_cast<int>(image.shape.size());
  RunOptions own;
  own.channel_axis = run.channel_axis;
  if (own.channel_axis && run.batch_axis) {
    const auto from_start = [axes](int axis) { return axis < 0 ? axis + axes : axis; };
    const int channel = from_start(*run.channel_axis), batch = from_start(*run.batch_axis);
    own.channel_axis = channel - (channel > batch ? 1 : 0);
  }
  Array array = look_at_values(given, what);
  const int wanted = axes - (run.batch_axis ? 1 : 0);
  if (std::ssize(array.shape) != wanted)
    throw_usage(what + " is " + shape_text(array.shape) + " for images of " +
                shape_text(image.shape) + "; it must have as many axes as one image");
  if (array.device != kHost) throw_usage(what + " must lie in host memory");
  if (const auto line = line_axis(array.shape, own.channel_axis, std::nullopt)) {
    own = own.with_axis(*line, wanted);
    array = with_row_axis(array, *line);
  }
  Axes found = find_axes(what, array.shape, own.channel_axis, std::nullopt);
  const Array adjacent = with_channels_last(what, array, found);
  return copy(view_of(what, adjacent, found, false));
}

struct MatchCall {
  nb::handle image, pattern, pad_input, mode, constant_values, mask, out;
};

MatchOptions options_of(const MatchCall& call, const MatchKeywords& given) {
  MatchOptions options{.overlap = given.overlap,
                       .output_type = given.output_type,
                       .backend = given.backend,
                       .method = given.method,
                       .device = given.device};
  bool pad = false;
  PadMode mode = PadMode::constant;
  from_python("match_template: pad_input", call.pad_input, pad);
  from_python("match_template: mode", call.mode, mode);
  from_python("match_template: constant_values", call.constant_values, options.constant);
  if (pad) options.border = border_of(mode);
  return options;
}

nb::object match(const MatchCall& call, const nb::kwargs& keywords) {
  MatchKeywords given;
  RunOptions run;
  take_options("match_template", keywords, given, run);
  const MatchOptions options = options_of(call, given);
  const Array image = look_at_numbers(call.image, "match_template: image", ItemUse::values);
  const Image pattern = template_argument(call.pattern, image, run);
  const Image mask = call.mask.is_none() ? Image()
                                         : filter_argument("match_template: mask", call.mask,
                                                           free_axes(image, run));
  ImagePlan<MatchTemplate> plan(
      "match_template", image, run,
      [&](const ImageInfo& info) {
        if (!mask) return kept_plan<MatchTemplate>(info, pattern.view(), options);
        return kept_plan<MatchTemplate>(info, pattern.view(), mask.view(), options);
      },
      run.channel_axis ? Channels::colours : Channels::apart, false);
  return plan(image, call.out);
}

nb::list peaks_of(nb::handle given, int count, int distance, double threshold) {
  const std::string what = "match_peaks: map";
  const Array map = look_at(given, what);
  const AnyView view =
      view_of(what, map, find_axes(what, map.shape, std::nullopt, std::nullopt), false);
  const PeakOptions options{count, distance, threshold};
  std::vector<MatchPeak> peaks;
  {
    const LongCall unlocked;
    peaks = match_peaks(view, options);
  }
  nb::list list;
  for (const MatchPeak& peak : peaks) list.append(nb::make_tuple(peak.y, peak.x, peak.value));
  return list;
}

const std::string kMatchTemplate =
    R"(Looks for a template: the normalised cross-correlation of the template with the image under it,

    r = sum of (t - mean t) (f - mean f) / sqrt(sum of (t - mean t)^2 * sum of (f - mean f)^2)

The same values as skimage.feature.match_template, within 2e-6 for images of any brightness.

)" + kImageArray +
    R"(template: with the image's axes, except that of a batch, and not larger than it; of any of these
    dtypes. With channel_axis it has the image's channels, which count together.
pad_input: False: one value for every place of the whole template in the image, (rows - template's
    rows + 1, columns - template's columns + 1), at its first pixel. True: a map of the image's
    size, at the template's centre.
mode, constant_values: with pad_input, what lies outside, as numpy.pad adds it: "constant", "edge",
    "reflect", "symmetric", "wrap"; "inside": pixels outside do not count.
mask: (rows, columns) of the template: its pixels where the mask is 0 do not count.
out: an array of the result's shape and dtype to fill; it must not overlap the image.
Returns out, or a new float32 array. Pixels that are not finite do not count, in the image and in
the template. 0 where the image or the template has one value only.

>>> map = tessera.match_template(page, page[20:40, 100:160])
>>> tessera.match_peaks(map)
[(20, 100, 1.0)]

Options:
)";

constexpr const char* kMatchPeaks =
    R"(The peaks of a map, the highest first, as (row, column, value): pixels at least as high as their
eight neighbours that have no higher peak within `distance` rows and columns.

map: (rows, columns) of float32 or float64.
count: the number of peaks at most.
distance: peaks are more than this apart, in rows or in columns.
threshold: peaks have at least this value.)";

}  // namespace

void add_match(nb::module_& module) {
  module.def(
      "match_template",
      [](nb::handle image, nb::handle pattern, nb::handle pad_input, nb::handle mode,
         nb::handle constant_values, nb::handle mask, nb::handle out, const nb::kwargs& keywords) {
        return match({image, pattern, pad_input, mode, constant_values, mask, out}, keywords);
      },
      "image"_a, "template"_a, "pad_input"_a = false, "mode"_a = "constant",
      "constant_values"_a = 0, nb::kw_only(), "mask"_a = nb::none(), "out"_a = nb::none(),
      "options"_a,
      nb::sig(kept("def match_template(image: typing.Any, template: typing.Any, "
                   "pad_input: bool = False, mode: " +
                   python_type<PadMode>() +
                   " = \"constant\", constant_values: float = 0, *, mask: typing.Any = None, "
                   "out: typing.Any = None" +
                   option_parameters<MatchKeywords>() + option_parameters<RunOptions>() +
                   ") -> typing.Any")),
      kept(kMatchTemplate + option_help<MatchKeywords>() + option_help<RunOptions>()));
  module.def("match_peaks", peaks_of, "map"_a, "count"_a = 1, "distance"_a = 1,
             "threshold"_a = -1.0,
             nb::sig("def match_peaks(map: typing.Any, count: int = 1, distance: int = 1, "
                     "threshold: float = -1.0) -> list[tuple[int, int, float]]"),
             kMatchPeaks);
}

}  // namespace tessera::python
