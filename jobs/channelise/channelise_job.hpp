// SPDX-License-Identifier: Apache-2.0
/// Recordings of wide bands to recordings of narrow channels, block by block.
///
///     ChanneliseJob job{.inputs = {"band.vdif"}, .output = "spectra.npy"};
///     job.bank.options.channels = 1024;
///     ChanneliseResult result = job.run();
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "io/voltages/voltage_file.hpp"
#include "jobs/bank/filter_bank.hpp"
#include "jobs/progress.hpp"
#include "jobs/settings.hpp"
#include "jobs/timing.hpp"

namespace tessera {

struct ChanneliseResult {
  std::string ran, format;
  std::vector<std::string> inputs, files;
  int antennas = 0, polarisations = 0, channels = 0;
  std::string samples_type, output_type;
  long long samples = 0, spectra = 0;
  double missing = 0;
  std::optional<double> recorded_seconds, sample_rate, frequency_first, frequency_last;
  std::vector<float> gains;
  long long gain_spectra = 0, saturated = 0, not_a_number = 0;
  bool truncated = false;
  double input_bytes = 0, gigabits_per_second = 0;
  StageSeconds seconds;
  std::vector<std::string> notes, warnings;

  static constexpr auto fields() {
    using R = ChanneliseResult;
    return std::tuple{
        field("ran", &R::ran, "what ran"),
        field("format", &R::format, "of the recording"),
        field("inputs", &R::inputs, "the files of the recording"),
        field("files", &R::files, "files made"),
        field("antennas", &R::antennas, "how many"),
        field("polarisations", &R::polarisations, "per antenna"),
        field("channels", &R::channels, "of the output"),
        field("samples_type", &R::samples_type, "type of the recorded samples"),
        field("output_type", &R::output_type, "type of the spectra"),
        field("samples", &R::samples, "in time, that spectra were made from"),
        field("spectra", &R::spectra, "in time"),
        field("missing", &R::missing, "share of the spectra of inputs that lack samples"),
        field("recorded_seconds", &R::recorded_seconds, "duration of the spectra"),
        field("sample_rate_hz", &R::sample_rate, "spectra per second"),
        field("frequency_first_hz", &R::frequency_first, "middle of the first channel"),
        field("frequency_last_hz", &R::frequency_last, "middle of the last channel"),
        field("gains", &R::gains, "factors of integer spectra"),
        field("gain_spectra", &R::gain_spectra, "spectra from which an automatic gain comes"),
        field("saturated", &R::saturated, "parts at the limits of the type"),
        field("not_a_number", &R::not_a_number, "parts that became 0"),
        field("truncated", &R::truncated, "whether the recording ended early"),
        field("input_bytes", &R::input_bytes, "samples as they were recorded, without gaps"),
        field("gigabits_per_second", &R::gigabits_per_second, "sustained rate of these bytes"),
        field("seconds", &R::seconds, "stages"),
        field("notes", &R::notes, "notes"),
        field("warnings", &R::warnings, "missing parts"),
    };
  }
  std::string describe() const;
};

struct ChanneliseChoices {
  std::optional<long long> limit;
  std::string picture;

  static constexpr auto fields() {
    using C = ChanneliseChoices;
    return std::tuple{
        field("limit", &C::limit, "the most spectra to make",
              Range{.lowest = 1, .unit = "spectra"}),
        field("picture", &C::picture,
              "a picture to draw, .svg or .png: the response of a channel, and the mean spectra"),
    };
  }
};

struct ChanneliseJob {
  std::vector<std::string> inputs;
  std::string output;  ///< .npy, .bin, .vdif, .raw or .dada, as create_voltages
  FilterBank bank;
  ChanneliseChoices choices;
  VoltageOptions reading;
  RunSettings settings;
  bool force = false;

  /// All files or none. A recording that ends early gives the spectra before that, and a warning.
  /// Throws Error; Error(usage) if spectra are missing and the output cannot say so. Progress is in
  /// spectra.
  ChanneliseResult run(const Progress& progress = {}) const;
  /// The same for an open recording.
  ChanneliseResult run_on(VoltageSource& source, const Progress& progress = {}) const;
};

}  // namespace tessera
