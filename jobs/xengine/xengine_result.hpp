// SPDX-License-Identifier: Apache-2.0
/// The result of correlating files.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "jobs/result.hpp"
#include "jobs/timing.hpp"
#include "tessera/options.hpp"

namespace tessera {

struct XEngineResult {
  std::string ran, values, phase_centre, format;
  std::vector<std::string> inputs, files;
  int antennas = 0, polarisations = 0, channels = 0;  ///< channels after averaging
  long long samples = 0, integrations = 0;
  std::optional<double> recorded_seconds;
  bool truncated = false;
  long long saturated = 0;
  double invalid = 0;
  double input_bytes = 0, gigabits_per_second = 0;
  StageSeconds seconds;
  std::vector<std::string> notes, warnings;

  static constexpr auto fields() {
    using R = XEngineResult;
    return std::tuple{
        field("ran", &R::ran, "what ran"),
        field("values", &R::values, "whether the visibilities are sums or means over time"),
        field("phase_centre", &R::phase_centre, "the direction of zero delay, or none and why"),
        field("format", &R::format, "of the recording"),
        field("inputs", &R::inputs, "the files of the recording"),
        field("files", &R::files, "files made"),
        field("antennas", &R::antennas, "how many"),
        field("polarisations", &R::polarisations, "per antenna"),
        field("channels", &R::channels, "after averaging"),
        field("samples", &R::samples, "in time"),
        field("integrations", &R::integrations, "how many"),
        field("recorded_seconds", &R::recorded_seconds, "duration of the samples"),
        field("truncated", &R::truncated, "whether the recording ended early"),
        field("saturated", &R::saturated, "parts that i32 could not hold"),
        field("invalid", &R::invalid, "share of the products without data"),
        field("input_bytes", &R::input_bytes, "samples as they were recorded, without gaps"),
        field("gigabits_per_second", &R::gigabits_per_second, "sustained rate of these bytes"),
        field("seconds", &R::seconds, "stages overlap"),
        field("notes", &R::notes, "notes"),
        field("warnings", &R::warnings, "missing parts"),
    };
  }
  std::string describe() const;
};

}  // namespace tessera
