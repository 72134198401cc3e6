// SPDX-License-Identifier: Apache-2.0
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "python/doors.hpp"
#include "python/faraday_arrays.hpp"
#include "python/sample_run_options.hpp"
#include "sample/polarised.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

nb::dict truth_table(const std::vector<PolarisedSource>& sources) {
  nb::dict table;
  const auto column = [&](const char* name, auto value) {
    std::vector<double> values;
    for (const PolarisedSource& source : sources) values.push_back(value(source));
    table[name] = to_numpy(values);
  };
  using S = PolarisedSource;
  column("x", [](const S& s) { return s.x; });
  column("y", [](const S& s) { return s.y; });
  column("rm", [](const S& s) { return s.first.rm; });
  column("flux", [](const S& s) { return s.first.flux; });
  column("angle", [](const S& s) { return s.first.angle; });
  column("thickness", [](const S& s) { return s.thickness; });
  column("second_rm", [](const S& s) { return s.second.rm; });
  column("second_flux", [](const S& s) { return s.second.flux; });
  column("second_angle", [](const S& s) { return s.second.angle; });
  column("index", [](const S& s) { return s.index; });
  column("fraction", [](const S& s) { return s.fraction; });
  return table;
}

nb::dict sample_polarised(int width, int height, unsigned long long seed,
                          const nb::kwargs& keywords) {
  PolarisedOptions options;
  SampleRunOptions run;
  take_options("sample_polarised", keywords, options, run);
  Image cubes[3];
  const PolarisedSky sky = [&] {
    const nb::gil_scoped_release release;
    PolarisedSky made({width, height}, seed, options, run.type, run.threads);
    for (const Stokes stokes : {Stokes::q, Stokes::u, Stokes::i}) {
      Image& cube = cubes[static_cast<int>(stokes)];
      cube = Image(made.info());
      made.read(stokes, {0, height}, cube.view());
    }
    return made;
  }();
  nb::dict result;
  result["q"] = to_numpy(std::move(cubes[0]));
  result["u"] = to_numpy(std::move(cubes[1]));
  result["i"] = to_numpy(std::move(cubes[2]));
  result["frequency"] = to_numpy(sky.frequencies());
  result["truth"] = truth_table(sky.truth());
  return result;
}

constexpr const char* kSky =
    R"(A sky of polarised sources, with the truth: the cubes of `tessera sample polarised`.

Returns a dict: q, u and i, (frequencies, rows, columns); frequency in hertz; truth, a dict of columns
with one value a source: x, y, rm, flux, angle (degrees, at wavelength 0), thickness, second_rm …

>>> sky = tessera.sample_polarised(128, 128, seed=1, sources=12)
>>> spectra = tessera.faraday_synth(sky["q"], sky["u"], sky["frequency"], phi_max=600, dphi=3))";

}  // namespace

void add_polarised(nb::module_& module) {
  module.def("sample_polarised", sample_polarised, "width"_a = 128, "height"_a = 128, "seed"_a = 1,
             "options"_a,
             nb::sig(kept("def sample_polarised(width: int = 128, height: int = 128, "
                          "seed: int = 1, *" +
                          option_parameters<PolarisedOptions>() +
                          option_parameters<SampleRunOptions>() + ") -> dict[str, typing.Any]")),
             kept(std::string(kSky) + "\n\nOptions:\n" + option_help<PolarisedOptions>() +
                  option_help<SampleRunOptions>()));
}

}  // namespace tessera::python
