// SPDX-License-Identifier: Apache-2.0
#include <nanobind/nanobind.h>

#include <cstdlib>
#include <utility>

#include "python/doors.hpp"
#include "python/faraday_arrays.hpp"
#include "python/faraday_voxel_arrays.hpp"
#include "tessera/stokes_fit.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

constexpr const char *kFitI = "faraday_fit_i: i", *kFitOut = "faraday_fit_i: result",
                     *kFitNoise = "faraday_fit_i: noise";

/// Results that are one plane.
constexpr std::pair<const char*, int> kSingles[] = {{"alpha", StokesPlanes::alpha},
                                                    {"alpha-error", StokesPlanes::alpha_error},
                                                    {"order", StokesPlanes::order},
                                                    {"reference", StokesPlanes::reference},
                                                    {"chi-squared", StokesPlanes::chi_squared},
                                                    {"reduced", StokesPlanes::reduced},
                                                    {"snr", StokesPlanes::snr},
                                                    {"channels", StokesPlanes::channels},
                                                    {"status", StokesPlanes::status}};

nb::dict dict_of(const Array& model, const Array& maps, int order) {
  nb::dict found;
  found["model"] = model.object;
  const auto planes = [&](int first, int count) {
    return maps.object[nb::slice(nb::int_(first), nb::int_(first + count), nb::none())];
  };
  found["coefficients"] = planes(StokesPlanes::coefficient, order + 1);
  found["errors"] = planes(StokesPlanes::error, order + 1);
  found["covariance"] = planes(StokesPlanes::covariance, (order + 1) * (order + 2) / 2);
  for (const auto& [name, plane] : kSingles) found[name] = maps.object[nb::int_(plane)];
  return found;
}

nb::dict fit_i(nb::handle given, nb::handle frequency, nb::handle noise,
               const nb::kwargs& keywords) {
  StokesFitOptions options;
  CubeRunOptions run;
  take_options("faraday_fit_i", keywords, options, run);
  const Array i = look_at(given, kFitI);
  const AnyView cube = cube_view(kFitI, i, run.axis);
  const VoxelArrays noises(noise, nb::none(), i, run.axis, nullptr, kFitNoise);
  options.sigma = noises.channel_sigma();
  const StokesFit plan(cube.info(), numbers("faraday_fit_i: frequency", frequency), options);
  Shape shape = without_axis(i.shape, run.axis);
  shape.insert(shape.begin(), StokesPlanes::count);
  const Array model = make_like(i, i.shape, i.type), maps = make_like(i, shape, i.type);
  StokesVoxels voxels{cube};
  std::vector<const Array*> arrays{&i, &model, &maps};
  if (const Array* sigma = noises.sigma()) {
    voxels.sigma = cube_view(kFitNoise, *sigma, run.axis);
    arrays.push_back(sigma);
  }
  const AnyMutableView to_model = cube_view(kFitOut, model, run.axis),
                       to_maps = cube_view(kFitOut, maps, 0);
  run_on_arrays(arrays, plan, run,
                [&](Stream& stream) { plan(voxels, to_model, to_maps, stream); });
  return dict_of(model, maps, std::abs(options.order));
}

constexpr const char* kFit =
    R"(A smooth curve of Stokes I over frequency, fitted to every pixel.

With x = frequency / reference and L = log10 x the curves are

    log      I = c0 10^(c1 L + c2 L^2 + ...)
    linear   I = c0 + c1 x + c2 x^2 + ...

as in RM-Tools (rmtools_fitIcube) and rm-lite, by least squares with weights 1 / noise**2.

i: (frequencies, rows, columns), (frequencies, pixels) or (frequencies,), or with axis=-1 the
    frequencies last; float32 or float64, of NumPy, CuPy, torch or anything with __dlpack__. Any
    strides, no copy. Voxels that are not finite are left out.
frequency: hertz, one per channel, in any order.
noise: of i: a number, one per channel, one per pixel, or a cube like i. Voxels whose noise is not above
    0 are left out.
Returns a dict: "model", like i; "coefficients" and "errors", (order + 1, rows, columns); "covariance",
((order + 1) (order + 2) / 2, rows, columns), of c_i and c_j at i (i + 1) / 2 + j for j <= i; and with one
value per pixel "alpha" (d ln I / d ln frequency at the reference), "alpha-error", "order", "reference" (Hz),
"chi-squared", "reduced" (chi-squared per degree of freedom), "snr", "channels" and "status": 0 fitted, 1 too
few channels, 2 below the S/N cut, 3 not determined, 4 no minimum, 5 below the floor. All except snr, channels
and status are NaN in pixels that are not fitted.

>>> fit = tessera.faraday_fit_i(i, frequency, noise=sigma)
>>> spectra = tessera.faraday_synth(q, u, frequency, model=fit["model"])
>>> fit["alpha"][44, 48], fit["alpha-error"][44, 48])";

}  // namespace

void add_faraday_fit(nb::module_& module) {
  module.def("faraday_fit_i", fit_i, "i"_a, "frequency"_a, "noise"_a, "options"_a,
             nb::sig(kept("def faraday_fit_i(i: typing.Any, frequency: numpy.typing.ArrayLike, "
                          "noise: typing.Any, *" +
                          option_parameters<StokesFitOptions>() +
                          option_parameters<CubeRunOptions>() + ") -> dict[str, typing.Any]")),
             kept(std::string(kFit) + "\n\nOptions:\n" + option_help<StokesFitOptions>() +
                  option_help<CubeRunOptions>()));
}

}  // namespace tessera::python
