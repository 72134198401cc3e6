// SPDX-License-Identifier: Apache-2.0
#include <nanobind/nanobind.h>

#include <vector>

#include "python/array_checks.hpp"
#include "python/arrays.hpp"
#include "python/doors.hpp"
#include "python/long_call.hpp"
#include "python/options_python.hpp"
#include "tessera/beam.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

/// The numbers of a sequence or array.
std::vector<double> numbers_of(const std::string& what, nb::handle given) {
  const Array array = look_at(unmasked_array(what, given, "float64"), what);
  if (array.shape.size() != 1)
    throw_usage(what + " has shape " + shape_text(array.shape) + "; it must be a list of numbers");
  std::vector<double> numbers;
  const auto* values = static_cast<const double*>(array.data);
  for (long long i = 0; i < array.shape[0]; ++i) numbers.push_back(values[i * array.steps[0]]);
  return numbers;
}

Beam beam_from(const std::string& what, nb::handle given) {
  const std::vector<double> numbers = numbers_of(what, given);
  if (numbers.size() != 3)
    throw_usage(what + " has " + std::to_string(numbers.size()) +
                " numbers; it must be (BMAJ, BMIN, BPA), the last in degrees");
  return {numbers[0], numbers[1], numbers[2]};
}

nb::object beam_to_python(const Beam& beam) {
  return nb::make_tuple(beam.major, beam.minor, beam.angle);
}

/// One number: square pixels, north up and east to the left. Two: CDELT1 and CDELT2. A matrix: CD.
SkySteps steps_from(nb::handle given) {
  const std::string what = "beam_smooth: pixel";
  const nb::object array = unmasked_array(what, given, "float64");
  const auto axes = nb::cast<long long>(array.attr("ndim"));
  if (axes == 0) {
    const auto side = nb::cast<double>(array.attr("item")());
    return {-side, 0, 0, side};
  }
  const std::vector<double> numbers = numbers_of(what, array.attr("ravel")());
  if (axes == 1 && numbers.size() == 2) return {numbers[0], 0, 0, numbers[1]};
  if (axes == 2 && numbers.size() == 4) return {numbers[0], numbers[1], numbers[2], numbers[3]};
  throw_usage(what + " must be one number, (CDELT1, CDELT2), or the 2 x 2 matrix CD");
}

BeamChange change_from(nb::handle beam, nb::handle to, nb::handle pixel) {
  return {beam_from("beam_smooth: beam", beam), beam_from("beam_smooth: to", to),
          steps_from(pixel)};
}

nb::object smooth(nb::handle given, nb::handle beam, nb::handle to, nb::handle pixel,
                  nb::handle out, const nb::kwargs& keywords) {
  const std::string what = "beam_smooth: image";
  BeamOptions options;
  HostOptions run;
  take_options("beam_smooth", keywords, options, run);
  const Array image = look_at(given, what);
  if (image.shape.size() != 2 && image.shape.size() != 3)
    throw_usage(what + " has shape " + shape_text(image.shape) +
                "; it must be (rows, columns) or (channels, rows, columns)");
  if (image.device != kHost) throw_usage(what + " lies on a device; give one in host memory");
  Axes axes;
  if (image.shape.size() == 3) axes = {1, 2, std::nullopt, 0};
  const AnyMutableView from = view_of(what, image, axes, false);
  const BeamSmooth plan(from.info(), change_from(beam, to, pixel), options);
  const Array result = result_array("beam_smooth: out", out, image, image.shape, image.type);
  const AnyMutableView into = view_of("beam_smooth: out", result, axes, false);
  {
    const LongCall unlocked;
    Stream stream(plan.device(), run.threads, run.memory_bytes());
    plan(Piece{from, 0}, MutablePiece{into, 0}, stream);
  }
  return result.object;
}

const char* const kSmooth =
    R"(Convolves an image, or every channel of a cube, from one beam to another.

