// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nanobind/nanobind.h>

#include "jobs/rank/rank_job.hpp"
#include "python/doors.hpp"
#include "python/filter_argument.hpp"
#include "python/image_plan.hpp"
#include "python/noise_arguments.hpp"
#include "python/row_calls.hpp"
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

/// Which of the sorted values: one of the two.
struct RankWanted {
  std::optional<int> rank;
  std::optional<double> percentile;
};

class RankPlan : public ImagePlan<RankFilter> {
 public:
  /// `like`: an image such as is expected; that of `call` is not looked at.
  RankPlan(const RankCall& call, const Array& like, const RankWanted& wanted)
      : RankPlan(call, like, Options(call, like, wanted)) {}

 private:
  struct Options {
    RankOptions own;
    RunOptions run;
    Image footprint;
    Options(const RankCall& call, const Array& like, const RankWanted& wanted) {
      ScipyOptions options;
      take_options(call.operation.c_str(), call.keywords, options, run);
      own = rank_options(options);
      own.rank = wanted.rank;
      own.percentile = wanted.percentile;
      const int axes = axes_of_window(call, like, run);
      footprint = footprint_of(call, axes);
      own.anchor = anchor_of(call, footprint.view().size, axes);
      check_constant(call.operation + ": cval", like, own.border, own.constant);
      own.constant = sample_outside(like.items, own.constant);
    }
  };
  RankPlan(const RankCall& call, const Array& like, const Options& options)
      : ImagePlan(call.operation, like, options.run,
                  [footprint = options.footprint, own = options.own](const ImageInfo& info) {
                    return kept_plan<RankFilter>(info, footprint.view(), own);
                  }) {}
};

void refuse_axes(const RankCall& call) {
  if (call.keywords.contains("axes"))
    throw nb::type_error((call.operation + ": axes is not offered; give channel_axis or batch_axis "
                                           "for the axes that are not filtered")
                             .c_str());
}

nb::object filter(const RankCall& call, const RankWanted& wanted) {
  const std::string what = call.operation + ": image";
  refuse_axes(call);
  refuse_masked(what, call.image);
  const Array image = look_at_numbers(call.image, what, ItemUse::order);
  return RankPlan(call, image, wanted)(image, result_of(call, image));
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
        return filter({"median_filter", image, size, footprint, origin, out, output, keywords}, {});
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
        return filter({"rank_filter", image, size, footprint, origin, out, output, keywords},
                      {.rank = which});
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
                      {.percentile = percent});
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

void add_percentile_plan(nb::module_& module) {
  nb::class_<RankPlan> plan(module, "PercentileFilter",
                            "A percentile filter made ready for images of one shape and dtype. "
                            "Make it once, call it many times, from any number of threads.");
  plan.def(
      "__init__",
      [](RankPlan* self, nb::handle shape, nb::handle dtype, nb::handle percentile, nb::handle size,
         nb::handle footprint, nb::handle origin, const nb::kwargs& keywords) {
        const char* const name = "percentile_filter";
        double percent = 0;
        from_python("percentile_filter: percentile", percentile, percent);
        const Array like = expected_numbers(name, shape, dtype, ItemUse::order);
        const RankCall call{name,   nb::none(), size,       footprint,
                            origin, nb::none(), nb::none(), keywords};
        refuse_axes(call);
        new (self) RankPlan(call, like, {.percentile = percent});
        nb::kwargs all = nb::borrow<nb::kwargs>(keywords.attr("copy")());
        all["size"] = size;
        all["footprint"] = kept_weights("percentile_filter: footprint", footprint);
        all["origin"] = origin;
        self->remember(made_for(like) + nb::make_tuple(nb::borrow(percentile)), all);
      },
      "shape"_a, "dtype"_a, "percentile"_a, "size"_a = nb::none(), "footprint"_a = nb::none(),
      nb::kw_only(), "origin"_a = 0, "options"_a,
      nb::sig(kept("def __init__(self, shape: collections.abc.Sequence[int], "
                   "dtype: numpy.typing.DTypeLike, percentile: float, "
                   "size: int | tuple[int, ...] | None = None, footprint: typing.Any = None, *, "
                   "origin: int | tuple[int, ...] = 0" +
                   option_parameters<ScipyOptions>() + option_parameters<RunOptions>() +
                   ") -> None")),
      kept(">>> plan = tessera.PercentileFilter(image.shape, image.dtype, 20, size=41)\n"
           ">>> floor = plan(image)" +
           rank_help()));
  add_calls(plan);
  add_row_calls(plan, kPackedPlan);
}

}  // namespace

void add_rank_filters(nb::module_& module) {
  add_median(module);
  add_rank(module);
  add_percentile(module);
  add_percentile_plan(module);
}

}  // namespace tessera::python
