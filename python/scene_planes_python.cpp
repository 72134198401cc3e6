// SPDX-License-Identifier: Apache-2.0
#include "tessera/scene_planes.hpp"

#include <nanobind/nanobind.h>

#include "python/arrays.hpp"
#include "python/doors.hpp"
#include "python/long_call.hpp"
#include "python/options_python.hpp"
#include "tessera/error.hpp"
#include "tessera/kept_plans.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

nb::object planes_of_photograph(nb::handle given, const nb::kwargs& keywords) {
  const std::string what = "scene_planes: image";
  ScenePlanesOptions options;
  RunOptions run;
  take_options("scene_planes", keywords, options, run);
  Array image = look_at(given, what);
  if (!run.channel_axis && !run.batch_axis && image.shape.size() == 3) run.channel_axis = -1;
  Axes axes = find_axes(what, image.shape, run.channel_axis, run.batch_axis);
  image = with_channels_last(what, image, axes);
  const AnyView view = view_of(what, image, axes, false);
  if (view.device != kHost)
    throw Error(ErrorKind::usage,
                what + " is on a device; give it in host memory, such as by cupy.asnumpy");
  Image planes = [&] {
    const LongCall unlocked;
    const auto plan = kept_plan<ScenePlanes>(view.info(), options);
    Image made(plan.output());
    Stream stream(kHost, run.threads, run.memory_bytes());
    plan(view, made.view(), stream);
    return made;
  }();
  return to_numpy(std::move(planes));
}

constexpr const char* kScenePlanes = R"(The colour and orientation of a photograph, as four planes.

image: (rows, columns) for grey, (rows, columns, 3 or 4), or channels elsewhere with channel_axis;
    uint8 or uint16 over their full range, float32 or float64 from 0 to 1. In host memory.
Returns float32 (4, rows, columns): CIE a* and b* (D65; 0 for grey), then x1 = m cos 2t and
x2 = m sin 2t, t the orientation of the texture counter-clockwise from the row and m its strength
(Rao and Schunck, 1991). Each plane has mean 0 and standard deviation 1 unless normalise says
otherwise.

>>> a, b, x1, x2 = tessera.scene_planes(photo, normalise="none"))";

}  // namespace

void add_scene_planes(nb::module_& module) {
  module.def("scene_planes", planes_of_photograph, "image"_a, "options"_a,
             nb::sig(kept(
                 "def scene_planes(image: typing.Any, *" + option_parameters<ScenePlanesOptions>() +
                 option_parameters<RunOptions>() + ") -> numpy.typing.NDArray[numpy.float32]")),
             kept(std::string(kScenePlanes) + "\n\nOptions:\n" + option_help<ScenePlanesOptions>() +
                  option_help<RunOptions>()));
}

}  // namespace tessera::python
