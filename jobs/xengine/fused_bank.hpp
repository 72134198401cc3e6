// SPDX-License-Identifier: Apache-2.0
/// The filter bank in front of the X-engine, in the same run.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "jobs/bank/filter_bank.hpp"
#include "tessera/options.hpp"
#include "tessera/xengine.hpp"

namespace tessera {

/// The types of samples that a filter bank makes.
enum class SpectraType : unsigned char { cf32, ci8, ci16 };
template <>
struct Names<SpectraType> {
  static constexpr std::array<std::pair<std::string_view, SpectraType>, 3> list{
      {{"cf32", SpectraType::cf32}, {"ci8", SpectraType::ci8}, {"ci16", SpectraType::ci16}}};
};

struct FusedBank {
  int channelise = 0;
  int taps = ChanneliseOptions().taps;
  std::string window = ChanneliseOptions().window;
  std::string oversample = ChanneliseOptions().oversample;
  SpectraType channelise_type = SpectraType::ci8;
  std::string gain = FilterBank().gain;
  std::string coefficients;

  bool operator==(const FusedBank&) const = default;
  static constexpr auto fields() {
    using O = FusedBank;
    return std::tuple{
        field("channelise", &O::channelise,
              "divide the band of the recording into this many channels first, as `channelise` "
              "does, with nothing written in between; 0: the recording has its channels",
              Range{0, 1 << 20}),
        field("taps", &O::taps, "with channelise: length of the filter, in spectra", Range{1, 128}),
        field("window", &O::window,
              "with channelise: window of the filter: hamming, hann, blackman, rectangular or "
              "kaiser:BETA"),
        field("oversample", &O::oversample,
              "with channelise: sample rate of a channel over its width: 1, or P/Q such as 8/7"),
        field("channelise-type", &O::channelise_type, "with channelise: type of the spectra"),
        field("gain", &O::gain,
              "with channelise: factor of ci8 and ci16 spectra, auto, a number or a file"),
        field("coefficients", &O::coefficients,
              "with channelise: a text file with the filter instead of a window"),
    };
  }
};

/// Throws Error(usage) if there are options of a filter bank without one.
void check_fused_bank(const FusedBank& fused);
/// Throws Error(usage) for samples whose visibilities would have wrong phases without a filter
/// bank: those of a lower sideband, and real ones if `phases` mean something.
void check_phases(const VoltageInfo& recorded, bool phases);
/// The filter bank of the command `channelise`, on the backend and device of the X-engine.
FilterBank bank_of(const FusedBank& fused, const XEngineOptions& options);

}  // namespace tessera
