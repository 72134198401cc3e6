// SPDX-License-Identifier: Apache-2.0
#include "jobs/xengine/fused_bank.hpp"

#include "tessera/error.hpp"

namespace tessera {

void check_fused_bank(const FusedBank& fused) {
  check_ranges("xengine", fused);
  if (fused.channelise == 0 && fused != FusedBank())
    throw Error(ErrorKind::usage,
                "xengine: there are options of a filter bank, but --channelise is not given; give "
                "the number of channels, or leave them out");
}

FilterBank bank_of(const FusedBank& fused, const XEngineOptions& options) {
  FilterBank bank{.gain = fused.gain, .coefficients = fused.coefficients};
  bank.options.channels = fused.channelise;
  bank.options.taps = fused.taps;
  bank.options.window = fused.window;
  bank.options.oversample = fused.oversample;
  bank.options.output_type = fused.channelise_type;
  bank.options.backend = options.backend;
  bank.options.device = options.device;
  return bank;
}

}  // namespace tessera
