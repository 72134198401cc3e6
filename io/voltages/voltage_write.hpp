// SPDX-License-Identifier: Apache-2.0
/// Recordings of voltages while they are written.
///
///     auto sink = create_voltages("a.raw", "guppi", false);
///     sink->begin(info);
///     sink->write(block);      // any number of blocks of any length, one after the other
///     sink->finish();          // old or whole: nothing is in its place before
#pragma once

#include <memory>
#include <string>

#include "io/voltages/voltage_file.hpp"

namespace tessera {

class VoltageSink {
 public:
  virtual ~VoltageSink() = default;
  /// What the samples are; `length` and `details` are not looked at. Throws Error(usage) for what
  /// the format cannot hold.
  virtual void begin(const VoltageInfo& info) = 0;
  /// As the info says, of any layout, in host memory. Invalid samples become zeros; VDIF flags
  /// frames that have any.
  virtual void write(const VoltageBlock& block) = 0;
  virtual void finish() = 0;
};

/// `format`: guppi (ci4, ci8, ci16), dada (ci8, ci16, cf32), vdif (ci8; 2^n channels; the last
/// frame is filled up with zeros), npy or raw, which get a description beside them; auto: by the
/// ending: .raw, .dada, .vdif, .npy, .bin. Throws Error(usage) when the file exists and `force` is
/// not given.
std::unique_ptr<VoltageSink> create_voltages(const std::string& path, const std::string& format,
                                             bool force);

}  // namespace tessera
