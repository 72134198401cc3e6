// SPDX-License-Identifier: Apache-2.0
/// Samples of VDIF frames: 1 to 16 bits, real or complex, the lowest bits first, all zeros the
/// lowest value.
#pragma once

#include "io/voltages/vdif_header.hpp"
#include "tessera/xengine.hpp"

namespace tessera {

/// The type that samples of a recording become. Complex samples of 4, 8 and 16 bits stay as they
/// are; real ones get imaginary parts of zero; 1 and 2 bits become the levels of a Gaussian signal
/// for which such digitisers are set (1 and 3.316505, as in the baseband package and mark5access),
/// and `scale` gives the same units to samples of more bits.
struct VdifSamples {
  SampleType type = SampleType::ci8;
  bool offset_binary = false, real_low = false;
  double scale = 1, offset = 0;
};
VdifSamples vdif_samples(const VdifHeader& header, bool half_steps);

/// `payload` has the bytes that the header claims, `out` has bytes_of(type) for every sample and
/// channel.
void decode_vdif(const VdifHeader& header, bool half_steps, const unsigned char* payload,
                 unsigned char* out);

}  // namespace tessera
