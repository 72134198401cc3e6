// SPDX-License-Identifier: Apache-2.0
// Entry points for any length; those for one length are compiled at run time.
#include "ops/channelise/cuda/channelise_fft.cuh"

namespace tessera {

#define TESSERA_CHANNELISE_ENTRY(entry, ...)                 \
  extern "C" __global__ void __launch_bounds__(kLineThreads) \
      entry(const __grid_constant__ ChanneliseArgs args) {   \
    __VA_ARGS__(args);                                       \
  }

TESSERA_CHANNELISE_ENTRY(channelise_ci8, channelise_spectra<kChanneliseCi8, false, LineShape{}, 0>)
TESSERA_CHANNELISE_ENTRY(channelise_ci16,
                         channelise_spectra<kChanneliseCi16, false, LineShape{}, 0>)
TESSERA_CHANNELISE_ENTRY(channelise_cf32,
                         channelise_spectra<kChanneliseCf32, false, LineShape{}, 0>)
TESSERA_CHANNELISE_ENTRY(channelise_i8, channelise_spectra<kChanneliseCi8, true, LineShape{}, 0>)
TESSERA_CHANNELISE_ENTRY(channelise_i16, channelise_spectra<kChanneliseCi16, true, LineShape{}, 0>)
TESSERA_CHANNELISE_ENTRY(channelise_f32, channelise_spectra<kChanneliseCf32, true, LineShape{}, 0>)

}  // namespace tessera
