// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/faraday_cutoff.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "jobs/faraday/faraday_lists.hpp"
#include "tessera/error.hpp"

namespace tessera {

FaradayCutoff faraday_cutoff_of(const FaradayCleanJob& job, const FaradayCubeSource& spectra) {
  FaradayCutoff found;
  FaradayCleanOptions& options = found.options;
  options = job.options;
  const FaradayCleanChoices& choices = job.choices;
  if (!choices.cutoff_map.empty()) {
    found.map = read_faraday_map(choices.cutoff_map, spectra, "the map of cutoffs", job.reading);
    found.text = choices.cutoff_map;
    return found;
  }
  if (options.cutoff == 0)
    throw Error(ErrorKind::usage,
                "faraday: there is no cutoff; give -c, in the units of the spectra or, below 0, in "
                "noise, or --cutoff-map");
  found.text = fmt::format("{}", options.cutoff);
  const bool in_noise = options.cutoff < 0 || options.window.value_or(1) < 0;
  if (!in_noise) return found;
  if (choices.noise.empty())
    throw Error(ErrorKind::usage,
                fmt::format("faraday: a cutoff of {} counts in noise; give --noise, a number or an "
                            "image",
                            options.cutoff));
  found.text = fmt::format("{} times noise {}", -options.cutoff, choices.noise);
  char* end = nullptr;
  const double number = std::strtod(choices.noise.c_str(), &end);
  if (*end == '\0') {
    if (options.cutoff < 0) options.cutoff *= -number;
    if (options.window.value_or(1) < 0) *options.window *= -number;
    return found;
  }
  if (options.window.value_or(1) < 0 || options.cutoff > 0)
    throw Error(ErrorKind::usage,
                "faraday: a window in noise needs --noise as a number; an image is for the cutoff");
  found.map = read_faraday_map(choices.noise, spectra, "the noise", job.reading);
  for (int y = 0; y < found.map.info().size.height; ++y)
    for (int x = 0; x < found.map.info().size.width; ++x)
      found.map.as<float>().at(x, y) *= static_cast<float>(-options.cutoff);
  options.cutoff = 0;
  return found;
}

}  // namespace tessera
