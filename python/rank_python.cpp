// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nanobind/nanobind.h>

#include "jobs/rank/rank_job.hpp"
#include "python/doors.hpp"
#include "python/filter_argument.hpp"
#include "python/image_plan.hpp"
#include "python/noise_arguments.hpp"
#include "python/scipy_options.hpp"
#include "python/text.hpp"
#include "tessera/kept_plans.hpp"
#include "tessera/rank_filter.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

RankOptions rank_options(const ScipyOptions& given) {
  return {.border = given.border(),
          .constant = given.cval,
          .backend = given.backend,
          .method = given.method,
          .device = given.device};
}

/// The arguments that all three functions have.
struct RankCall {
  std::string operation;
  nb::handle image, size, footprint, origin, out, output;
  const nb::kwargs& keywords;
};

constexpr int kMostSide = 1024;

bool is_size_of_volume(nb::handle size) {
  return nb::isinstance<nb::sequence>(size) && !nb::isinstance<nb::str>(size) && nb::len(size) == 3;
}

/// The axes that the window has. A whole number is as many pixels along every axis of the image;
/// but an image whose last axis is as long as colours are many is hardly a volume.
int axes_of_window(const RankCall& call, const Array& image, const RunOptions& run) {
  const bool is_number = call.size.is_valid() && PyIndex_Check(call.size.ptr());
  const bool colours = image.shape.size() == 3 && image.shape.back() <= kMostChannels;
  const bool volume = has_three_axes(call.footprint) || is_size_of_volume(call.size);
  return filtered_axes(call.operation + ": image", image, run, volume || (is_number && !colours));
}

/// A box of planes, rows and columns.
Image box_of_volume(const RankCall& call) {
  Size size;
  if (PyIndex_Check(call.size.ptr())) {
    from_python(call.operation + ": size", call.size, size.width);
    size.height = size.planes = size.width;
  } else {
    from_python(call.operation + ": size", call.size[0], size.planes);
    from_python(call.operation + ": size", call.size[1], size.height);
    from_python(call.operation + ": size", call.size[2], size.width);
  }
  const auto [least, most] = std::minmax({size.width, size.height, size.planes});
  if (least < 1 || most > kMostSide)
    throw Error(ErrorKind::usage,
                fmt::format("{}: size is ({}, {}, {}); each side can be 1 to {} pixels",
                            call.operation, size.planes, size.height, size.width, kMostSide));
  Image box(size, Type::u8);
  std::fill_n(box.as<unsigned char>().data, size.samples(), static_cast<unsigned char>(1));
  return box;
}

/// Pixels that count: all of a box of `size`, or those of a footprint.
Image footprint_of(const RankCall& call, int axes) {
  if (call.size.is_none() == call.footprint.is_none())
    throw nb::type_error((call.operation + ": give either size or footprint").c_str());
  if (nb::cast<int>(nb::getattr(call.size, "ndim", nb::int_(0))) > 1)
    throw nb::type_error(
        (call.operation + ": size is an array of pixels; give it as footprint=").c_str());
  if (call.size.is_none()) {
    const std::string what = call.operation + ": footprint";
    if (nb::isinstance<nb::str>(call.footprint))
      return named_weights(what, loaded_once(name_text(what, call.footprint), load_footprint),
                           axes);
    return filter_argument(what, call.footprint, axes);
  }
  if (axes == 3) return box_of_volume(call);
  NoiseBox box;
  window_from_python(call.operation + ": size", call.size, axes == 1, 1, box);
  if (std::min(box.width, box.height) < 1 || std::max(box.width, box.height) > kMostSide)
    throw Error(ErrorKind::usage,
                fmt::format("{}: size is {}; each side can be 1 to {} pixels", call.operation,
                            PythonValue<NoiseBox>::text(box), kMostSide));
  return named_weights(call.operation + ": size", box_element(box.width, box.height), axes);
}

/// SciPy's origin counts from the centre.
std::optional<Point> anchor_of(const RankCall& call, Size size, int axes) {
  if (axes == 3) {
    if (!call.origin.equal(nb::int_(0)))
      throw Error(ErrorKind::usage,
                  call.operation + ": origin is offered for images, not for volumes; leave it 0");
    return std::nullopt;
  }
  NoiseBox origin;  // rows and columns, or one number for both
  window_from_python(call.operation + ": origin", call.origin, axes == 1, 0, origin);
  const Point anchor{size.width / 2 + origin.width, size.height / 2 + origin.height};
  if (anchor.x < 0 || anchor.x >= size.width || anchor.y < 0 || anchor.y >= size.height)
    throw Error(
        ErrorKind::usage,
        fmt::format("{}: origin {} moves the centre out of the window of {} rows and {} "
                    "columns; it must stay inside",
                    call.operation, PythonValue<NoiseBox>::text(origin), size.height, size.width));
  return anchor;
}

/// SciPy calls it output. There it may be a dtype; here results have the image's.
nb::handle result_of(const RankCall& call, const Array& image) {
  if (call.output.is_none()) return call.out;
  if (is_dtype(call.output)) {
    const std::string wanted = dtype_text(call.output), own = dtype_name(image.items);
    if (wanted == own) return call.out;
    throw nb::type_error((call.operation + ": output is " + wanted + "; the result of " + own +
                          " is " + own + ", give image.astype(\"" + wanted + "\")")
                             .c_str());
  }
  if (!call.out.is_none())
    throw nb::type_error(
        (call.operation + ": out and output are both given; leave out one of them").c_str());
  return call.output;
}

