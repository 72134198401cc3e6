// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "io/voltages/voltage_file.hpp"
#include "jobs/demo/demo_part.hpp"
#include "jobs/demo/draw_colours.hpp"
#include "jobs/demo/visibility_sky.hpp"

namespace tessera {
namespace {

constexpr int kPictureSide = 900, kStripHeight = 256, kRing = 14;
constexpr DrawnColour kRingColour{0.3, 0.9, 0.6};
/// The field is 20 degrees wide; the map a little wider.
constexpr double kFringeReach = 0.2;
/// Noise alone gives 1; the worst of a thousand pairs with about thirty channels each is about 1.3.
constexpr double kMostDistance = 1.6;

struct ArraySize {
  int antennas, channels, samples, map_side, map_step;
  double most_flux_error;  ///< of a source's flux: about five times the effect of noise
};

ArraySize array_size(bool quick) {
  return quick ? ArraySize{16, 32, 2048, 150, 4, 0.05} : ArraySize{32, 64, 8192, 300, 4, 0.01};
}

const char* const kXEngineStory =
    "An array of antennas with two polarisations records five radio sources, each weaker than the "
    "noise of the receivers: a single input shows only noise. The X-engine multiplies every pair "
    "of inputs in every channel and sums the products over time. These sums suffice for a map of "
    "the sky, in which the sources appear inside the rings that mark their true positions.";

std::string python_lines(const DemoOptions& options) {
  return fmt::format(R"(import numpy as np
import tessera

voltages = tessera.read_voltages("array.raw")["voltages"]
samples, channels, antennas = voltages.shape[:3]
visibilities = tessera.xengine(voltages, as_complex=True{0}) / samples
model = np.load("array_model.npy")

a, b = np.array(tessera.baselines(antennas)).T
power = model[:, a == b].real.diagonal(axis1=2, axis2=3)
noise = np.sqrt(power[:, a, :, None] * power[:, b, None, :] / samples)
apart = (abs(visibilities - model) / noise)[:, a != b]
print(f"{{apart.shape[1]}} baselines, {{channels}} channels: "
      f"{{np.sqrt((apart**2).mean()):.3f}} times the noise from the model")
)",
                     options.backend_argument());
}

/// Power of the first input: time to the right, channels upwards.
void draw_recording() {
  const auto source = open_voltages({"array.raw"});
  const XEngineShape shape = source->info().shape;
  const VoltageBlock block = source->read(kPictureSide);
  const auto* bytes = static_cast<const signed char*>(block.data);
  draw_colours("recording.png", kPictureSide, kStripHeight, [&](int x, int y) {
    const int channel = (kStripHeight - 1 - y) * shape.channels / kStripHeight;
    const long long sample = std::min<long long>(x / 3, block.samples - 1);
    const VoltageLayout& at = block.layout;
    const auto* part = bytes + channel * at.channel + sample / at.group * at.group_step +
                       sample % at.group * at.time;
    const double power = part[0] * part[0] + part[at.imaginary] * part[at.imaginary];
    return heat_colour(in_steps(power / 4000, 24));
  });
}

/// The brightest pixel is white; a ring marks every true source.
void draw_sky(const VisibilitySky& sky, const SkyMap& map) {
  const double most = *std::ranges::max_element(map.flux);
  std::vector<std::pair<double, double>> sources;
  const auto pixel = [&](double offset) { return (1 - offset / map.reach) * kPictureSide / 2; };
  for (const Json& source : sky.truth.at("sources"))
    sources.emplace_back(pixel(source.at("l")), pixel(source.at("m")));
  draw_colours("sky.png", kPictureSide, kPictureSide, [&](int x, int y) {
    for (const auto& [column, row] : sources)
      if (std::abs(std::hypot(x - column, y - row) - kRing) < 1) return kRingColour;
    const int place = y * map.side / kPictureSide * map.side + x * map.side / kPictureSide;
    return heat_colour(in_steps(map.flux[static_cast<std::size_t>(place)] / most, 64));
  });
}

/// The largest |fitted / true - 1| of all sources.
double worst_flux(const VisibilitySky& sky) {
  const std::vector<double> fluxes = fitted_fluxes(sky);
  double worst = 0;
  for (std::size_t k = 0; k < fluxes.size(); ++k) {
    const double truth = sky.truth.at("sources").at(k).at("stokes").at(0);
    worst = std::max(worst, std::abs(fluxes[k] / truth - 1));
  }
  return worst;
}

DemoCheck check_xengine(const ArraySize& size, const Json& said) {
  const VisibilitySky sky = read_visibility_sky("array");
  draw_recording();
  draw_sky(sky, map_sky(sky, size.map_side, kFringeReach, size.map_step));
  const double distance = distance_from_model(sky), flux = worst_flux(sky);
  const bool whole = said.value("samples", 0) == size.samples && said.value("saturated", -1) == 0;
  return {whole && distance < kMostDistance && flux < size.most_flux_error,
          fmt::format("fluxes of {} sources differ from the truth by at most {:.2f}% ({:g}% "
                      "allowed); the worst pair of inputs differs from the model by {:.2f} times "
                      "the noise ({} allowed); {} of {} samples used",
                      sky.truth.at("sources").size(), 100 * flux, 100 * size.most_flux_error,
                      distance, kMostDistance, said.value("samples", 0), size.samples)};
}

}  // namespace

DemoPart demo_xengine(const DemoOptions& options) {
  const ArraySize size = array_size(options.quick);
  const std::string sample = fmt::format(
      "tessera sample voltages array.raw --antennas {} --channels {} --samples {} --radius 150 "
      "--sources 5 --flux-low 4 --noise 20 --seed {}",
      size.antennas, size.channels, size.samples, options.seed);
  const std::string work =
      "tessera xengine array.raw -o array.npy --picture correlation.png" + options.backend_words();
  return {
      .operation = "xengine",
      .field = "Radio interferometers",
      .title = fmt::format("From the noise of {} antennas to a map of the sky", size.antennas),
      .story = kXEngineStory,
      .commands = {{sample}, {work, true}},
      .python = python_lines(options),
      .inputs =
          {{{"recording.png"},
            "Power of the first antenna's X over time (to the right) and frequency (upwards)"}},
      .outputs = {{{"correlation.png"},
                   "Amplitude and phase of all pairs of inputs in one channel, and fringes of four "
                   "baselines over frequency"},
                  {{"sky.png"},
                   "The sky from the sums, north up and east left, 23 degrees wide; rings mark the "
                   "true sources, the rest are side lobes of the array"}},
      .check = [size](const std::vector<Json>& said) { return check_xengine(size, said.at(1)); },
  };
}

}  // namespace tessera
