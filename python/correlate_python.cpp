// SPDX-License-Identifier: Apache-2.0
#include "python/long_call.hpp"
#include "tessera/correlate.hpp"

#include <nanobind/nanobind.h>

#include "python/doors.hpp"
#include "python/item_arrays.hpp"
#include "python/made_with.hpp"
#include "python/options_python.hpp"
#include "python/plans_by_key.hpp"
#include "python/row_calls.hpp"
#include "tessera/error.hpp"
#include "tessera/kept_plans.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

// The first of three axes counts planes unless another was named.
AnyMutableView planes_of(const std::string& what, const Array& array, const RunOptions& run) {
  std::optional<int> first = run.batch_axis;
  if (!first && !run.channel_axis && array.shape.size() == 3) first = 0;
  return view_of(what, array, find_axes(what, array.shape, run.channel_axis, first), true);
}

// (batch, maps, rows, columns), without the first two where they are 1.
Shape map_shape(const Correlate& plan, int batch) {
  const Size size = plan.output().size;
  Shape shape;
  if (batch > 1) shape.push_back(batch);
  if (plan.sums().size() > 1) shape.push_back(static_cast<long long>(plan.sums().size()));
  shape.insert(shape.end(), {size.height, size.width});
  return shape;
}

AnyMutableView map_view(const Array& array, const Correlate& plan) {
  AnyMutableView view = packed(array.data, plan.output());
  const std::size_t axes = array.shape.size();
  long long expected = 1;
  for (std::size_t axis = axes; axis-- > 0; expected *= array.shape[axis])
    if (array.shape[axis] > 1 && array.steps[axis] != expected)
      throw Error(ErrorKind::usage, "correlate: out has gaps; give a C-contiguous array");
  return view;
}

struct CorrelateKeywords {
  CorrelateOptions own;
  RunOptions run;
  explicit CorrelateKeywords(const nb::kwargs& given) {
    take_options("correlate", given, own, run);
  }
};

/// Plans of the library for planes of one shape and dtype, made when a device is first met.
class CorrelatePlan : public MadeWith {
 public:
  /// `like`: planes such as are expected; their plan is made now, so that errors come now.
  CorrelatePlan(const Array& like, const CorrelateKeywords& options)
      : shape_(like.shape), type_(like.type), options_(options) {
    result_shape_ =
        map_shape(plan_for(planes_of(kPlanes, like, options_.run).info()), options_.own.batch);
  }

  nb::object operator()(const Array& planes, nb::handle other, nb::handle out) {
    check_array(kPlanes, planes, shape_, type_);
    const Array second = other.is_none() ? planes : look_at_values(other, kOther);
    if (second.device != planes.device)
      throw Error(ErrorKind::usage,
                  "correlate: other must lie where the planes lie: both in host memory or both on "
                  "one device");
    const AnyView first_view = planes_of(kPlanes, planes, options_.run),
                  other_view = planes_of(kOther, second, options_.run);
    const Correlate plan = plan_for(first_view.info());
    const Array result = result_array("correlate: out", out, planes, result_shape_, Type::f32);
    run(plan, {planes, second, result}, first_view, other_view, map_view(result, plan));
    return result.object;
  }
  nb::object operator()(nb::handle planes, nb::handle other, nb::handle out) {
    return (*this)(look_at_values(planes, kPlanes), other, out);
  }

  const Shape& output_shape() const { return result_shape_; }
  std::string describe() const { return plans_.describe(); }
  Correlate first_plan() const { return plans_.first(); }

 private:
  static constexpr const char* kPlanes = "correlate: planes";
  static constexpr const char* kOther = "correlate: other";
  struct Arrays {
    const Array &planes, &other, &result;
  };

  Correlate plan_for(const ImageInfo& info) {
    return plans_.get(info.device, [&] { return kept_plan<Correlate>(info, options_.own); });
  }

  Stream stream_for(const Correlate& plan, const Array& planes) const {
    if (planes.device != kHost) return library_stream(planes);
    const HostOptions& run = options_.run;
    if (run.threads == 0 && run.memory_limit == 0) return thread_stream(plan);
    return Stream(plan.device(), run.threads, run.memory_bytes());
  }

  void run(const Correlate& plan, const Arrays& arrays, AnyView first, AnyView other,
           AnyMutableView map) const {
    const Library library = arrays.planes.library;
    const bool on_host = arrays.planes.device == kHost;
    const bool one_library = library != Library::other && library == arrays.other.library &&
                             library == arrays.result.library;
    Stream stream = stream_for(plan, arrays.planes);
    if (!on_host && !one_library) {
      stream.after(library_stream(arrays.other));
      stream.after(library_stream(arrays.result));
    }
    const LongCall unlocked;
    plan(first, other, map, stream);
    // Arrays of one library are used on its stream, in order; others could not know it.
    if (on_host || !one_library) stream.wait();
  }

