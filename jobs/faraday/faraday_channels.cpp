// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/faraday_channels.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "jobs/faraday/faraday_lists.hpp"
#include "tessera/error.hpp"
#include "tessera/faraday_maps.hpp"

namespace tessera {
namespace {

std::vector<double> weights_of(const FaradaySynthChoices& choices, const FaradayCubeSource& cube,
                               const std::vector<double>& sigma) {
  const auto channels = static_cast<std::size_t>(cube.info().size.planes);
  if (choices.weights == "uniform") return std::vector<double>(channels, 1.0);
  if (choices.weights != "variance") return read_channel_list(choices.weights, cube, "weights");
  if (sigma.empty())
    throw Error(
        ErrorKind::usage,
        "faraday: weights by variance need --noise, a file with the noise of every channel");
  std::vector<double> weights;
  for (const double s : sigma) weights.push_back(1 / (s * s));
  return weights;
}

}  // namespace

FaradayJobChannels faraday_channels_of(const FaradaySynthJob& job, FaradayInput& input) {
  const FaradayCubeSource& q = input.q();
  std::vector<double> sigma;
  if (!job.choices.noise.empty()) sigma = read_channel_list(job.choices.noise, q, "noise values");
  FaradayChannels channels{job.frequencies.empty()
                               ? header_frequencies(q)
                               : read_channel_list(job.frequencies, q, "frequencies"),
                           weights_of(job.choices, q, sigma)};
  input.set_frequencies(channels.frequency);
  FaradayJobChannels found;
  faraday_axes(channels,
               job.options);  // faults of options are reported before channels are searched
  found.note = duplicates_in(channels.frequency);
  const std::vector<unsigned char> dead = input.find_dead();
  found.dead = static_cast<int>(std::ranges::count(dead, 1));
  if (found.dead == q.info().size.planes)
    throw Error(
        ErrorKind::input,
        fmt::format(
            "faraday: {} and {} have no voxel at which both are finite; give cubes with valid data",
            job.files.q, job.files.u));
  for (std::size_t k = 0; k < dead.size(); ++k)
    if (dead[k]) channels.weight[k] = 0;
  found.axes = faraday_axes(channels, job.options);
  for (std::size_t k = 0; k < sigma.size(); ++k)
    if (!(found.axes.weight[k] > 0)) sigma[k] = 0;
  if (!sigma.empty()) found.noise = faraday_noise(found.axes, sigma);
  return found;
}

}  // namespace tessera
