// SPDX-License-Identifier: Apache-2.0
/// A recording whose samples are channelised while they are read: its samples in time are spectra.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "jobs/bank/filter_bank.hpp"
#include "jobs/bank/sample_window.hpp"
#include "jobs/settings.hpp"
#include "tessera/stream.hpp"

namespace tessera {

/// Which spectra there are, and their values, do not depend on the blocks that are read. A spectrum
/// of which a sample is missing is missing. Channels ascend in frequency, and samples of a lower
/// sideband become conjugates, so that within channels too frequencies grow with those on the sky.
///
/// Spectra of the recording follow each other by D samples; the first lasts from (L - D) / 2
/// samples after its start on, so that each lies in the middle of the L samples that it is made of.
class ChannelisedVoltages : public VoltageSource {
 public:
  /// `source` outlives it. Throws Error(usage) for options that do not fit the recording.
  ChannelisedVoltages(VoltageSource& source, const FilterBank& bank, const RunSettings& settings);

  const VoltageInfo& info() const override { return info_; }
  VoltageBlock read(long long most) override;
  Scratch hold() override { return std::move(device_memory_); }
  long long skip_missing(long long most) override;
  bool truncated() const override { return source_.truncated(); }
  std::vector<std::string> warnings() const override { return source_.warnings(); }

  /// From now on blocks lie on this device, each in its own memory, if spectra are made there and
  /// need not be rearranged.
  void stay_on(int device);

  const Channelise& plan() const { return *plan_; }
  /// "channelise ...: cpu fft, gain 0.25".
  std::string describe() const;
  /// Gains as they were used, in the order of the output's channels; empty: 1.
  const std::vector<float>& gains() const { return gains_; }
  /// Spectra from which an automatic gain was measured; 0: it was given.
  long long gain_spectra() const { return gain_spectra_; }
  /// Parts that were saturated or not numbers so far.
  ChanneliseCounts counts();
  /// Notes for users; complete at the end.
  std::vector<std::string> notes();

 private:
  static constexpr long long kBlockBytes = 16 << 20;  ///< of spectra in a block
  void order_channels();
  void describe_output();
  void describe_bank();
  void check_memory(long long limit) const;
  void measure_gain(long long limit);
  std::vector<double> measure_powers(const Channelise& plan, long long wanted, long long at_once);
  void set_gain(const std::vector<double>& means);
  std::string gains_text() const;
  std::string measured_text() const;
  void choose_blocks(long long limit);
  void fill(long long end, long long keep);
  bool prepare(long long spectra);
  long long missing_ahead() const;
  VoltageBlock transform(const Channelise& plan, ChanneliseState& state, long long first,
                         long long count, bool on_device = false);
  VoltageBlock arranged(const VoltageBlock& block);
  VoltageBlock silence(long long spectra);

  VoltageSource& source_;
  FilterBank bank_;
  ChanneliseTables tables_;  ///< as the plan takes them
  std::optional<Channelise> plan_;
  std::optional<ChanneliseState> state_;
  Stream stream_;
  int threads_;  ///< of the host
  VoltageInfo info_;
  std::vector<int> places_;  ///< of the plan's channels in the output; empty: as they are
  std::vector<float> gains_;
  long long gain_first_ = 0, gain_spectra_ = 0;
  bool no_power_ = false;

  long long at_once_ = 1;  ///< spectra
  long long next_ = 0;     ///< spectrum
  SampleWindow window_;
  long long gap_ = 0;  ///< samples that the recording lacks after those of the window
  bool at_end_ = false, on_device_ = false;
  Scratch device_memory_;  ///< of the last block
  ChanneliseCounts counts_;
  std::vector<unsigned char> made_, arranged_, valid_, sample_valid_;
};

}  // namespace tessera
