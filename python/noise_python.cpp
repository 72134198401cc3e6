// SPDX-License-Identifier: Apache-2.0
#include <nanobind/nanobind.h>

#include <string_view>

#include "python/doors.hpp"
#include "python/item_arrays.hpp"
#include "python/noise_plan.hpp"
#include "python/row_calls.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

/// Positional arguments, which are not among the keywords.
struct NoiseArguments {
  nb::object image, box, mask, out;
  bool fill = false;
};

struct NoiseKeywords {
  NoiseOptions own;
  HostOptions run;
  NoiseKeywords(const char* operation, nb::handle box, const nb::kwargs& given) {
    take_options(operation, given, own, run);
    from_python(std::string(operation) + ": box", box, own.box);
  }
};

Array image_of(const std::string& operation, const NoiseArguments& given) {
  const MaskedImage parts(given.image, given.mask);
  const Array image = look_at_values(parts.image, operation + ": image");
  check_planes(operation + ": image", image);
  return blanked(operation, image, parts.masks);
}

/// The image with its blanks, its plan and its maps.
struct Made {
  Array image;
  NoisePlan plan;
  nb::object maps;

  Made(const char* operation, const NoiseArguments& given, const NoiseKeywords& keywords)
      : image(image_of(operation, given)),
        plan(operation, image, keywords.own, keywords.run),
        maps(plan(image, given.out)) {
    if (given.fill) fill_maps(maps);
  }
};

MapsResult noise_maps(const NoiseArguments& given, const nb::kwargs& options) {
  if (options.contains("quantiles"))
    throw nb::type_error("noise() makes background and rms; noise_quantiles() makes quantiles");
  const Made made("noise", given, NoiseKeywords("noise", given.box, options));
  return {made.image, made.maps, made.plan};
}

nb::object quantile_maps(const NoiseArguments& given, nb::handle quantiles,
                         const nb::kwargs& options) {
  const char* const operation = "noise_quantiles";
  NoiseKeywords keywords(operation, given.box, options);
  from_python(std::string(operation) + ": quantiles", quantiles, keywords.own.quantiles);
  if (keywords.own.quantiles.orders.empty())
    throw nb::value_error("noise_quantiles: quantiles is empty; give 0.5, or several such");
  return Made(operation, given, keywords).maps;
}

nb::object run_plan(NoisePlan& plan, nb::handle given, nb::handle mask, nb::handle out) {
  const Array image = plan.image_of(given, mask);
  const nb::object maps = plan(image, out);
  return plan.makes_quantiles() ? maps : nb::cast(MapsResult(image, maps, plan));
}

constexpr const char* kNoise =
    R"(Background and noise at every pixel, from the box of pixels about it.

    background = the median, rms = (upper quartile - lower quartile) / 1.34896

of the box's values that are finite and not masked. Both are NaN where the pixel itself is blank
(see nomask), and where fewer than a quarter of the box's pixels count.
)";

constexpr const char* kArrays = R"(
image: (rows, columns), or (planes, rows, columns), with maps of every plane; uint8, uint16, float32
    or float64, of NumPy, CuPy, torch or anything with __dlpack__ or __cuda_array_interface__. Any
    strides, no copy. Also bool, other integers up to 32 bits, float16 and the other byte order,
    copied to the smallest of these types that holds the values.
box: a whole number, or (rows, columns): that many rows, from y - rows // 2 on; columns likewise.
mask: a bool array of the image's shape, True where a pixel is blank; that of a numpy.ma array counts
    too.
)";

constexpr const char* kFill =
    R"(fill: NaN of the maps take the value of the nearest pixel that has one.
)";

constexpr const char* kMapsResult =
    R"(out: an array (2, rows, columns) for background and rms to fill; (2, planes, rows, columns) for
    a cube.
Returns background and rms, float32 (float64 for float64 images), in arrays of the image's library,
and snr = (image - background) / rms, which is computed when it is first used.

