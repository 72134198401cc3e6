// SPDX-License-Identifier: Apache-2.0
#include "tessera/faraday_maps.hpp"

#include <nanobind/nanobind.h>

#include <optional>

#include "python/doors.hpp"
#include "python/faraday_arrays.hpp"
#include "python/plans_by_key.hpp"
#include "python/row_calls.hpp"
#include "tessera/faraday_bands.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

constexpr const char *kMapsFdf = "faraday_maps: fdf", *kMapsOut = "faraday_maps: result",
                     *kMapsBands = "faraday_maps: bands";

/// None stands for NaN, which a signature cannot say.
struct MapsOptions {
  std::optional<double> fwhm, noise;
  Backend backend = Backend::automatic;
  std::string method = "auto";
  int device = 0;

  static constexpr auto fields() {
    using O = MapsOptions;
    return std::tuple_cat(
        std::tuple{
            field("fwhm", &O::fwhm, "width of the RMSF, rad/m^2; None: by theory"),
            field(
                "noise", &O::noise,
                "of the spectra, in their unit, if bands do not have it; None: measured away from "
                "the peak")},
        run_fields<O>());
  }
  FaradayMapsOptions own() const {
    FaradayMapsOptions options{.backend = backend, .method = method, .device = device};
    if (noise) options.noise = *noise;
    return options;
  }
};

std::vector<FaradayMap> maps_of(const std::optional<std::vector<std::string>>& names) {
  std::vector<FaradayMap> maps;
  if (!names)
    for (const auto& [name, map] : Names<FaradayMap>::list) maps.push_back(map);
  for (const std::string& name : names.value_or(std::vector<std::string>()))
    maps.push_back(parse_named<FaradayMap>("faraday_maps: maps", name));
  return maps;
}

struct MapsKeywords {
  MapsOptions own;
  CubeRunOptions run;
  explicit MapsKeywords(const nb::kwargs& given) { take_options("faraday_maps", given, own, run); }
};

/// Spectra of one shape and dtype, on any device.
class MapsPlan {
 public:
  /// `like`: a part of spectra such as are expected; the plan is made now, so that errors come now.
  MapsPlan(const Array& like, const FaradayAxes& axes,
           const std::optional<std::vector<std::string>>& names, const MapsKeywords& given)
      : shape_(like.shape),
        type_(like.type),
        axes_(axes),
        maps_(maps_of(names)),
        options_(given.own),
        run_(given.run) {
    plan_for(cube_view(kMapsFdf, like, run_.axis).info());
  }

  nb::dict operator()(nb::handle given, nb::handle bands) {
    const ComplexArray fdf = look_at_complex(given, kMapsFdf);
    check_array(kMapsFdf, fdf.real, shape_, type_);
    return make(fdf, bands);
  }
  nb::dict make(const ComplexArray& fdf, nb::handle bands) {
    const AnyView real = cube_view(kMapsFdf, fdf.real, run_.axis),
                  imaginary = cube_view(kMapsFdf, fdf.imaginary, run_.axis);
    const FaradayMaps plan = plan_for(real.info());
    Shape shape = without_axis(fdf.real.shape, run_.axis);
    shape.insert(shape.begin(), static_cast<long long>(Names<FaradayBand>::list.size()));
    std::optional<Array> own;
    if (!bands.is_none())
      check_array(kMapsBands, own.emplace(look_at(bands, kMapsBands)), shape, fdf.real.type);
    const AnyView band_planes = own ? AnyView(cube_view(kMapsBands, *own, 0)) : AnyView();
    shape.front() = static_cast<long long>(maps_.size());
    const Array made = make_like(fdf.real, shape, fdf.real.type);
    const AnyMutableView planes = cube_view(kMapsOut, made, 0);
    std::vector<const Array*> arrays{&fdf.real, &made};
    if (own) arrays.push_back(&*own);
    run_on_arrays(arrays, plan, run_,
                  [&](Stream& stream) { plan(real, imaginary, band_planes, planes, stream); });
    nb::dict found;
    for (std::size_t i = 0; i < maps_.size(); ++i)
      found[nb::str(std::string(name_of(maps_[i])).c_str())] = made.object[nb::int_(i)];
    return found;
  }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const FaradayMap map : maps_) names.emplace_back(name_of(map));
    return names;
  }
  FaradayMaps first_plan() const { return plans_.first(); }
  std::string describe() const { return plans_.describe(); }

 private:
  FaradayMaps plan_for(const ImageInfo& info) {
    return plans_.get(info.device, [&] {
      return FaradayMaps(info, axes_, options_.fwhm.value_or(axes_.fwhm), maps_, options_.own());
    });
  }

  Shape shape_;
  Type type_;
  FaradayAxes axes_;
  std::vector<FaradayMap> maps_;
  MapsOptions options_;
  CubeRunOptions run_;
  KeptPlans<FaradayMaps> plans_;
};

