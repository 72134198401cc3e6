// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/faraday_cutoff.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>

#include "core/refuse.hpp"
#include "jobs/faraday/faraday_lists.hpp"

namespace tessera {

namespace {

Image scaled(const Image& map, double factor) {
  Image made(map.info());
  for (int y = 0; y < map.info().size.height; ++y)
    for (int x = 0; x < map.info().size.width; ++x)
      made.as<float>().at(x, y) = map.as<float>().at(x, y) * static_cast<float>(factor);
  return made;
}

/// A threshold below 0 as a multiple of the noise: a number in `to`, or an image.
Image times(const FaradayGivenNoise& noise, double threshold, double& to) {
  if (noise.number) {
    to = -threshold * *noise.number;
    return {};
  }
  to = 0;
  return scaled(noise.image, -threshold);
}

}  // namespace

double FaradayGivenNoise::at(int x, int y) const {
  if (number) return *number;
  return image ? image.as<float>().at(x, y) : std::numeric_limits<double>::quiet_NaN();
}

FaradayCutoff faraday_cutoff_of(const FaradayCleanJob& job, const FaradayCubeSource& spectra,
                                FaradayMemory& memory) {
  FaradayCutoff found;
  FaradayCleanOptions& options = found.options;
  options = job.options;
  const FaradayCleanChoices& choices = job.choices;
  const bool by_noise = options.cutoff < 0 || (options.window && *options.window < 0);
  if (by_noise && choices.noise.empty())
    refuse("faraday",
           fmt::format("a {} of {} is a multiple of the noise; give --noise, a number or "
                       "an image",
                       options.cutoff < 0 ? "cutoff" : "window",
                       options.cutoff < 0 ? options.cutoff : *options.window));
  FaradayGivenNoise& noise = found.noise;
  const bool used = by_noise || (choices.maps != "none" && !choices.noise.empty());
  if (used) noise.number = faraday_noise_number(choices.noise);
  if (used && !noise.number)
    noise.image = read_faraday_map(choices.noise, spectra, "the noise", job.reading, memory);
  if (by_noise && noise.image)  // the levels made of it are maps as large
    memory.hold("the levels", 8.0 * static_cast<double>(noise.image.info().size.pixels()));
  if (options.window && *options.window < 0) {
    double level = 0;
    found.window = times(noise, *options.window, level);
    options.window = found.window ? std::nullopt : std::optional(level);
  }
  if (!choices.cutoff_map.empty()) {
    if (options.cutoff != 0)
      refuse("faraday",
             fmt::format("both a cutoff of {} and a map of cutoffs are given; give only one",
                         options.cutoff));
    found.map =
        read_faraday_map(choices.cutoff_map, spectra, "the map of cutoffs", job.reading, memory);
    found.text = choices.cutoff_map;
    return found;
  }
  if (options.cutoff == 0)
    refuse("faraday",
           "there is no cutoff; give -c, in the units of the spectra or, below 0, in multiples of "
           "the noise, or --cutoff-map");
  found.text = options.cutoff > 0
                   ? fmt::format("{}", options.cutoff)
                   : fmt::format("{} times noise {}", -options.cutoff, choices.noise);
  if (options.cutoff < 0) found.map = times(noise, options.cutoff, options.cutoff);
  return found;
}

}  // namespace tessera
