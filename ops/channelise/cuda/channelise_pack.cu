// SPDX-License-Identifier: Apache-2.0
#include "ops/channelise/cuda/channelise_pack.cuh"

namespace tessera {

#define TESSERA_CHANNELISE_PACK_ENTRY(entry, ...)                      \
  extern "C" __global__ void __launch_bounds__(kChannelisePackThreads) \
      entry(const __grid_constant__ ChannelisePackArgs args) {         \
    __VA_ARGS__(args);                                                 \
  }

TESSERA_CHANNELISE_PACK_ENTRY(channelise_pack_ci8, channelise_pack<kChanneliseCi8, false>)
TESSERA_CHANNELISE_PACK_ENTRY(channelise_pack_ci4, channelise_pack<kChanneliseCi4, false>)
TESSERA_CHANNELISE_PACK_ENTRY(channelise_pack_ci16, channelise_pack<kChanneliseCi16, false>)
TESSERA_CHANNELISE_PACK_ENTRY(channelise_pack_cf16, channelise_pack<kChanneliseCf16, false>)
TESSERA_CHANNELISE_PACK_ENTRY(channelise_pack_cf32, channelise_pack<kChanneliseCf32, false>)
TESSERA_CHANNELISE_PACK_ENTRY(channelise_pack_i8, channelise_pack<kChanneliseCi8, true>)
TESSERA_CHANNELISE_PACK_ENTRY(channelise_pack_i4, channelise_pack<kChanneliseCi4, true>)
TESSERA_CHANNELISE_PACK_ENTRY(channelise_pack_i16, channelise_pack<kChanneliseCi16, true>)
TESSERA_CHANNELISE_PACK_ENTRY(channelise_pack_f16, channelise_pack<kChanneliseCf16, true>)
TESSERA_CHANNELISE_PACK_ENTRY(channelise_pack_f32, channelise_pack<kChanneliseCf32, true>)

}  // namespace tessera
