// SPDX-License-Identifier: Apache-2.0
/// A stretch of a recording's samples that slides along with the reader, in memory.
#pragma once

#include <deque>
#include <vector>

#include "io/voltages/voltage_file.hpp"

namespace tessera {

/// Samples [begin, end), counted from the first of the recording, of every input and channel one
/// after the other in time; of real samples only the real parts.
class SampleWindow {
 public:
  explicit SampleWindow(const VoltageInfo& info);

  long long begin() const { return begin_; }
  long long end() const { return end_; }
  /// Bytes of memory that it has.
  long long bytes() const { return std::ssize(rows_bytes_); }
  /// Bytes of all inputs and channels at one time.
  long long sample_bytes() const { return rows_ * item_; }

  /// Memory for this many samples at once, so that it does not grow until there are more.
  void reserve(long long samples);
  void append(const VoltageBlock& block, int threads);
  /// Samples before this one are not needed any more.
  void forget(long long first);
  /// Nothing is held, and the next block begins at `first`.
  void begin_again(long long first);
  /// Samples that are held, else Error(failure); the block stays until the next call that is not
  /// const. If some inputs have no data, it has a mask in stretches of one sample, which is kept in
  /// `mask`.
  VoltageBlock block(long long first, long long count, std::vector<unsigned char>& mask) const;

 private:
  struct Invalid {
    long long first, end;
    std::vector<unsigned char> mask;  ///< one byte per input
  };
  VoltageLayout layout() const;
  void make_room(long long samples);
  void keep_invalid(const VoltageBlock& block);

  XEngineShape shape_;
  SampleType type_;
  bool real_;
  long long rows_, item_;  ///< one row per channel and input; bytes of a sample
  long long begin_ = 0, end_ = 0;
  long long pitch_ = 0;  ///< samples from one row to the next
  long long first_ = 0;  ///< place of sample begin_ in its row
  long long reserved_ = 0;
  std::vector<unsigned char> rows_bytes_;
  std::deque<Invalid> invalid_;
};

/// Copies samples from one layout to another, of real ones only the real parts, on some threads.
void rearrange_voltages(const XEngineShape& shape, SampleType type, bool real, long long samples,
                        const VoltageLayout& from, const void* in, const VoltageLayout& to,
                        void* out, int threads);

}  // namespace tessera