image: (rows, columns) or (channels, rows, columns), float32 or float64, in host memory.
beam, to: (BMAJ, BMIN, BPA) of the image and to reach: full widths at half maximum, and the angle from
    north to east in degrees.
pixel: the side of a pixel in the unit of the beams, for images with north up and east to the left; or
    (CDELT1, CDELT2), or the matrix ((CD1_1, CD1_2), (CD2_1, CD2_2)).
out: an array like the image to fill; it must not overlap the image.
Pixels that are not finite are NaN in the result and count as 0 for the others; outside the image the sky
is 0.

>>> smooth = tessera.beam_smooth(image, (12, 9, 30), tessera.common_beam(beams), 2.5))";

}  // namespace

void add_beam(nb::module_& module) {
  module.def(
      "beam_smooth", &smooth, "image"_a, "beam"_a, "to"_a, "pixel"_a, nb::kw_only(),
      "out"_a = nb::none(), "options"_a,
      nb::sig(kept("def beam_smooth(image: typing.Any, beam: collections.abc.Sequence[float], to: "
                   "collections.abc.Sequence[float], pixel: typing.Any, *, out: typing.Any = None" +
                   option_parameters<BeamOptions>() + option_parameters<HostOptions>() +
                   ") -> typing.Any")),
      kept(std::string(kSmooth) + "\n\nOptions:\n" + option_help<BeamOptions>() +
           option_help<HostOptions>()));
  module.def(
      "common_beam",
      [](nb::handle beams, bool circular) {
        std::vector<Beam> list;
        for (nb::handle beam : nb::iter(beams))
          list.push_back(beam_from("common_beam: a beam", beam));
        return beam_to_python(common_beam(list, circular));
      },
      "beams"_a, nb::kw_only(), "circular"_a = false,
      nb::sig(
          "def common_beam(beams: collections.abc.Iterable[collections.abc.Sequence[float]], *, "
          "circular: bool = False) -> tuple[float, float, float]"),
      "The smallest beam (BMAJ, BMIN, BPA) that every one of the beams can be convolved to.");
  module.def(
      "convolve_beams",
      [](nb::handle a, nb::handle b) {
        return beam_to_python(
            convolve_beams(beam_from("convolve_beams: a", a), beam_from("convolve_beams: b", b)));
      },
      "a"_a, "b"_a,
      nb::sig("def convolve_beams(a: collections.abc.Sequence[float], b: "
              "collections.abc.Sequence[float]) -> tuple[float, float, float]"),
      "The beam of an image with beam a after convolution with a Gaussian b.");
  module.def(
      "deconvolve_beam",
      [](nb::handle large, nb::handle small) -> nb::object {
        const auto beam = deconvolve_beam(beam_from("deconvolve_beam: large", large),
                                          beam_from("deconvolve_beam: small", small));
        if (!beam) return nb::none();
        return beam_to_python(*beam);
      },
      "large"_a, "small"_a,
      nb::sig("def deconvolve_beam(large: collections.abc.Sequence[float], small: "
              "collections.abc.Sequence[float]) -> tuple[float, float, float] | None"),
      "The Gaussian that turns a beam into a larger one; None if there is none.");
  module.def(
      "beam_kernel",
      [](nb::handle beam, nb::handle to, nb::handle pixel) {
        const BeamChange change = change_from(beam, to, pixel);
        Image weights;
        {
          const LongCall unlocked;
          weights = beam_kernel(change);
        }
        return to_numpy(std::move(weights));
      },
      "beam"_a, "to"_a, "pixel"_a,
      nb::sig("def beam_kernel(beam: collections.abc.Sequence[float], to: "
              "collections.abc.Sequence[float], pixel: typing.Any) -> "
              "numpy.typing.NDArray[numpy.float64]"),
      "The weights of the filter that turns one beam into another; they sum to 1.");
}

}  // namespace tessera::python
