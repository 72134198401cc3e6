// SPDX-License-Identifier: Apache-2.0
/// The header of a VDIF frame: 32 bytes, or 16 in the old form.
#pragma once

#include <optional>
#include <string>

#include "io/voltages/voltage_input.hpp"

namespace tessera {

struct VdifHeader {
  bool invalid = false, legacy = false, complex = false;
  long long seconds = 0;  ///< since the epoch
  int epoch = 0;          ///< half years since 2000
  long long frame = 0;    ///< within its second
  int version = 0, channels = 1, bits = 8, thread = 0, station = 0;
  int extension = -1;         ///< EDV; -1: the old form has none
  long long frame_bytes = 0;  ///< header and samples
  double rate = 0;            ///< samples per second of a channel; 0: not given

  long long header_bytes() const { return legacy ? 16 : 32; }
  long long payload_bytes() const { return frame_bytes - header_bytes(); }
  /// Bits of one sample of all channels.
  long long sample_bits() const { return 1LL * bits * (complex ? 2 : 1) * channels; }
  long long samples() const { return payload_bytes() * 8 / sample_bits(); }
  /// Seconds since 2000 for any epoch, including leap seconds.
  long long time() const;
};

constexpr long long kVdifHeaderBytes = 32;

/// Reads 32 bytes without checking anything.
VdifHeader parse_vdif_header(const unsigned char* bytes);
/// The header as bytes.
std::string vdif_header_bytes(const VdifHeader& header);

/// Throws Error(input) if the numbers are impossible.
void check_vdif_header(const std::string& name, long long offset, const VdifHeader& header);
/// "" or how two frames of one recording differ: "bits are 2 and 8".
std::string vdif_difference(const VdifHeader& first, const VdifHeader& header);

/// The time at which a second since an epoch begins: MJD and seconds of that day. Leap seconds
/// count like all others.
struct VdifTime {
  long long day = 0;
  double second = 0;
};
VdifTime vdif_time(int epoch, long long seconds);

}  // namespace tessera
