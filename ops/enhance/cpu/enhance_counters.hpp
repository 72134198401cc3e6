// SPDX-License-Identifier: Apache-2.0
/// Counting on many threads: each has its own tables, added up at the end. Integers: the order of
/// addition does not matter.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "ops/enhance/cpu/enhance_rows.hpp"
#include "ops/enhance/enhance_problem.hpp"

namespace tessera {

/// One thread's counts of one plane.
struct ThreadCounts {
  int plane = 0;
  long long samples = 0;  ///< counted since tables were last added up: must fit 32 bits
  std::vector<std::uint32_t> tables;
};

class Counters {
 public:
  /// Adds to `counts`, for every plane and group of an image.
  Counters(const EnhanceProblem& problem, const ImageInfo& image, SweepCounts& counts);
  /// The same for another number of counts per plane and group.
  Counters(const EnhanceProblem& problem, const ImageInfo& image, SweepCounts& counts,
           std::size_t values);
  ~Counters();
  Counters(const Counters&) = delete;
  Counters& operator=(const Counters&) = delete;

  /// Rows per piece: no more than 32 bits can count, on top of what a thread may already have.
  int rows_at_once(int wanted) const;
  ThreadCounts& take(int plane);
  void give_back(ThreadCounts& counts, long long samples);
  /// Adds up the counts of all threads.
  void finish();

  /// Tables of a group.
  std::uint32_t* tables(ThreadCounts& counts, int group) const {
    return counts.tables.data() + static_cast<std::size_t>(group) * tables_ * levels_;
  }
  /// Packed pixels of the image.
  template <class T>
  void count_row(const EnhanceRows<T>& rows, const T* in, int pixels, ThreadCounts& counts) const;
  /// Whether one table counts all samples.
  bool plain() const { return groups_ == 1 && colours_ == channels_; }

 private:
  void add_up(ThreadCounts& counts);

  SweepCounts& sum_;
  long long row_samples_;
  int channels_, colours_, groups_;
  std::size_t tables_, levels_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<ThreadCounts>> all_;
  std::vector<ThreadCounts*> free_;
};

}  // namespace tessera
