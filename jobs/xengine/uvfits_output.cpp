// SPDX-License-Identifier: Apache-2.0
// One UVFITS file: phase centres and (u, v, w) over time, and assumptions for missing data.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "jobs/history.hpp"
#include "jobs/xengine/xengine_outputs.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

// Assumed for recordings that lack these data: UVFITS has no way to express "not known".
constexpr double kAssumedFrequency = 1e9, kAssumedRate = 1e6;
constexpr long long kAssumedDay = 51544;  // 2000-01-01

/// UVFITS has no way to say that positions or a phase centre are not known.
void check_known(const XEngineJob& job, const XEngineDescription& d) {
  if (!d.antennas.placed)
    throw Error(ErrorKind::usage,
                fmt::format("xengine: {}: UVFITS needs the positions of the antennas, which the "
                            "recording does not have; give --array, or write .npy",
                            job.output));
  check_on_earth("xengine", d.antennas.antennas);
  if (!d.centre.known())
    throw Error(ErrorKind::usage,
                fmt::format("xengine: {}: UVFITS needs a phase centre, but {}; give --phase-centre "
                            "to track one (and --tracked yes if it is tracked already), or write "
                            ".npy",
                            job.output, d.centre.reason()));
}

void assume(XEngineDescription& d, std::vector<std::string>& notes) {
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

double channel_step(const XEngineJob& job, const XEngineDescription& d) {
  if (!evenly_spaced(d.frequency))
    throw Error(
        ErrorKind::usage,
        fmt::format("xengine: {}: channels are not evenly spaced, as UVFITS requires; write .npy",
                    job.output));
  if (d.frequency.size() == 1) return *d.channel_width;
  return (d.frequency.back() - d.frequency.front()) / static_cast<double>(d.frequency.size() - 1);
}

std::vector<std::string> history(const XEngineJob& job, const XEngineDescription& d) {
  std::vector<std::string> lines = history_of(d.ran, changed_options(job.options));
  lines.emplace_back("groups hold E1 conj(E2), u v w are of r1 - r2");
  lines.emplace_back("means over time; the weight of a mean is its number of valid samples");
  if (!job.command.empty()) lines.push_back("command: " + job.command);
  return lines;
}

UvfitsHeader header_of(const XEngineJob& job, const XEngineDescription& d) {
  return {.polarisations = d.shape.polarisations,
          .channels = d.output.channels,
          .frequency = d.frequency.front(),
          .channel_step = channel_step(job, d),
          .first_time = *d.recording.start,
          .dut1 = job.choices.dut1,
          .doubles = job.options.output_type == VisibilityType::f64,
          .telescope = d.recording.telescope.empty() ? "UNKNOWN" : d.recording.telescope,
          .object = d.recording.source,
          .antennas = d.antennas.antennas,
          .history = history(job, d)};
}

class UvfitsOutput : public XEngineOutput {
 public:
  UvfitsOutput(const XEngineJob& job, const XEngineDescription& description)
      : path_(job.output),
        dut1_(job.choices.dut1),
        description_(assumed(job, description)),
        file_(job.output, job.force, header_of(job, description_)) {
    if (description_.centre.drifts())
      notes_.emplace_back("the phase centre of every integration is the zenith at its middle");
  }

  void write(const XEngineIntegration& in) override {
    const auto samples = static_cast<double>(in.dump.samples);
    const double middle = *description_.time_of(static_cast<double>(in.first_sample) + samples / 2);
    const UvfitsCentre centre = description_.centre.at(middle);
    const auto uvw = uvfits_baselines(description_.antennas.antennas, middle, centre, dut1_);
    file_.write({.values = in.values,
                 .type = description_.output.type,
                 .samples = in.dump.samples * description_.average,
                 .valid = in.dump.valid,
                 .middle = middle,
                 .seconds = samples / *description_.recording.sample_rate,
                 .centre = centre,
                 .uvw = uvw});
  }
  void prepare() override { file_.prepare(); }
  void finish() override { file_.finish(); }
  std::vector<std::string> files() const override { return {path_}; }
  std::vector<std::string> notes() const override { return notes_; }

 private:
  XEngineDescription assumed(const XEngineJob& job, XEngineDescription description) {
    check_known(job, description);
    assume(description, notes_);
    return description;
  }
  std::string path_;
  double dut1_;
  std::vector<std::string> notes_;
  XEngineDescription description_;
  UvfitsFile file_;
};

}  // namespace

std::unique_ptr<XEngineOutput> create_uvfits_output(const XEngineJob& job,
                                                    const XEngineDescription& description) {
  return std::make_unique<UvfitsOutput>(job, description);
}

}  // namespace tessera
