// SPDX-License-Identifier: Apache-2.0
/// Writes recordings of voltages.
///
///     auto sink = create_voltages("a.raw", "guppi", false);
///     sink->begin(info);
///     sink->write(block);      // any number of blocks of any length, one after the other
///     sink->finish();          // the file appears only now, complete
#pragma once

#include <memory>
#include <string>

#include "io/voltages/voltage_file.hpp"

namespace tessera {

class VoltageSink {
 public:
  virtual ~VoltageSink() = default;
  /// Describes the samples; `length` and `details` are ignored. Throws Error(usage) for samples
  /// that the format cannot hold.
  virtual void begin(const VoltageInfo& info) = 0;
  /// Samples as the info describes them, in any layout, in host memory. Invalid samples become
  /// zeros; VDIF flags frames that have any, and the descriptions of NPY and raw files list them.
  virtual void write(const VoltageBlock& block) = 0;
  /// How well the file tells invalid samples from zeros.
  enum class Missing : unsigned char { lost, by_frame, exact };
  virtual Missing missing() const { return Missing::lost; }
  virtual void finish() = 0;
};

/// `format`: guppi (ci4, ci8, ci16), dada (ci8, ci16, cf32), vdif (ci8; 2^n channels; the last
/// frame is padded with zeros), npy or raw, which get a description next to them; auto: by the
/// extension .raw, .dada, .vdif, .npy or .bin. Real samples (`info.real`) are stored without their
/// imaginary parts; GUPPI RAW refuses them. Throws Error(usage) if the file exists and `force`
/// is not given.
std::unique_ptr<VoltageSink> create_voltages(const std::string& path, const std::string& format,
                                             bool force);

}  // namespace tessera
