// SPDX-License-Identifier: Apache-2.0
/// Tiles: some pixels of a call made contiguous, flags removed, and results written back.
///
/// Methods work on tiles of a fixed width; the result of a pixel must not depend on its position in
/// one. Tables hold weights as fractions of the sum over all channels, so a pixel with all channels
/// is complete after the sum; the others are multiplied by a factor for the missing channels.
#pragma once

#include <span>
#include <vector>

#include "ops/faraday/synth/faraday_problem.hpp"
#include "tessera/stream.hpp"

namespace tessera {

/// Channels whose weight is above 0. The others are never read, whatever they contain.
struct FaradayUsed {
  explicit FaradayUsed(const FaradayAxes& axes);

  int count() const { return static_cast<int>(plane.size()); }

  std::vector<int> plane;      ///< their positions in Q and U
  std::vector<double> weight;  ///< as given
  std::vector<double> share;   ///< weight / sum of weights
  std::vector<double> offset;  ///< lambda^2 - lambda^2_0
  double weight_sum = 0;
};

/// Pixels of a call, counted in row order.
long long faraday_pixels(const FaradayCall& call);
int faraday_tiles(const FaradayCall& call, int width);

/// Copies a run of Q and U, 0 where either is not finite; false: there was such a value.
template <class T>
using FaradayCopyFunction = bool (*)(const T* q, const T* u, long long count, T* q_to, T* u_to);
template <class T>
FaradayCopyFunction<T> faraday_copy_function();

/// `width` pixels; the last ones are zeros if the call has fewer.
template <class T>
class FaradayTile {
 public:
  /// Allocates memory; `used` must outlive it.
  FaradayTile(const FaradayUsed& used, int width, FaradayCopyFunction<T> copy);

  /// Fills it with the pixels from `index * width` on.
  void pack(const FaradayCall& call, int index);
  /// Writes results: row r of [rows][real, imaginary][width] is depth `depth_of_row[r]`, or not
  /// written if that is negative.
  void unpack(const T* results, std::span<const int> depth_of_row, const FaradayCall& call) const;

  int count() const { return count_; }               ///< pixels it has
  const T* data() const { return memory_.as<T>(); }  ///< [channel][Q, U][width]

 private:
  /// A part of a row of the call.
  struct Run {
    int x, y, first, count;
  };
  bool complete() const { return scale_.empty(); }  ///< no pixel lacks a channel
  void find_runs(const FaradayCall& call, long long first);
  bool copy_runs(const FaradayCall& call);
  void weigh(const FaradayCall& call);

  const FaradayUsed& used_;
  int width_, count_ = 0;
  FaradayCopyFunction<T> copy_;
  Scratch memory_;
  std::vector<Run> runs_;
  /// The factor for the sum over a pixel's channels: 1 if it has them all, NaN if it has none.
  /// Empty if no pixel lacks any.
  std::vector<T> scale_;
};

}  // namespace tessera
