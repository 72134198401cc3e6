// SPDX-License-Identifier: Apache-2.0
#include "jobs/xengine/xengine_outputs.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "tessera/error.hpp"

namespace tessera {
namespace {

bool is_array(const std::string& path) {
  return path.ends_with(".npy") || path.ends_with(".raw") || path.ends_with(".bin");
}

std::vector<double> averaged(const std::vector<double>& frequency, int average) {
  std::vector<double> means;
  const auto step = static_cast<std::size_t>(average);
  for (std::size_t first = 0; first + step <= frequency.size(); first += step) {
    double sum = 0;
    for (std::size_t k = 0; k < step; ++k) sum += frequency[first + k] - frequency[first];
    means.push_back(frequency[first] + sum / average);
  }
  return means;
}

/// The width of a channel if the recording does not state it: the step, or the one that follows
/// from the sample rate.
std::optional<double> width_of(const VoltageInfo& info) {
  if (info.channel_width) return info.channel_width;
  if (info.frequency.size() > 1) return std::abs(info.frequency[1] - info.frequency[0]);
  return info.sample_rate;
}

}  // namespace

std::optional<double> XEngineDescription::time_of(double sample) const {
  if (!recording.start || !recording.sample_rate) return std::nullopt;
  const double seconds = recording.start_second + sample / *recording.sample_rate;
  return static_cast<double>(recording.start_day) + seconds / 86400;
}

XEngineDescription describe_xengine(const VoltageInfo& recording, const XEngine& plan,
                                    const AntennaList& antennas, const PhaseCentre& centre) {
  XEngineDescription d{.recording = recording,
                       .output = plan.output(),
                       .shape = recording.shape,
                       .average = plan.options().average,
                       .frequency = averaged(recording.frequency, plan.options().average),
                       .channel_width = width_of(recording),
                       .antennas = antennas,
                       .centre = centre,
                       .ran = plan.describe()};
  if (d.channel_width) *d.channel_width *= d.average;
  return d;
}

bool is_uvfits(const std::string& path) {
  return path.ends_with(".uvfits") || path.ends_with(".uvf");
}

// A folder's name may end in slashes.
bool is_ms(const std::string& path) {
  const std::size_t last = path.find_last_not_of('/');
  return last != std::string::npos && std::string_view(path).substr(0, last + 1).ends_with(".ms");
}

void check_xengine_output(const XEngineJob& job) {
  if (!is_array(job.output) && !holds_means(job.output))
    throw Error(
        ErrorKind::usage,
        fmt::format("xengine: {} is not a name for visibilities; it must end in .npy, .raw, "
                    ".bin, .uvfits, .uvf or .ms",
                    job.output));
  if (!holds_means(job.output)) return;
  const char* const format = is_ms(job.output) ? "a Measurement Set" : "UVFITS";
  const VisibilityType type = job.options.output_type;
  if (job.options.order != VisibilityOrder::triangular)
    throw Error(ErrorKind::usage,
                fmt::format("xengine: {}: {} has its own order, one {} per baseline; leave out "
                            "--order {}, or write .npy",
                            job.output, format, is_ms(job.output) ? "row" : "group",
                            name_of(job.options.order)));
  if (type == VisibilityType::i32 || type == VisibilityType::i64)
    throw Error(
        ErrorKind::usage,
        fmt::format("xengine: {}: {} holds means, not integers; leave out --output-type {}, "
                    "{}or write .npy",
                    job.output, format, name_of(type),
                    is_ms(job.output) ? "" : "give f64 for 64 bits, "));
  if (is_ms(job.output) && type == VisibilityType::f64)
    throw Error(ErrorKind::usage,
                fmt::format("xengine: {}: a Measurement Set holds numbers of 32 bits; leave out "
                            "--output-type f64, or write .uvfits or .npy",
                            job.output));
}

std::unique_ptr<XEngineOutput> create_xengine_output(const XEngineJob& job,
                                                     const XEngineDescription& description) {
  if (is_ms(job.output)) return create_ms_output(job, description);
  return is_uvfits(job.output) ? create_uvfits_output(job, description)
                               : create_array_output(job, description);
}

}  // namespace tessera
