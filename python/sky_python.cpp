// SPDX-License-Identifier: Apache-2.0
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "python/doors.hpp"
#include "python/faraday_arrays.hpp"
#include "python/sample_run_options.hpp"
#include "sample/sky.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

nb::dict source_table(const std::vector<SkySource>& sources) {
  nb::dict table;
  const auto column = [&](const char* name, auto value) {
    std::vector<double> values;
    for (const SkySource& source : sources) values.push_back(value(source));
    table[name] = to_numpy(values);
  };
  using S = SkySource;
  column("x", [](const S& s) { return s.x; });
  column("y", [](const S& s) { return s.y; });
  column("peak", [](const S& s) { return s.peak; });
  column("flux", [](const S& s) { return s.flux; });
  column("major", [](const S& s) { return s.shape.major; });
  column("minor", [](const S& s) { return s.shape.minor; });
  column("angle", [](const S& s) { return s.shape.angle; });
  return table;
}

nb::dict sample_sky(int width, int height, unsigned long long seed, const nb::kwargs& keywords) {
  SkyOptions options;
  SampleRunOptions run;
  take_options("sample_sky", keywords, options, run);
  Image maps[3];
  const Sky sky = [&] {
    const nb::gil_scoped_release release;
    Sky made({width, height}, seed, options, run.type, run.threads);
    for (const SkyMap map : {SkyMap::image, SkyMap::background, SkyMap::sigma}) {
      Image& image = maps[static_cast<int>(map)];
      image = Image(made.info());
      made.read(map, {0, height}, image.view());
    }
    return made;
  }();
  nb::dict result;
  result["image"] = to_numpy(std::move(maps[0]));
  result["background"] = to_numpy(std::move(maps[1]));
  result["sigma"] = to_numpy(std::move(maps[2]));
  result["sources"] = source_table(sky.truth());
  return result;
}

constexpr const char* kSky =
    R"(A sky of sources in noise that varies, with the truth: the maps of `tessera sample sky`.

Returns a dict: image, background and sigma (the noise's standard deviation), (rows, columns); the image is
NaN where nothing is seen. sources, a dict of columns with one value a source: x, y, peak (at the centre),
flux (in all, a point source's is its peak), major and minor (full widths at half the height, in pixels)
and angle (degrees from up the rows to lower columns).

>>> sky = tessera.sample_sky(256, 192, seed=1, sources=12)
>>> snr = (sky["image"] - sky["background"]) / sky["sigma"])";

}  // namespace

void add_sky(nb::module_& module) {
  module.def("sample_sky", sample_sky, "width"_a = 512, "height"_a = 512, "seed"_a = 1, "options"_a,
             nb::sig(kept("def sample_sky(width: int = 512, height: int = 512, seed: int = 1, *" +
                          option_parameters<SkyOptions>() + option_parameters<SampleRunOptions>() +
                          ") -> dict[str, typing.Any]")),
             kept(std::string(kSky) + "\n\nOptions:\n" + option_help<SkyOptions>() +
                  option_help<SampleRunOptions>()));
}

}  // namespace tessera::python
