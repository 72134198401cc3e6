// SPDX-License-Identifier: Apache-2.0
/// The choices of a filter bank in front of recordings, and their files of numbers.
#pragma once

#include <string>
#include <vector>

#include "io/voltages/voltage_file.hpp"
#include "tessera/channelise.hpp"

namespace tessera {

struct FilterBank {
  /// The types and whether samples are real come from the recording.
  ChanneliseOptions options{.output_type = SampleType::ci8};
  std::string gain = "auto";  ///< auto, a number or a file of numbers
  std::string coefficients;   ///< a file of numbers; "": by the window

  static constexpr const char* kGainHint = "auto|NUMBER|FILE";
  static constexpr const char* kGainHelp =
      "factor of ci8 and ci16 spectra: a number, or a text file with one number, one per channel, "
      "or one line per channel with one number per input; auto: so that in the first spectra the "
      "channel of median power has parts of 20 levels rms in ci8, 500 in ci16";
  static constexpr const char* kCoefficientsHelp =
      "a text file with the filter, taps times channels numbers (twice as many for real samples), "
      "without a window";
};

/// Users read it for a recording whose sideband is assumed.
inline constexpr const char* kSidebandNote =
    "the recorded channels descend, and nothing says which way frequencies lie within them: they "
    "are taken to grow with those on the sky; give --sideband lower if they fall, else upper";

/// The bank's options for a recording of these samples.
ChanneliseOptions bank_options(const FilterBank& bank, const VoltageInfo& info);
/// The sentence for a recording without a whole spectrum.
std::string too_short(const char* operation, const std::string& file, long long length);
/// Coefficients and gains that files or numbers give; no gains if they are automatic or not used.
/// Throws Error(input) that names the file and line, Error(usage) for other texts.
ChanneliseTables bank_tables(const FilterBank& bank, const XEngineShape& recorded);

/// The files among the choices.
std::vector<std::string> bank_files(const FilterBank& bank);

}  // namespace tessera