>>> maps = tessera.noise(image, 64)
>>> maps.rms, maps.snr.max())";

constexpr const char* kQuantiles =
    R"(Quantiles of the box of pixels around every pixel, by NumPy's rule: between the two nearest of the
sorted values, linearly. NaN as in noise().
)";

constexpr const char* kQuantilesResult =
    R"(out: an array (quantiles, rows, columns) to fill; (quantiles, planes, rows, columns) for a cube.
Returns out, or a new array of this shape, of the image's library; float32
(float64 for float64 images).

>>> lower, upper = tessera.noise_quantiles(image, [0.25, 0.75], box=(48, 64)))";

constexpr const char* kPlan =
    R"(>>> plan = tessera.Noise(image.shape, image.dtype, 64)
>>> rms = [plan(image).rms for image in many]

With quantiles its calls give (quantiles, rows, columns), as noise_quantiles() does.)";

constexpr const char* kRunRows =
    R"(Some rows of the maps, (first, end), from a piece of the image, whose first row is row `first_row`
of the image: (maps, rows, columns), the same bytes as in a call for the whole image. For plans of
one image, in modes exact and binned. Cut at multiples of row_step, and give the rows that
needed_rows names.)";

constexpr const char* kSnrRows =
    R"((image - background) / rms of some rows of an image and of the maps that run_rows made of them.)";

void add_rows_of_noise(nb::class_<NoisePlan>& plan) {
  add_choice(plan, [](NoisePlan& self) -> Plan { return self.host_plan().plan(); });
  plan.def_prop_ro(
          "row_step", [](NoisePlan& self) { return self.host_plan().rows().row_step(); },
          nb::sig("def row_step(self) -> int"), kRowStep)
      .def(
          "needed_rows",
          [](NoisePlan& self, int first, int end) {
            const Noise rows = self.host_plan().rows();
            return rows_of_piece(rows, rows.needs({first, end}));
          },
          "first"_a, "end"_a,
          nb::sig("def needed_rows(self, first: int, end: int) -> tuple[int, list[int]]"),
          kNeededRows)
      .def(
          "run_rows",
          [](NoisePlan& self, nb::handle piece, int first_row, std::pair<int, int> rows,
             nb::handle mask) {
            return self.run_rows(self.piece_of(piece, mask), first_row, {rows.first, rows.second});
          },
          "piece"_a, "first_row"_a, "rows"_a, "mask"_a = nb::none(),
          nb::sig("def run_rows(self, piece: typing.Any, first_row: int, rows: tuple[int, int], "
                  "mask: typing.Any = None) -> typing.Any"),
          kRunRows)
      .def(
          "snr_rows",
          [](NoisePlan& self, nb::handle piece, const nb::object& maps, nb::handle mask) {
            return MapsResult(self.piece_of(piece, mask), maps, self).snr();
          },
          "piece"_a, "maps"_a, "mask"_a = nb::none(),
          nb::sig("def snr_rows(self, piece: typing.Any, maps: typing.Any, "
                  "mask: typing.Any = None) -> typing.Any"),
          kSnrRows);
}

constexpr auto kBesidePlaces = [](std::string_view name) {
  return name != "box" && name != "quantiles";
};
constexpr auto kBesideBox = [](std::string_view name) { return name != "box"; };

std::string noise_help(bool with_quantiles) {
  const std::string own = with_quantiles ? option_help<NoiseOptions>(kBesideBox)
                                         : option_help<NoiseOptions>(kBesidePlaces);
  return "\n\nOptions (two numbers are rows and columns):\n" + own + option_help<HostOptions>();
}

constexpr const char* kMaskAndOut = ", mask: typing.Any = None, out: typing.Any = None";

