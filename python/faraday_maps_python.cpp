// SPDX-License-Identifier: Apache-2.0
#include "tessera/faraday_maps.hpp"

#include <nanobind/nanobind.h>

#include <optional>

#include "python/doors.hpp"
#include "python/faraday_arrays.hpp"
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

nb::dict make_maps(nb::handle given, const FaradayAxes& axes,
                   const std::optional<std::vector<std::string>>& names, nb::handle bands,
                   const nb::kwargs& keywords) {
  MapsOptions options;
  CubeRunOptions run;
  take_options("faraday_maps", keywords, options, run);
  const std::vector<FaradayMap> maps = maps_of(names);
  const ComplexArray fdf = look_at_complex(given, kMapsFdf);
  const AnyView real = cube_view(kMapsFdf, fdf.real, run.axis),
                imaginary = cube_view(kMapsFdf, fdf.imaginary, run.axis);
  const FaradayMaps plan(real.info(), axes, options.fwhm.value_or(axes.fwhm), maps, options.own());
  Shape shape = without_axis(fdf.real.shape, run.axis);
  shape.insert(shape.begin(), static_cast<long long>(Names<FaradayBand>::list.size()));
  std::optional<Array> own;
  if (!bands.is_none())
    check_array(kMapsBands, own.emplace(look_at(bands, kMapsBands)), shape, fdf.real.type);
  const AnyView band_planes = own ? AnyView(cube_view(kMapsBands, *own, 0)) : AnyView();
  shape.front() = static_cast<long long>(maps.size());
  const Array made = make_like(fdf.real, shape, fdf.real.type);
  const AnyMutableView planes = cube_view(kMapsOut, made, 0);
  std::vector<const Array*> arrays{&fdf.real, &made};
  if (own) arrays.push_back(&*own);
  run_on_arrays(arrays, plan, run,
                [&](Stream& stream) { plan(real, imaginary, band_planes, planes, stream); });
  nb::dict found;
  for (std::size_t i = 0; i < maps.size(); ++i)
    found[nb::str(std::string(name_of(maps[i])).c_str())] = made.object[nb::int_(i)];
  return found;
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

}  // namespace

void add_faraday_maps(nb::module_& module) {
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
