// SPDX-License-Identifier: Apache-2.0
/// A bar on standard error for work of more than a second; nothing if that is not a terminal.
#pragma once

#include <chrono>
#include <string>

namespace tessera {

/// "convolve  45% [#########          ] 0:07 left", never wider than `width` columns.
std::string progress_line(const std::string& label, double fraction, double seconds_left,
                          int width);

/// Draws during its lifetime and clears its line at the end.
class ProgressBar {
 public:
  explicit ProgressBar(std::string label);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// `all` is 0 if the total is unknown: the label is then shown without a bar.
  void update(long long done, long long all);
  /// The text before the bar, from the next update on.
  void relabel(std::string label) { label_ = std::move(label); }
  /// Clears its line for another; the next update draws it again.
  void wipe();

 private:
  using Clock = std::chrono::steady_clock;

  std::string label_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point drawn_ = start_;
  bool terminal_;
  bool visible_ = false;
};

}  // namespace tessera
