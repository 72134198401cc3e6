// SPDX-License-Identifier: Apache-2.0
// Phase centres and (u, v, w) over time, and assumptions for missing data.
#include "jobs/xengine/imaging_output.hpp"

#include <fmt/format.h>

#include "jobs/history.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

// Assumed for recordings that lack these data: these formats have no way to express "not known".
constexpr double kAssumedFrequency = 1e9, kAssumedRate = 1e6;
constexpr long long kAssumedDay = 51544;  // 2000-01-01

}  // namespace

void check_known(const std::string& format, const XEngineJob& job, const XEngineDescription& d) {
  if (!d.antennas.placed)
    throw Error(ErrorKind::usage,
                fmt::format("xengine: {}: {} needs the positions of the antennas, which the "
                            "recording does not have; give --array, or write .npy",
                            job.output, format));
  check_on_earth("xengine", d.antennas.antennas);
  if (!d.centre.known())
    throw Error(ErrorKind::usage,
                fmt::format("xengine: {}: {} needs a phase centre, but {}; give --phase-centre "
                            "to track one (and --tracked yes if it is tracked already), or write "
                            ".npy",
                            job.output, format, d.centre.reason()));
}

void assume_missing(XEngineDescription& d, std::vector<std::string>& notes) {
  std::string what;
  const auto add = [&](const std::string& text) { what += (what.empty() ? "" : ", ") + text; };
  VoltageInfo& r = d.recording;
  if (!r.sample_rate) {
    r.sample_rate = d.channel_width ? *d.channel_width / d.average : kAssumedRate;
    add(fmt::format("{} Hz for the sample rate", *r.sample_rate));
  }
  if (!d.channel_width) d.channel_width = *r.sample_rate * d.average;
  if (d.frequency.empty()) {
    for (int c = 0; c < d.output.channels; ++c)
      d.frequency.push_back(kAssumedFrequency + c * *d.channel_width);
    add("1 GHz for the first channel");
  }
  if (!r.start) {
    r.start = r.start_day = kAssumedDay;
    add("2000-01-01 0:00 UTC for the start");
  }
  if (!what.empty()) notes.push_back("the recording lacks some data; assumed: " + what);
}

std::vector<std::string> imaging_history(const std::string& signs, const XEngineJob& job,
                                         const XEngineDescription& d) {
  std::vector<std::string> lines = history_of(d.ran, changed_options(job.options));
  lines.push_back(signs);
  lines.emplace_back("means over time; the weight of a mean is its number of valid samples");
  if (!job.command.empty()) lines.push_back("command: " + job.command);
  return lines;
}

ImagingIntegration imaging_integration(const XEngineIntegration& in, XEngineDescription& d,
                                       double dut1) {
  const auto samples = static_cast<double>(in.dump.samples);
  const double middle = *d.time_of(static_cast<double>(in.first_sample) + samples / 2);
  const UvfitsCentre centre = d.centre.at(middle);
  ImagingIntegration made{.uvw = uvfits_baselines(d.antennas.antennas, middle, centre, dut1)};
  made.values = {.values = in.values,
                 .type = d.output.type,
                 .samples = in.dump.samples * d.average,
                 .valid = in.dump.valid,
                 .middle = middle,
                 .seconds = samples / *d.recording.sample_rate,
                 .centre = centre,
                 .uvw = made.uvw};
  return made;
}

}  // namespace tessera
