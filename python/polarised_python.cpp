// SPDX-License-Identifier: Apache-2.0
#include <nanobind/nanobind.h>

#include "python/doors.hpp"
#include "python/long_call.hpp"
#include "python/sample_run_options.hpp"
#include "sample/polarised.hpp"

namespace tessera::python {
namespace {

nb::dict truth_table(const std::vector<PolarisedSource>& sources) {
  using S = PolarisedSource;
  return table_of<S>(sources, {{"x", [](const S& s) { return s.x; }},
                               {"y", [](const S& s) { return s.y; }},
                               {"rm", [](const S& s) { return s.first.rm; }},
                               {"flux", [](const S& s) { return s.first.flux; }},
                               {"angle", [](const S& s) { return s.first.angle; }},
                               {"thickness", [](const S& s) { return s.thickness; }},
                               {"second_rm", [](const S& s) { return s.second.rm; }},
                               {"second_flux", [](const S& s) { return s.second.flux; }},
                               {"second_angle", [](const S& s) { return s.second.angle; }},
                               {"index", [](const S& s) { return s.index; }},
                               {"fraction", [](const S& s) { return s.fraction; }}});
}

nb::dict sample_polarised(Size size, unsigned long long seed, const PolarisedOptions& options,
                          const SampleRunOptions& run) {
  Image cubes[3];
  const PolarisedSky sky = [&] {
    const LongCall unlocked;
    PolarisedSky made(size, seed, options, run.type, run.threads);
    for (const Stokes stokes : {Stokes::q, Stokes::u, Stokes::i}) {
      Image& cube = cubes[static_cast<int>(stokes)];
      cube = Image(made.info());
      made.read(stokes, {0, size.height}, cube.view());
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

constexpr const char* kPolarised =
    R"(A sky of polarised sources, with the truth: the cubes of `tessera sample polarised`.

Returns a dict: q, u and i, (frequencies, rows, columns); frequency in hertz; truth, a dict of columns
with one value per source: x, y, rm, flux, angle (degrees, at wavelength 0), thickness, second_rm …

>>> sky = tessera.sample_polarised(128, 128, seed=1, sources=12)
>>> spectra = tessera.faraday_synth(sky["q"], sky["u"], sky["frequency"], phi_max=600, dphi=3))";

}  // namespace

void add_polarised(nb::module_& module) {
  add_sample<PolarisedOptions, SampleRunOptions>(
      module, "sample_polarised", 128, 128, "dict[str, typing.Any]",
      std::string(kPolarised) + "\n\nOptions:\n", sample_polarised);
}

}  // namespace tessera::python
