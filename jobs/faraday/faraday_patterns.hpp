// SPDX-License-Identifier: Apache-2.0
/// Patterns of channels that pixels lack. Pixels that lack the same channels share an RMSF, so few
/// RMSFs are needed.
#pragma once

#include <algorithm>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "jobs/faraday/faraday_joined_patterns.hpp"
#include "tessera/faraday.hpp"

namespace tessera {

class FaradayPatterns {
 public:
  /// The most patterns whose RMSFs are kept; `find` gives pixels with further patterns `kOther`.
  static constexpr int kMost = 4096;
  static constexpr int kEmpty = -1;  ///< a pixel without any channel
  static constexpr int kOther = -2;

  /// `counted`: patterns are distinguished and counted, and only the first has an RMSF.
  FaradayPatterns(const FaradayAxes& axes, bool fit, bool counted = false);

  /// The memory that RMSFs of patterns may take; `enough`: the --memory-limit with room for kMost.
  void limit(double bytes, double enough);
  /// Bytes of one pattern, including those for writing it.
  static double bytes_a_pattern(const FaradayAxes& axes, bool counted);

  /// The number of each pixel's pattern, row by row; 0: it lacks no channel that counts.
  /// `first_row` is the place in the image of the first one given. Throws Error(resources) if there
  /// are more patterns than the limit has room for.
  std::vector<int> find(AnyView q, AnyView u, int first_row, int threads);

  /// RMSFs of pixels that `find` gave `kOther`, kept until it is called again: they get the numbers
  /// from count() on.
  void lend(std::vector<FaradayRmsf> others);

  /// Whether only the first pattern has an RMSF.
  bool only_counts() const { return counted_; }
  int count() const { return static_cast<int>(rmsfs_.size()) - lent_; }
  /// RMSFs of patterns 0 … count() - 1, and after them those lent.
  const FaradayRmsf& rmsf(int pattern) const { return rmsfs_[static_cast<std::size_t>(pattern)]; }
  /// Those of patterns 1, 2 … and those lent.
  std::span<const FaradayRmsf> incomplete_rmsfs() const {
    return std::span<const FaradayRmsf>(rmsfs_).subspan(1);
  }
  /// The width for any number that `find` returns: by theory if there is no channel.
  double fwhm(int pattern) const {
    return pattern == kEmpty ? axes_.fwhm : rmsf(pattern < 0 ? 0 : pattern).fwhm;
  }

  /// Joins the patterns of all ranks, on each of them (core/ranks.hpp): they get the numbers that
  /// one process gives them, in the order of their first pixels. With `rmsfs` rank 0 makes those of
  /// patterns that it has not met; other ranks do not have them.
  void join_ranks(bool rmsfs, int threads);
  /// The number, after join_ranks, of the pattern that `find` of a rank has called `number`.
  int joined_number(int rank, int number) const;
  /// After join_ranks: pixels have more patterns than numbers, and ranks have not kept those that
  /// one process keeps.
  bool are_too_many() const { return distinct() > kMost; }
  /// The patterns counted, also those that have no number here; kMost + 1: more than kMost.
  int distinct() const { return other_ > 0 ? kMost + 1 : std::max(count(), all_); }
  long long incomplete_pixels() const { return incomplete_; }
  long long empty_pixels() const { return empty_; }
  long long other_pixels() const { return other_; }

 private:
  int number_of(const std::string& flags, long long pixel);
  void check_room(int patterns) const;
  /// RMSFs of the last patterns, unless they are there.
  void make_rmsfs(std::span<const std::string> flags, int threads);

  FaradayAxes axes_;
  bool fit_, counted_;
  double limit_ = std::numeric_limits<double>::infinity(), enough_ = 0;
  std::map<std::string, FaradayMetPattern> known_;  ///< by flags
  std::vector<FaradayRmsf> rmsfs_;
  std::vector<std::string> new_;  ///< flags of the last patterns, whose RMSFs are not made yet
  int lent_ = 0;                  ///< the last of rmsfs_
  long long incomplete_ = 0, empty_ = 0, other_ = 0;
  int all_ = 0;                                        ///< patterns of all ranks
  std::map<std::pair<int, int>, int> joined_numbers_;  ///< by rank and number there
};

}  // namespace tessera
