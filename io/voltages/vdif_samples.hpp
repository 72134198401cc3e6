// SPDX-License-Identifier: Apache-2.0
/// Samples of VDIF frames: 1 to 16 bits, real or complex, the lowest bits first, all zeros the
/// lowest value.
#pragma once

#include "io/voltages/vdif_header.hpp"
#include "tessera/xengine.hpp"

namespace tessera {

/// What samples of a recording become. Complex ones of 4, 8 and 16 bits stay as they are; real ones
/// get imaginary parts of zero; 1 and 2 bits become the levels of a Gaussian signal that such
/// digitisers are set for (1 and 3.316505, as the baseband package and mark5access have them), with
/// `scale` units of that kind for more bits.
struct VdifSamples {
  SampleType type = SampleType::ci8;
  bool offset_binary = false, real_low = false;
  double scale = 1, offset = 0;
};
VdifSamples vdif_samples(const VdifHeader& header, bool half_steps);

/// `payload` has the bytes the header says, `out` bytes_of(type) for every sample and channel.
void decode_vdif(const VdifHeader& header, bool half_steps, const unsigned char* payload,
                 unsigned char* out);

}  // namespace tessera