nb::dict make_maps(nb::handle given, const FaradayAxes& axes,
                   const std::optional<std::vector<std::string>>& names, nb::handle bands,
                   const nb::kwargs& keywords) {
  const MapsKeywords options(keywords);
  const ComplexArray fdf = look_at_complex(given, kMapsFdf);
  return MapsPlan(fdf.real, axes, names, options).make(fdf, bands);
}

constexpr const char* kMaps =
    R"(Maps of the strongest source in every Faraday spectrum.

The peak is the largest |fdf| except at the first and last depth; a parabola through it and its
neighbours gives depth and intensity between the depths of the grid.

fdf: complex64 or complex128, (depths, rows, columns), (depths, pixels) or (depths,).
axes: of faraday_synth or faraday_axes.
bands: those of faraday_synth: noise, widths and errors then follow the channels that each pixel has. None:
    all pixels have all channels of the axes. Give them if pixels lack channels or weights differ.
maps: names of those wanted; None: all of max-pi and peak-rm (of the grid), rm, rm-error, pi,
    pi-debiased, snr, angle, angle-error, angle-0 (at wavelength 0), angle-0-error (degrees),
    noise, second-moment (rad/m^2), rm-error-fwhm (RM-Tools' estimate by the width of the RMSF).
Returns a dict of arrays, one value per pixel.

>>> maps = tessera.faraday_maps(spectra.fdf, spectra.axes, bands=spectra.bands)
>>> maps["rm"][44, 48])";

void add_maps_plan(nb::module_& module) {
  nb::class_<MapsPlan> plan(module, "FaradayMaps",
                            "Maps made ready for spectra of one shape and dtype. Make it once, "
                            "call it many times, from any number of threads.");
  plan.def(
          "__init__",
          [](MapsPlan* self, nb::handle shape, nb::handle dtype, const FaradayAxes& axes,
             const std::optional<std::vector<std::string>>& names, const nb::kwargs& keywords) {
            new (self) MapsPlan(expected_part(kMapsFdf, shape, dtype), axes, names,
                                MapsKeywords(keywords));
          },
          "shape"_a, "dtype"_a, "axes"_a, nb::kw_only(), "maps"_a = nb::none(), "options"_a,
          nb::sig(kept("def __init__(self, shape: collections.abc.Sequence[int], "
                       "dtype: numpy.typing.DTypeLike, axes: FaradayAxes, *, "
                       "maps: collections.abc.Sequence[str] | None = None" +
                       option_parameters<MapsOptions>() + option_parameters<CubeRunOptions>() +
                       ") -> None")),
          ">>> plan = tessera.FaradayMaps(fdf.shape, fdf.dtype, axes, maps=[\"rm\"])\n"
          ">>> depths = [plan(fdf)[\"rm\"] for fdf in many]")
      .def(
          "__call__",
          [](MapsPlan& self, nb::handle fdf, nb::handle bands) { return self(fdf, bands); },
          "fdf"_a, "bands"_a = nb::none(),
          nb::sig("def __call__(self, fdf: typing.Any, bands: typing.Any = None) -> "
                  "dict[str, typing.Any]"))
      .def("describe", &MapsPlan::describe,
           "The methods that run, one line per device met so far.");
  plan.def_prop_ro("names", &MapsPlan::names, nb::sig("def names(self) -> list[str]"),
                   "of the maps, in order");
  add_choice(plan, [](const MapsPlan& self) { return self.first_plan(); });
}

}  // namespace

void add_faraday_maps(nb::module_& module) {
  add_maps_plan(module);
  module.def("faraday_maps", make_maps, "fdf"_a, "axes"_a, nb::kw_only(), "maps"_a = nb::none(),
             "bands"_a = nb::none(), "options"_a,
             nb::sig(kept("def faraday_maps(fdf: typing.Any, axes: FaradayAxes, *, "
                          "maps: collections.abc.Sequence[str] | None = None, "
                          "bands: typing.Any = None" +
                          option_parameters<MapsOptions>() + option_parameters<CubeRunOptions>() +
                          ") -> dict[str, typing.Any]")),
             kept(std::string(kMaps) + "\n\nOptions:\n" + option_help<MapsOptions>() +
                  option_help<CubeRunOptions>()));
}

}  // namespace tessera::python
