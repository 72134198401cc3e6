// SPDX-License-Identifier: Apache-2.0
/// Data that a job on cubes keeps whole in memory, besides its strips: both count for
/// --memory-limit.
#pragma once

#include <string>

#include "core/strips.hpp"
#include "jobs/settings.hpp"

namespace tessera {

class FaradayMemory {
 public:
  explicit FaradayMemory(const RunSettings& settings);

  const RunSettings& settings() const { return settings_; }
  double left() const { return limit_ - held_; }

  /// Counts data that is kept from now on; `passing` is needed as well, but only while the data is
  /// made. Throws Error(resources) if there is less memory, with the sum of all needs.
  void hold(const std::string& what, double bytes, double passing = 0);
  /// The same for data that may grow to `most` bytes: takes at most half of what is left for
  /// strips, and leaves enough for a strip of one row. Returns the amount taken.
  double reserve(const std::string& what, double most, double strip_row);
  /// The limit with which `reserve` gets everything.
  double limit_for(double most, double strip_row) const;

  /// A stream whose limit leaves room for strips and for the bytes that each of their rows needs
  /// besides.
  Stream stream_for(const StripPlan& plan, int device, double beside_a_row) const;
  /// Bytes of a strip of one row, with all strips in flight.
  static double strip_row_bytes(const StripPlan& plan, double beside_a_row);

 private:
  RunSettings settings_;
  double limit_, held_ = 0;
  std::string list_;  ///< of the data held
};

}  // namespace tessera
