// SPDX-License-Identifier: Apache-2.0
/// Joins the stretches of one or several files to one recording.
#pragma once

#include <functional>

#include "io/voltages/voltage_reader.hpp"

namespace tessera {

/// Repeated samples are left out, gaps are filled with invalid samples, and an error after the
/// first block ends the recording with a warning.
class VoltageRecording : public VoltageSource {
 public:
  using Open = std::function<VoltageReaderPointer(const std::string& file)>;
  /// `described`: only info() is wanted, so that a damaged first block is a warning too.
  VoltageRecording(std::vector<std::string> files, const VoltageOptions& options, Open open,
                   bool described = false);

  const VoltageInfo& info() const override { return info_; }
  VoltageBlock read(long long most) override;
  void want_channels(int first, int count) override;
  long long skip_missing(long long most) override;
  bool truncated() const override { return truncated_; }
  std::vector<std::string> warnings() const override;

 private:
  bool next_stretch();
  std::optional<VoltageStretch> next_of_files();
  bool open_next_file();
  void place(const VoltageStretch& stretch);
  void check_gap(long long gap, long long samples);
  void end_early(const std::string& sentence);
  VoltageBlock silence(long long samples);
  long long most_at_once() const;
  void set_times(double given_rate);
  void set_frequencies(const VoltageOptions& options);
  long long samples_in_files() const;

  std::vector<std::string> files_;
  Open open_;
  std::size_t opened_ = 0;
  VoltageReaderPointer reader_;
  int first_channel_ = 0, wanted_channels_ = 0;  ///< 0: all
  VoltageInfo info_, first_info_;
  long long skip_ = 0, origin_ = 0;  ///< samples left out; place in time of the first stretch
  long long file_shift_ = 0;         ///< samples between the starts of the first file and this one
  long long position_ = 0;           ///< samples returned and skipped so far
  double max_gap_ = 0;
  long long in_files_ = 0;               ///< an estimate of the samples of all files; 0: not known
  long long present_ = 0, missing_ = 0;  ///< samples of the stretches so far, and between them
  long long stretch_first_ = 0, stretch_end_ = 0;
  bool ended_ = false, truncated_ = false, began_ = false, warned_order_ = false;
  bool file_begins_ = false;
  std::vector<std::string> warnings_;
  std::vector<unsigned char> zeros_, invalid_;
};

}  // namespace tessera
