// SPDX-License-Identifier: Apache-2.0
/// Samples of a stretch of time as floats, real and imaginary parts of every input and channel in
/// rows. Missing ones are 0.
#pragma once

#include <vector>

#include "tessera/fringe_tracker.hpp"

namespace tessera {

class FringeWindow {
 public:
  explicit FringeWindow(const FringeSetup& setup, int threads);

  /// Empty, before a sample.
  void restart(long long first);
  void append(const VoltageBlock& block);
  void append_missing(long long samples);
  /// Samples before this one are not needed any more; the next append forgets them.
  void keep_from(long long sample) { keep_from_ = sample; }

  long long end() const { return first_ + length_; }
  /// A sample of an input and channel; the real part is followed by those of later samples.
  const float* re(int channel, int input, long long sample) const;
  const float* im(int channel, int input, long long sample) const;
  /// One byte per sample; null if all samples of the window are there.
  const unsigned char* valid(int input, long long sample) const;

 private:
  /// Makes room behind the samples that are kept; returns the place of the first new one.
  long long grow(long long samples);

  FringeSetup setup_;
  int threads_;
  long long first_ = 0, length_ = 0, keep_from_ = 0;
  long long capacity_ = 0;  ///< samples of a row
  long long missing_end_ = 0;
  bool missing_ = false;       ///< whether any sample up to missing_end_ is
  std::vector<float> values_;  ///< [channel][input][re, im][time]
  std::vector<unsigned char> valid_;
};

}  // namespace tessera
