// SPDX-License-Identifier: Apache-2.0
#include "tessera/correlate.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "python/arrays.hpp"
#include "python/doors.hpp"
#include "python/options_python.hpp"
#include "tessera/error.hpp"
#include "tessera/scene_planes.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

// Of three axes the first counts planes unless another was named.
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

Array result_array(nb::handle out, const Array& planes, const Shape& shape) {
  if (out.is_none()) return make_like(planes, shape, Type::f32);
  Array result = look_at(out, "correlate: out", true);
  if (result.shape != shape || result.type != Type::f32)
    throw Error(ErrorKind::usage, "correlate: out is " + shape_text(result.shape) + " " +
                                      dtype_name(result.type) + "; it must be " +
                                      shape_text(shape) + " float32");
  if (!result.writable)
    throw Error(ErrorKind::usage, "correlate: out is read-only; give one that can be written");
  if (result.device != planes.device)
    throw Error(ErrorKind::usage,
                "correlate: out must lie where the planes lie: both in host memory or both on one "
                "device");
  return result;
}

Stream stream_for(const Correlate& plan, const Array& planes, const RunOptions& run) {
  if (planes.device != kHost) return library_stream(planes);
  return Stream(plan.device(), run.threads, static_cast<std::size_t>(run.memory_limit));
}

nb::object correlate_arrays(nb::handle given, nb::handle other, nb::handle out,
                            const nb::kwargs& keywords) {
  CorrelateOptions options;
  RunOptions run;
  take_options("correlate", keywords, options, run);
  const Array planes = look_at(given, "correlate: planes");
  const Array second = other.is_none() ? planes : look_at(other, "correlate: other");
  if (second.device != planes.device)
    throw Error(ErrorKind::usage,
                "correlate: other must lie where the planes lie: both in host memory or both on "
                "one device");
  const AnyView first_view = planes_of("correlate: planes", planes, run),
                other_view = planes_of("correlate: other", second, run);
  const Correlate plan = [&] {
    const nb::gil_scoped_release release;
    return Correlate(first_view.info(), options);
  }();
  const Array result = result_array(out, planes, map_shape(plan, options.batch));
  const AnyMutableView map = map_view(result, plan);
  Stream stream = stream_for(plan, planes, run);
  const bool one_library = planes.library != Library::other && planes.library == second.library &&
                           planes.library == result.library;
  if (planes.device != kHost && !one_library) {
    stream.after(library_stream(second));
    stream.after(library_stream(result));
  }
  {
    const nb::gil_scoped_release release;
    plan(first_view, other_view, map, stream);
    // Arrays of one library are used on its stream, in order; others could not know it.
    if (planes.device == kHost || !one_library) stream.wait();
  }
  return result.object;
}

// Red, green and blue side by side, whatever the array's order.
nb::object with_channels_last(nb::handle image, const Array& array, const Axes& axes) {
  if (!axes.channel || channels_adjacent(array, axes)) return nb::borrow(image);
  const nb::module_ numpy = nb::module_::import_("numpy");
  return numpy.attr("ascontiguousarray")(numpy.attr("moveaxis")(image, *axes.channel, -1));
}

nb::object planes_of_photograph(nb::handle given, const nb::kwargs& keywords) {
  const std::string what = "scene_planes: image";
  ScenePlanesOptions options;
  RunOptions run;
  take_options("scene_planes", keywords, options, run);
  Array image = look_at(given, what);
  if (!run.channel_axis && !run.batch_axis && image.shape.size() == 3) run.channel_axis = -1;
  Axes axes = find_axes(what, image.shape, run.channel_axis, run.batch_axis);
  const nb::object adjacent = with_channels_last(image.object, image, axes);
  if (!adjacent.is(image.object)) {
    image = look_at(adjacent, what);
    axes =
        find_axes(what, image.shape, -1,
                  run.batch_axis ? std::optional<int>(*axes.batch - (*axes.batch > *axes.channel))
                                 : std::nullopt);
  }
  const AnyView view = view_of(what, image, axes, false);
  Image planes = [&] {
    const nb::gil_scoped_release release;
    const ScenePlanes plan(view.info(), options);
    Image made(plan.output());
    Stream stream(kHost, run.threads, static_cast<std::size_t>(run.memory_limit));
    plan(view, made.view(), stream);
    return made;
  }();
  return to_numpy(std::move(planes));
}

constexpr const char* kCorrelate =
    R"(Correlates planes with themselves, or with others, over all shifts:

    map[dy, dx] = sum over y, x and pairs (i, j) of planes[i, y + dy, x + dx] * other[j, y, x]

over all pixels that both have. With quadrants "all" the map's [0, 0] is the shift
(1 - max_shift, 1 - max_shift).

planes: (rows, columns), (planes, rows, columns), or with channel_axis=-1 (rows, columns, planes);
    uint8, uint16, float32 or float64, of NumPy, CuPy, torch or anything with __dlpack__ or
    __cuda_array_interface__. Any strides, no copy.
other: of the same shape and dtype; None: the planes themselves.
out: a C-contiguous float32 array of the result's shape to fill.
Returns (rows, columns) for one map, (maps, rows, columns) for more, with the images of a batch
before them.

>>> planes = tessera.scene_planes(photo)                        # a, b, x1, x2
>>> colour, orientation = tessera.correlate(planes, max_shift=250, sums="pairs", scale="energy"))";

constexpr const char* kScenePlanes = R"(The colour and orientation of a photograph, as four planes.

image: (rows, columns) for grey, (rows, columns, 3 or 4), or channels elsewhere with channel_axis;
    uint8 or uint16 over their full range, float32 or float64 from 0 to 1. In host memory.
Returns float32 (4, rows, columns): CIE a* and b* (D65; 0 for grey), then x1 = m cos 2t and
x2 = m sin 2t, t the orientation of the texture counter-clockwise from the row and m its strength
(Rao and Schunck, 1991). Each plane has mean 0 and standard deviation 1 unless normalise says
otherwise.

>>> a, b, x1, x2 = tessera.scene_planes(photo, normalise="none"))";

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
  module.def("scene_planes", planes_of_photograph, "image"_a, "options"_a,
             nb::sig(kept(
                 "def scene_planes(image: typing.Any, *" + option_parameters<ScenePlanesOptions>() +
                 option_parameters<RunOptions>() + ") -> numpy.typing.NDArray[numpy.float32]")),
             kept(std::string(kScenePlanes) + "\n\nOptions:\n" + option_help<ScenePlanesOptions>() +
                  run_help));
}

}  // namespace tessera::python
