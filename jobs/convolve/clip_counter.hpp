// SPDX-License-Identifier: Apache-2.0
/// Counts results that integers cannot hold, such as the negative ones of sobel:x in u8. They are
/// made a second time, as floats; of large images only in some rows, to save time.
#pragma once

#include <atomic>
#include <string>

#include "core/strips.hpp"
#include "tessera/convolve.hpp"

namespace tessera {

class ClipCounter {
 public:
  /// `weights` outlives it.
  ClipCounter(AnyView weights, const ConvolveOptions& options)
      : weights_(weights), options_(options) {}
  /// Counts from 0 while `strips`, which are those of `plan`, run for all `planes`; does nothing if
  /// no results of these weights can leave the range of the output's type.
  void watch(StripPlan& strips, const Convolve& plan, int planes);
  /// The count and the types that keep all results; empty if nothing was clipped.
  std::string remark() const;

 private:
  bool can_clip(Type input, Type output) const;
  void count(const Convolve& exact, const Piece& in, Rows rows, Stream& stream);

  AnyView weights_;
  ConvolveOptions options_;
  Type type_ = Type::u8;
  long long stride_ = 1;   ///< one group of rows in this many is counted
  long long results_ = 0;  ///< of the whole image
  std::atomic<long long> clipped_ = 0, counted_ = 0;
};

}  // namespace tessera