void add_functions(nb::module_& module) {
  const std::string parameters =
      option_parameters<NoiseOptions>(kBesidePlaces) + option_parameters<HostOptions>() + ") -> ";
  const std::string shared = std::string("box: int | tuple[int, int] = 64, *") +
                             ", fill: bool = False" + kMaskAndOut + parameters;
  module.def(
      "noise",
      [](nb::object image, nb::object box, bool fill, nb::object mask, nb::object out,
         const nb::kwargs& options) {
        return noise_maps({image, box, mask, out, fill}, options);
      },
      "image"_a, "box"_a = 64, nb::kw_only(), "fill"_a = false, "mask"_a = nb::none(),
      "out"_a = nb::none(), "options"_a,
      nb::sig(kept("def noise(image: typing.Any, " + shared + "NoiseMaps")),
      kept(std::string(kNoise) + kArrays + kFill + kMapsResult + noise_help(false)));
  module.def(
      "noise_quantiles",
      [](nb::object image, nb::handle quantiles, nb::object box, bool fill, nb::object mask,
         nb::object out, const nb::kwargs& options) {
        return quantile_maps({image, box, mask, out, fill}, quantiles, options);
      },
      "image"_a, "quantiles"_a, "box"_a = 64, nb::kw_only(), "fill"_a = false,
      "mask"_a = nb::none(), "out"_a = nb::none(), "options"_a,
      nb::sig(kept("def noise_quantiles(image: typing.Any, "
                   "quantiles: float | collections.abc.Sequence[float], " +
                   shared + "typing.Any")),
      kept(std::string(kQuantiles) + kArrays + kFill + kQuantilesResult + noise_help(false)));
}

void add_noise_plan(nb::module_& module) {
  nb::class_<NoisePlan> plan(module, "Noise",
                             "Background and noise made ready for images of one shape and dtype. "
                             "Make it once, call it many times, from any number of threads.");
  plan.def(
          "__init__",
          [](NoisePlan* self, nb::handle shape, nb::handle dtype, nb::handle box,
             const nb::kwargs& options) {
            const NoiseKeywords keywords("Noise", box, options);
            const Array like = expected_numbers("Noise", shape, dtype, ItemUse::values);
            new (self) NoisePlan("Noise", like, keywords.own, keywords.run);
            self->remember(made_for(like) + nb::make_tuple(nb::borrow(box)), options);
          },
          "shape"_a, "dtype"_a, "box"_a = 64, "options"_a,
          nb::sig(kept("def __init__(self, shape: collections.abc.Sequence[int], "
                       "dtype: numpy.typing.DTypeLike, box: int | tuple[int, int] = 64, *" +
                       option_parameters<NoiseOptions>(kBesideBox) +
                       option_parameters<HostOptions>() + ") -> None")),
          kept(kPlan + noise_help(true)))
      .def("__call__", run_plan, "image"_a, "mask"_a = nb::none(), "out"_a = nb::none(),
           nb::sig(kept(std::string("def __call__(self, image: typing.Any") + kMaskAndOut +
                        ") -> typing.Any")))
      .def("describe", &NoisePlan::describe,
           "The methods that run, one line per device met so far.")
      .def_prop_ro(
          "output_shape", [](const NoisePlan& self) { return to_tuple(self.output_shape()); },
          nb::sig("def output_shape(self) -> tuple[int, ...]"))
      .def_prop_ro("output_dtype", &NoisePlan::output_dtype,
                   nb::sig("def output_dtype(self) -> str"));
  add_rows_of_noise(plan);
  add_pickling(plan);
}

}  // namespace

void add_noise(nb::module_& module) {
  using M = MapsResult;
  nb::class_<M>(module, "NoiseMaps", "The results of noise.")
      .def_ro("background", &M::background, nb::sig("def background(self) -> typing.Any"))
      .def_ro("rms", &M::rms, nb::sig("def rms(self) -> typing.Any"))
      .def_prop_ro("snr", &M::snr, nb::sig("def snr(self) -> typing.Any"),
                   "(image - background) / rms; NaN where the image is blank or rms is 0. Made "
                   "when it is first looked at, of the image as it is then.")
      .def_ro("method", &M::method, "what ran");
  add_functions(module);
  add_noise_plan(module);
}

}  // namespace tessera::python
