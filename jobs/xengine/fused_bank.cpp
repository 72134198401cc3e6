// SPDX-License-Identifier: Apache-2.0
#include "jobs/xengine/fused_bank.hpp"

#include "tessera/error.hpp"

namespace tessera {
namespace {

SampleType sample_type(SpectraType type) {
  if (type == SpectraType::cf32) return SampleType::cf32;
  return type == SpectraType::ci8 ? SampleType::ci8 : SampleType::ci16;
}

}  // namespace

void check_fused_bank(const FusedBank& fused) {
  check_ranges("xengine", fused);
  if (fused.channelise == 0 && fused != FusedBank())
    throw Error(ErrorKind::usage,
                "xengine: there are options of a filter bank, but --channelise is not given; give "
                "the number of channels, or leave them out");
}

void check_phases(const VoltageInfo& recorded, bool phases) {
  if (recorded.real && phases)
    throw Error(ErrorKind::usage,
                "xengine: samples are real, so that delays are not phases; give --channelise N, "
                "which makes complex channels");
  if (!recorded.real && recorded.lower_sideband)
    throw Error(ErrorKind::usage,
                "xengine: frequencies of the samples fall as those on the sky grow (a lower "
                "sideband), so that phases would have the wrong sign; give --channelise N, or "
                "--sideband upper to take the samples as they are");
}

FilterBank bank_of(const FusedBank& fused, const XEngineOptions& options) {
  FilterBank bank{.gain = fused.gain, .coefficients = fused.coefficients};
  bank.options.channels = fused.channelise;
  bank.options.taps = fused.taps;
  bank.options.window = fused.window;
  bank.options.oversample = fused.oversample;
  bank.options.output_type = sample_type(fused.channelise_type);
  bank.options.backend = options.backend;
  bank.options.device = options.device;
  return bank;
}

}  // namespace tessera
