// SPDX-License-Identifier: Apache-2.0
#include <nanobind/nanobind.h>

#include "python/doors.hpp"
#include "python/long_call.hpp"
#include "python/sample_run_options.hpp"
#include "sample/sky.hpp"

namespace tessera::python {
namespace {

nb::dict source_table(const std::vector<SkySource>& sources) {
  using S = SkySource;
  return table_of<S>(sources, {{"x", [](const S& s) { return s.x; }},
                               {"y", [](const S& s) { return s.y; }},
                               {"peak", [](const S& s) { return s.peak; }},
                               {"flux", [](const S& s) { return s.flux; }},
                               {"major", [](const S& s) { return s.shape.major; }},
                               {"minor", [](const S& s) { return s.shape.minor; }},
                               {"angle", [](const S& s) { return s.shape.angle; }}});
}

nb::dict sample_sky(Size size, unsigned long long seed, const SkyOptions& options,
                    const SampleRunOptions& run) {
  Image maps[3];
  const Sky sky = [&] {
    const LongCall unlocked;
    Sky made(size, seed, options, run.type, run.threads);
    for (const SkyMap map : {SkyMap::image, SkyMap::background, SkyMap::sigma}) {
      Image& image = maps[static_cast<int>(map)];
      image = Image(made.info());
      made.read(map, {0, size.height}, image.view());
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

constexpr const char* kSkyAbout =
    R"(A sky of sources in noise that varies, with the truth: the maps of `tessera sample sky`.

Returns a dict: image, background and sigma (standard deviation of the noise), (rows, columns); the image is
NaN where nothing is seen. sources, a dict of columns with one value per source: x, y, peak (at the centre),
flux (in total; that of a point source is its peak), major and minor (full widths at half the height, in
pixels) and angle (in degrees, from the direction of smaller rows towards smaller columns).

>>> sky = tessera.sample_sky(256, 192, seed=1, sources=12)
>>> snr = (sky["image"] - sky["background"]) / sky["sigma"])";

}  // namespace

void add_sky(nb::module_& module) {
  add_sample<SkyOptions, SampleRunOptions>(module, "sample_sky", 512, 512, "dict[str, typing.Any]",
                                           std::string(kSkyAbout) + "\n\nOptions:\n", sample_sky);
}

}  // namespace tessera::python
