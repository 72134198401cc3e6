// SPDX-License-Identifier: Apache-2.0
#include "jobs/info/recording_report.hpp"
#include "core/counted.hpp"

#include <fmt/format.h>

namespace tessera {
namespace {

std::string length_text(const RecordingReport& r) {
  std::string text = r.length ? fmt::format("{} samples", *r.length)
                              : fmt::format("about {} samples", r.about_length);
  if (r.seconds) text += fmt::format(" ({:.4g} s at {:.6g} Hz)", *r.seconds, *r.sample_rate);
  return text;
}

std::string place_text(const RecordingReport& r) {
  const char* const tracked = !r.tracked   ? "it does not say whether it tracks it"
                              : *r.tracked ? "tracked: its delays have been removed"
                                           : "not tracked";
  return fmt::format("{:.6f}, {:.6f} degrees ({}), {}", *r.right_ascension, *r.declination,
                     r.frame == RecordedFrame::date ? "of date" : "ICRS, J2000", tracked);
}

}  // namespace

std::string RecordingReport::describe() const {
  std::string text =
      fmt::format("{}: {}, {} x {}, {} of {}, {}", file, format, counted(antennas, "antenna"),
                  counted(polarisations, "polarisation"), counted(channels, "channel"),
                  name_of(samples), length_text(*this));
  const auto add = [&](const char* what, const std::string& value) {
    text += fmt::format("\n  {}: {}", what, value);
  };
  if (frequency_first)
    add("frequencies",
        fmt::format("{:.9g} to {:.9g} MHz", *frequency_first / 1e6, *frequency_last / 1e6));
  if (start) add("start", fmt::format("MJD {:.9f} (UTC)", *start));
  if (!telescope.empty()) add("telescope", telescope);
  if (!source.empty()) add("source", source);
  if (right_ascension && declination) add("place", place_text(*this));
  add("positions of antennas", positions ? "known" : "not known; xengine needs --array for UVFITS");
  for (const FileDetail& detail : details) add(detail.name.c_str(), detail.value);
  return text;
}

RecordingReport report_recording(const std::string& path) {
  const auto source = describe_voltages(path);
  const VoltageInfo& info = source->info();
  RecordingReport report{.file = path,
                         .format = info.format,
                         .antennas = info.shape.antennas,
                         .polarisations = info.shape.polarisations,
                         .channels = info.shape.channels,
                         .samples = info.samples,
                         .length = info.length,
                         .about_length = info.expected_length,
                         .sample_rate = info.sample_rate,
                         .channel_width = info.channel_width,
                         .start = info.start,
                         .telescope = info.telescope,
                         .source = info.source,
                         .right_ascension = info.right_ascension,
                         .declination = info.declination,
                         .frame = info.frame,
                         .tracked = info.tracked,
                         .positions = !info.antenna_positions.empty(),
                         .details = info.details,
                         .warnings = source->warnings()};
  if (info.sample_rate)
    report.seconds =
        static_cast<double>(info.length.value_or(info.expected_length)) / *info.sample_rate;
  if (!info.frequency.empty()) {
    report.frequency_first = info.frequency.front();
    report.frequency_last = info.frequency.back();
  }
  return report;
}

}  // namespace tessera
