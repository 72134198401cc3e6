// SPDX-License-Identifier: Apache-2.0
/// What a job on cubes keeps in memory whole, beside its strips: both count for --memory-limit.
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

  /// Counts what is kept from now on; `passing` is taken as well, but only while it is made. Throws
  /// Error(resources) where there is less, saying what all needs.
  void hold(const std::string& what, double bytes, double passing = 0);
  /// The same for what may grow to so much: half of what is left to strips at the most, and so
  /// much that a row of them fits. Gives what it has got.
  double reserve(const std::string& what, double most, double strip_row);
  /// The limit that gives `reserve` all it asks for.
  double limit_for(double most, double strip_row) const;

  /// With so much of what is left that strips fit and what each row of them takes beside.
  Stream stream_for(const StripPlan& plan, int device, double beside_a_row) const;
  /// Of a strip of one row, with all that is in flight.
  static double strip_row_bytes(const StripPlan& plan, double beside_a_row);

 private:
  RunSettings settings_;
  double limit_, held_ = 0;
  std::string list_;  ///< of what is held
};

}  // namespace tessera
