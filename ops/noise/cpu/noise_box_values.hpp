// SPDX-License-Identifier: Apache-2.0
/// The valid values of a pixel's box as keys, in row order.
#pragma once

#include <algorithm>
#include <type_traits>
#include <vector>

#include "ops/noise/noise_problem.hpp"

namespace tessera {

template <class T>
class NoiseBoxValues {
 public:
  using Keys = NoiseKeys<T>;
  using Key = typename Keys::Key;

  explicit NoiseBoxValues(const NoiseProblem& problem)
      : problem_(problem),
        constant_(Keys::of(static_cast<T>(problem.constant))),
        keys_(static_cast<std::size_t>(problem.box.width) * problem.box.height) {}

  /// Gathers the box around column x. `rows` gives for each box row its row in the view, or
  /// kNoPixel.
  void gather(View<const T> in, const int* rows, int x) {
    valid_ = rows_found_ = 0;
    const NoiseBox& box = problem_.box;
    const int width = problem_.image.size.width;
    first_ = x - box.left(), end_ = x + box.right() + 1;
    if (problem_.border == Border::inside) {
      first_ = std::max(0, first_);
      end_ = std::min(width, end_);
    }
    const bool side_by_side = first_ >= 0 && end_ <= width;
    for (int j = 0; j < box.height; ++j) {
      if (rows[j] == kNoPixel) {
        take_missing_row();
        continue;
      }
      ++rows_found_;
      if (side_by_side)
        take_row(&in.at(first_, rows[j]), in.pixel);
      else
        take_row_by_columns(&in.at(0, rows[j]), in.pixel);
    }
  }

  int valid() const { return valid_; }
  bool enough() const { return valid_ >= problem_.least(rows_found_ * (end_ - first_)); }
  Key* keys() { return keys_.data(); }

 private:
  void take_missing_row() {
    if (problem_.border != Border::constant) return;
    ++rows_found_;
    std::fill_n(keys_.begin() + valid_, end_ - first_, constant_);
    valid_ += end_ - first_;
  }

  void take_row(const T* from, long long pixel) {
    const int count = end_ - first_;
    // Most rows have no blanks: then the compiler vectorises the loop over keys.
    if (pixel == 1 && !any_blank(from, count)) {
      Key* const to = keys_.data() + valid_;
      for (int i = 0; i < count; ++i) to[i] = Keys::of(from[i]);
      valid_ += count;
      return;
    }
    for (int i = 0; i < count; ++i) take(from[i * pixel]);
  }
  bool any_blank(const T* from, int count) const {
    if (problem_.blanks.zero || !problem_.blanks.infinities)
      return std::any_of(from, from + count, problem_.blanks);
    if constexpr (std::is_integral_v<T>) return false;
    int finite = 0;
    for (int i = 0; i < count; ++i) finite += from[i] - from[i] == 0 ? 1 : 0;
    return finite != count;
  }
  void take(T value) {
    keys_[static_cast<std::size_t>(valid_)] = Keys::of(value);
    valid_ += !problem_.blanks(value);
  }

  void take_row_by_columns(const T* row, long long pixel) {
    for (int i = first_; i < end_; ++i) {
      const int column = border_index(i, problem_.image.size.width, problem_.border);
      if (column == kNoPixel)
        keys_[static_cast<std::size_t>(valid_++)] = constant_;
      else
        take(row[column * pixel]);
    }
  }

  const NoiseProblem& problem_;
  Key constant_;
  std::vector<Key> keys_;
  int valid_ = 0, rows_found_ = 0, first_ = 0, end_ = 0;
};

}  // namespace tessera
