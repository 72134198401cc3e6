// SPDX-License-Identifier: Apache-2.0
/// Which channels pixels lack. Pixels that lack the same share an RMSF, so few are to be made.
#pragma once

#include <limits>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "tessera/faraday.hpp"

namespace tessera {

class FaradayPatterns {
 public:
  /// Patterns that are told apart; pixels with others past these have number `kOther`.
  static constexpr int kMost = 4096;
  static constexpr int kEmpty = -1;  ///< a pixel without any channel
  static constexpr int kOther = -2;

  /// `counted`: patterns are told apart and counted, and only the first has an RMSF.
  FaradayPatterns(const FaradayAxes& axes, bool fit, bool counted = false);

  /// What RMSFs of patterns may take; `enough`: the --memory-limit that leaves room for kMost.
  void limit(double bytes, double enough);
  /// Of one pattern, with what writing it takes.
  static double bytes_a_pattern(const FaradayAxes& axes, bool counted);

  /// The number of each pixel's pattern, row by row; 0: lacks nothing that counts. Throws
  /// Error(resources) where there are more patterns than the limit has room for.
  std::vector<int> find(AnyView q, AnyView u, int threads);

  int count() const { return static_cast<int>(rmsfs_.size()); }
  /// Of patterns 0 … count() - 1.
  const FaradayRmsf& rmsf(int pattern) const { return rmsfs_[static_cast<std::size_t>(pattern)]; }
  /// The width for any number that `find` gives: by theory where there is no channel.
  double fwhm(int pattern) const {
    return pattern == kEmpty ? axes_.fwhm : rmsf(pattern < 0 ? 0 : pattern).fwhm;
  }

  long long incomplete_pixels() const { return incomplete_; }
  long long empty_pixels() const { return empty_; }
  long long other_pixels() const { return other_; }

 private:
  int number_of(const std::string& flags);
  [[noreturn]] void refuse_more() const;
  void make_rmsfs(int threads);

  FaradayAxes axes_;
  bool fit_, counted_;
  double limit_ = std::numeric_limits<double>::infinity(), enough_ = 0;
  std::map<std::string, int> numbers_;
  std::vector<FaradayRmsf> rmsfs_;
  std::vector<std::string> new_;  ///< flags of the last patterns, whose RMSFs are to be made
  long long incomplete_ = 0, empty_ = 0, other_ = 0;
};

}  // namespace tessera
