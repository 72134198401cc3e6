// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/faraday_cutoff.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <optional>

#include "core/refuse.hpp"
#include "jobs/faraday/faraday_lists.hpp"

namespace tessera {

namespace {

/// Nothing if it is the name of an image.
std::optional<double> noise_number(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0') return std::nullopt;
  if (!(number > 0) || !std::isfinite(number))
    refuse("faraday", fmt::format("the noise is {}; it must be above 0", text));
  return number;
}

/// A threshold below 0 is a multiple of the noise.
double in_units(const char* what, double threshold, const std::string& noise) {
  if (threshold >= 0) return threshold;
  if (noise.empty())
    refuse("faraday",
           fmt::format("a {} of {} is a multiple of the noise; give --noise, a number{}", what,
                       threshold, what == std::string("cutoff") ? " or an image" : ""));
  const std::optional<double> number = noise_number(noise);
  if (!number)
    refuse("faraday",
           fmt::format(
               "a {} of {} needs --noise as a number; an image can be used only for the cutoff",
               what, threshold));
  return -threshold * *number;
}

Image scaled(Image map, double factor) {
  for (int y = 0; y < map.info().size.height; ++y)
    for (int x = 0; x < map.info().size.width; ++x)
      map.as<float>().at(x, y) *= static_cast<float>(factor);
  return map;
}

}  // namespace

FaradayCutoff faraday_cutoff_of(const FaradayCleanJob& job, const FaradayCubeSource& spectra,
                                FaradayMemory& memory) {
  FaradayCutoff found;
  FaradayCleanOptions& options = found.options;
  options = job.options;
  const FaradayCleanChoices& choices = job.choices;
  if (options.window) options.window = in_units("window", *options.window, choices.noise);
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
  if (options.cutoff > 0 || choices.noise.empty() || noise_number(choices.noise)) {
    options.cutoff = in_units("cutoff", options.cutoff, choices.noise);
    return found;
  }
  found.map = scaled(read_faraday_map(choices.noise, spectra, "the noise", job.reading, memory),
                     -options.cutoff);
  options.cutoff = 0;
  return found;
}

}  // namespace tessera