  Shape shape_, result_shape_;
  Type type_;
  CorrelateKeywords options_;
  KeptPlans<Correlate> plans_;
};

nb::object correlate_arrays(nb::handle given, nb::handle other, nb::handle out,
                            const nb::kwargs& keywords) {
  const CorrelateKeywords options(keywords);
  const Array planes = look_at_values(given, "correlate: planes");
  return CorrelatePlan(planes, options)(planes, other, out);
}

constexpr const char* kCorrelate =
    R"(Correlates planes with themselves, or with others, over all shifts:

    map[dy, dx] = sum over y, x and pairs (i, j) of planes[i, y + dy, x + dx] * other[j, y, x]

over all pixels that both have. With quadrants "all" the map's [0, 0] is the shift
(1 - max_shift, 1 - max_shift).

planes: (rows, columns), (planes, rows, columns), or with channel_axis=-1 (rows, columns, planes);
    uint8, uint16, float32 or float64, of NumPy, CuPy, torch or anything with __dlpack__ or
    __cuda_array_interface__. Any strides, no copy. Also bool, other
    integers up to 32 bits, float16 and the other byte order, copied to the smallest of these types
    that holds the values.
other: of the same shape and dtype; None: the planes themselves.
scale: "none" gives sums, "overlap" divides each by the number of pixels that both have at that
    shift, "energy" by the sum over its pairs of sqrt(sum of planes[i]^2 * sum of other[j]^2), so
    that planes correlated with themselves have 1 at shift (0, 0); "coefficient" does both, mean
    product over mean energy. With the last two, maps of planes that are all 0 are NaN.
out: a C-contiguous float32 array of the result's shape to fill.
Returns (rows, columns) for one map, (maps, rows, columns) for more, with the images of a batch
before them.

>>> planes = tessera.scene_planes(photo)                        # a, b, x1, x2
>>> colour, orientation = tessera.correlate(planes, max_shift=250, sums="pairs", scale="energy"))";

}  // namespace

void add_correlate(nb::module_& module) {
  const std::string run_help = option_help<RunOptions>();
  module.def("correlate", correlate_arrays, "planes"_a, "other"_a = nb::none(), nb::kw_only(),
             "out"_a = nb::none(), "options"_a,
             nb::sig(kept("def correlate(planes: typing.Any, other: typing.Any = None, *, "
                          "out: typing.Any = None" +
                          option_parameters<CorrelateOptions>() + option_parameters<RunOptions>() +
                          ") -> typing.Any")),
             kept(std::string(kCorrelate) + "\n\nOptions:\n" + option_help<CorrelateOptions>() +
                  run_help));
  nb::class_<CorrelatePlan> plan(module, "Correlate",
                                 "Correlation made ready for planes of one shape and dtype. Make "
                                 "it once, call it many times, from any number of threads.");
  plan.def(
          "__init__",
          [](CorrelatePlan* self, nb::handle shape, nb::handle dtype, const nb::kwargs& options) {
            const Array like = expected_numbers("correlate", shape, dtype, ItemUse::values);
            new (self) CorrelatePlan(like, CorrelateKeywords(options));
            self->remember(made_for(like), options);
          },
          "shape"_a, "dtype"_a, "options"_a,
          nb::sig(kept("def __init__(self, shape: collections.abc.Sequence[int], "
                       "dtype: numpy.typing.DTypeLike, *" +
                       option_parameters<CorrelateOptions>() + option_parameters<RunOptions>() +
                       ") -> None")),
          kept(">>> plan = tessera.Correlate(planes.shape, planes.dtype, max_shift=250)\n"
               ">>> maps = [plan(each) for each in many]\n\nOptions:\n" +
               option_help<CorrelateOptions>() + run_help))
      .def(
          "__call__",
          [](CorrelatePlan& self, nb::handle planes, nb::handle other, nb::handle out) {
            return self(planes, other, out);
          },
          "planes"_a, "other"_a = nb::none(), "out"_a = nb::none(),
          nb::sig("def __call__(self, planes: typing.Any, other: typing.Any = None, "
                  "out: typing.Any = None) -> typing.Any"))
      .def("describe", &CorrelatePlan::describe,
           "The methods that run, one line per device met so far.")
      .def_prop_ro(
          "output_shape", [](const CorrelatePlan& self) { return to_tuple(self.output_shape()); },
          nb::sig("def output_shape(self) -> tuple[int, ...]"));
  add_choice(plan, [](const CorrelatePlan& self) { return self.first_plan(); });
  add_pickling(plan);
}

}  // namespace tessera::python
