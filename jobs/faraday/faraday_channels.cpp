// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/faraday_channels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/counted.hpp"
#include "jobs/faraday/faraday_lists.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// "", or a sentence with the first channel whose frequency is another in the list than in the
/// cube's header. Headers hold evenly spaced channels only, so the list counts.
std::string other_than_header(const std::string& list, const std::vector<double>& listed,
                              const FaradayCubeSource& cube) {
  if (list.empty() || cube.stack()) return "";
  const std::vector<double> stated = stated_frequencies(cube);
  if (stated.size() != listed.size() || stated.size() < 2) return "";
  const double width =
      std::abs(stated.back() - stated.front()) / static_cast<double>(stated.size() - 1);
  for (std::size_t k = 0; k < stated.size(); ++k)
    if (!(std::abs(listed[k] - stated[k]) <= width / 2))
      return fmt::format(
          "channel {} is {:.9g} MHz in {} and {:.9g} MHz in the header of {}; the list counts", k,
          listed[k] / 1e6, list, stated[k] / 1e6, cube.path());
  return "";
}

}  // namespace

std::vector<double> faraday_frequencies(const std::string& list, const FaradayCubeSource& cube,
                                        bool allow_others) {
  if (list.empty()) return header_frequencies(cube);
  std::vector<double> listed = read_channel_list(list, cube, "frequencies");
  check_hertz(list, listed);
  if (!cube.stack() || allow_others) return listed;
  const std::vector<double>& stated = cube.stack()->frequencies();
  for (std::size_t k = 0; k < stated.size(); ++k)
    if (!(std::abs(listed[k] - stated[k]) <= 1e-4 * stated[k]))
      throw Error(
          ErrorKind::usage,
          fmt::format("faraday: number {} of {} is {:.9g} Hz, and {}, file {} in the order of "
                      "frequencies, states {:.9g} Hz; leave out the list, or give "
                      "--allow-other-frequencies",
                      k, list, listed[k], cube.channel_name(k), k, stated[k]));
  return listed;
}

FaradayJobChannels faraday_channels_of(const FaradaySynthJob& job, FaradayVoxelInput& voxels) {
  FaradayInput& input = voxels.cubes();
  const FaradayCubeSource& q = input.q();
  FaradayChannels channels{
      faraday_frequencies(job.frequencies, q, job.files.allowed.other_frequencies)};
  input.set_frequencies(channels.frequency);
  channels.weight = voxels.channel_weights();
  FaradayJobChannels found;
  faraday_axes(channels,
               job.options);  // faults of options are reported before channels are searched
  found.note = duplicates_in(channels.frequency);
  if (!job.files.allowed.other_frequencies)
    if (const std::string other = other_than_header(job.frequencies, channels.frequency, q);
        !other.empty())
      found.note += (found.note.empty() ? "" : "; ") + other;
  if (q.stack() && !q.stack()->gaps().empty())
    found.note += (found.note.empty() ? "" : "; ") + q.stack()->gaps();
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
  if (voxels.has_weights()) {
    input.refer_to(found.axes);
    channels.weight = voxels.mean_weights();
    if (std::ranges::count_if(channels.weight, [](double w) { return w > 0; }) == 0)
      throw Error(ErrorKind::input,
                  fmt::format("faraday: no voxel of {} has a weight above 0; give noise or weights "
                              "that are known somewhere",
                              job.files.q));
    found.axes = faraday_axes(channels, job.options);
  }
  input.refer_to(found.axes);
  found.sigma = voxels.channel_sigma();
  int unknown = 0;
  for (std::size_t k = 0; k < found.sigma.size(); ++k)
    unknown += found.axes.weight[k] > 0 && std::isnan(found.sigma[k]);
  if (unknown > 0)
    found.note += fmt::format(
        "{}the noise of {} is not above 0 in {}: the noise of spectra that have them is "
        "measured",
        found.note.empty() ? "" : "; ", counted(unknown, "channel"), job.choices.noise);
  return found;
}

}  // namespace tessera
