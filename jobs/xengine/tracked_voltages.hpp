// SPDX-License-Identifier: Apache-2.0
/// A recording whose samples are turned to a phase centre while they are read.
#pragma once

#include "io/voltages/voltage_file.hpp"
#include "jobs/xengine/phase_centre.hpp"
#include "tessera/fringe_tracker.hpp"

namespace tessera {

/// The description of a recording whose samples are turned: they are cf32.
VoltageInfo turned_info(VoltageInfo info);

/// Samples become cf32. Gaps between blocks still take no time.
class TrackedVoltages : public VoltageSource {
 public:
  /// `method` of FringeSetup; cuda takes `device`.
  TrackedVoltages(VoltageSource& source, const PhaseCentre& centre, DelayWay way, int threads,
                  const std::string& method = "auto", int device = 0);

  const VoltageInfo& info() const override { return info_; }
  VoltageBlock read(long long most) override;
  long long skip_missing(long long most) override;
  bool truncated() const override { return source_.truncated(); }
  std::vector<std::string> warnings() const override { return source_.warnings(); }
  /// "delays removed on the host: shift, 64 taps, avx3", "delays removed on the device: phase,
  /// cuda".
  std::string describe() const;

 private:
  /// Until this many samples can be taken, or a gap or the end comes.
  void fill(long long most);
  void begin_gap(long long samples);

  VoltageSource& source_;
  VoltageInfo info_;
  bool on_device_;
  FringeTracker tracker_;
  long long at_once_ = kFloatRun;  ///< samples to ask the source for
  long long position_ = 0;         ///< samples of the source so far
  long long gap_ = 0;              ///< samples that nobody needs, after those of the tracker
  bool at_end_ = false;
};

}  // namespace tessera
