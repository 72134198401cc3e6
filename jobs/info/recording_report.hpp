// SPDX-License-Identifier: Apache-2.0
/// The report of `tessera info FILE` on a recording of voltages.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "io/voltages/voltage_file.hpp"
#include "tessera/options.hpp"

namespace tessera {

struct RecordingReport {
  std::string file, format;
  int antennas = 0, polarisations = 0, channels = 0;
  SampleType samples = SampleType::ci8;
  std::optional<long long> length;
  long long about_length = 0;
  std::optional<double> sample_rate, seconds;
  std::optional<double> frequency_first, frequency_last, channel_width;
  std::optional<double> start;
  std::string telescope, source;
  std::optional<double> right_ascension, declination;
  RecordedFrame frame = RecordedFrame::icrs;
  std::optional<bool> tracked;
  bool positions = false;
  std::vector<FileDetail> details;
  std::vector<std::string> warnings;

  static constexpr auto fields() {
    using R = RecordingReport;
    return std::tuple{
        field("file", &R::file, "the file"),
        field("format", &R::format, "its format"),
        field("antennas", &R::antennas, "how many"),
        field("polarisations", &R::polarisations, "per antenna"),
        field("channels", &R::channels, "how many"),
        field("samples", &R::samples, "type of the samples"),
        field("length", &R::length, "samples in time, if the file says so"),
        field("about_length", &R::about_length, "samples in time, by the size of the file"),
        field("sample_rate_hz", &R::sample_rate, "samples per second of a channel"),
        field("seconds", &R::seconds, "how long it is"),
        field("frequency_first_hz", &R::frequency_first, "middle of the first channel"),
        field("frequency_last_hz", &R::frequency_last, "middle of the last channel"),
        field("channel_width_hz", &R::channel_width, "of a channel"),
        field("start_mjd_utc", &R::start, "time of the first sample"),
        field("telescope", &R::telescope, "the telescope"),
        field("source", &R::source, "what was observed"),
        field("right_ascension_deg", &R::right_ascension, "of the source"),
        field("declination_deg", &R::declination, "of the source"),
        field("frame", &R::frame, "of this place: icrs (J2000) or date"),
        field("tracked", &R::tracked, "whether its delays have been removed, if the file says so"),
        field("positions", &R::positions, "whether the positions of the antennas are known"),
        field("details", &R::details, "cards and keys of the header"),
        field("warnings", &R::warnings, "missing parts"),
    };
  }
  std::string describe() const;
};

/// Reads no more than the first header; throws Error(input). If the first block is not whole, the
/// warnings say so.
RecordingReport report_recording(const std::string& path);

}  // namespace tessera