nb::object filter(const RankCall& call, std::optional<int> rank, std::optional<double> percentile) {
  const std::string what = call.operation + ": image";
  if (call.keywords.contains("axes"))
    throw nb::type_error((call.operation + ": axes is not offered; give channel_axis or batch_axis "
                                           "for the axes that are not filtered")
                             .c_str());
  refuse_masked(what, call.image);
  ScipyOptions options;
  RunOptions run;
  take_options(call.operation.c_str(), call.keywords, options, run);
  RankOptions own = rank_options(options);
  own.rank = rank;
  own.percentile = percentile;
  const Array image = look_at_numbers(call.image, what, ItemUse::order);
  const int axes = axes_of_window(call, image, run);
  const Image footprint = footprint_of(call, axes);
  own.anchor = anchor_of(call, footprint.view().size, axes);
  check_constant(call.operation + ": cval", image, own.border, own.constant);
  own.constant = sample_outside(image.items, own.constant);
  ImagePlan<RankFilter> plan(call.operation, image, run, [&](const ImageInfo& info) {
    return kept_plan<RankFilter>(info, footprint.view(), own);
  });
  return plan(image, result_of(call, image));
}

const std::string kRankArguments =
    "\n\n" + kImageArray +
    R"(size: of the box, a whole number or (rows, columns), up to 1024 pixels each way; for an image of one
    axis also (columns,); for a volume, an image of axes (planes, rows, columns), a whole number or one for each axis.
footprint: instead of size; a 2-D array, its pixels those that are not 0, or a name such as "disk:3"
    (see tessera.elements()); a 3-D array for a volume.
origin: moves the window against its centre, a whole number or (rows, columns).
out, output: an array of the image's shape and dtype to fill; it must not overlap the image. output
    may also name the image's dtype.
Returns out, or a new array of the image's library and dtype. NaN do not count; if a window has
nothing else, the result is NaN.)";

std::string rank_help() {
  return "\n\nOptions:\n" + option_help<ScipyOptions>() + option_help<RunOptions>();
}

std::string rank_signature(const std::string& name, const std::string& own) {
  return "def " + name + "(image: typing.Any, " + own +
         "size: int | tuple[int, ...] | None = None, footprint: typing.Any = None, *, "
         "origin: int | tuple[int, ...] = 0, out: typing.Any = None, output: typing.Any = None" +
         option_parameters<ScipyOptions>() + option_parameters<RunOptions>() + ") -> typing.Any";
}

void add_median(nb::module_& module) {
  module.def(
      "median_filter",
      [](nb::handle image, nb::handle size, nb::handle footprint, nb::handle origin, nb::handle out,
         nb::handle output, const nb::kwargs& keywords) {
        return filter({"median_filter", image, size, footprint, origin, out, output, keywords}, {},
                      {});
      },
      "image"_a, "size"_a = nb::none(), "footprint"_a = nb::none(), nb::kw_only(), "origin"_a = 0,
      "out"_a = nb::none(), "output"_a = nb::none(), "options"_a,
      nb::sig(kept(rank_signature("median_filter", ""))),
      kept(std::string("The median of the pixels around every pixel: the same values as\n"
                       "scipy.ndimage.median_filter; the upper of two in the middle.") +
           kRankArguments + "\n\n>>> clean = tessera.median_filter(image, 3)" + rank_help()));
}

void add_rank(nb::module_& module) {
  module.def(
      "rank_filter",
      [](nb::handle image, nb::handle rank, nb::handle size, nb::handle footprint,
         nb::handle origin, nb::handle out, nb::handle output, const nb::kwargs& keywords) {
        int which = 0;
        from_python("rank_filter: rank", rank, which);
        return filter({"rank_filter", image, size, footprint, origin, out, output, keywords}, which,
                      {});
      },
      "image"_a, "rank"_a, "size"_a = nb::none(), "footprint"_a = nb::none(), nb::kw_only(),
      "origin"_a = 0, "out"_a = nb::none(), "output"_a = nb::none(), "options"_a,
      nb::sig(kept(rank_signature("rank_filter", "rank: int, "))),
      kept(std::string("The value of a rank among the pixels around every pixel: 0 is the "
                       "smallest, -1 the\nlargest. The same values as scipy.ndimage.rank_filter.") +
           kRankArguments + "\n\n>>> second = tessera.rank_filter(image, 1, footprint=\"disk:2\")" +
           rank_help()));
}

void add_percentile(nb::module_& module) {
  module.def(
      "percentile_filter",
      [](nb::handle image, nb::handle percentile, nb::handle size, nb::handle footprint,
         nb::handle origin, nb::handle out, nb::handle output, const nb::kwargs& keywords) {
        double percent = 0;
        from_python("percentile_filter: percentile", percentile, percent);
        return filter({"percentile_filter", image, size, footprint, origin, out, output, keywords},
                      {}, percent);
      },
      "image"_a, "percentile"_a, "size"_a = nb::none(), "footprint"_a = nb::none(), nb::kw_only(),
      "origin"_a = 0, "out"_a = nb::none(), "output"_a = nb::none(), "options"_a,
      nb::sig(kept(rank_signature("percentile_filter", "percentile: float, "))),
      kept(
          std::string("The percentile of the pixels around every pixel, 0 to 100: the sorted value "
                      "at\nint(n percentile / 100); negative ones count from 100 down. The same "
                      "values as\nscipy.ndimage.percentile_filter.") +
          kRankArguments +
          "\n\n>>> floor = tessera.percentile_filter(image, 20, size=41, mode=\"nearest\")" +
          rank_help()));
}

}  // namespace

void add_rank_filters(nb::module_& module) {
  add_median(module);
  add_rank(module);
  add_percentile(module);
}

}  // namespace tessera::python
