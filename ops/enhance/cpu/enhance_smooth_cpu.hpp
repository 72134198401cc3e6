// SPDX-License-Identifier: Apache-2.0
/// Smoothing by integer weights on the CPU, one block of rows and columns at a time.
#pragma once

#include <functional>

#include "ops/enhance/cpu/enhance_rows.hpp"
#include "ops/enhance/enhance_problem.hpp"

namespace tessera {

/// Rows and columns [first, end) of a plane.
struct SmoothBlock {
  int plane;
  Rows rows;
  int first, end;
  int columns() const { return end - first; }
};

template <class T>
class SmoothCpu {
 public:
  /// Packed pixels [x, x + pixels) of a row before smoothing, in `buffer` or in place.
  using Fetch = std::function<const T*(int row, int x, int pixels, T* buffer)>;

  /// `image` describes the image before and after the step.
  SmoothCpu(const EnhanceProblem& problem, const ImageInfo& image, const EnhanceRows<T>& rows);

  /// Columns per block, so that the rows it keeps stay in the second-level cache.
  int block_columns() const;
  void run(const SmoothBlock& block, const Fetch& fetch, const MutablePiece& out) const;

 private:
  template <class Sum>
  struct SumBlock;
  struct WeightBlock;
  enum class Way : unsigned char { sums16, sums32, weights };

  Way choose_way() const;
  Rows down_inside(int row) const;  ///< which rows of weights lie inside the image
  Rows across_inside(int x) const;  ///< which columns of weights lie inside
  long long down_total(int row) const;
  long long across_total(int x) const;
  ExactDivision division(long long total) const;
  /// The block's columns that have all their weights inside.
  Rows whole_columns(const SmoothBlock& block) const;
  Rows read_columns(const SmoothBlock& block) const;

  Smoothing s_;
  ImageInfo image_;
  EnhanceRows<T> rows_;
  Way way_ = Way::weights;
  ExactDivision whole_;  ///< with all weights inside
};

}  // namespace tessera
