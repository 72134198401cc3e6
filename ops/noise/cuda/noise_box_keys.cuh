// SPDX-License-Identifier: Apache-2.0
// The values of one box as keys, read through the border rule, and the destination of its results.
#pragma once

#include "ops/noise/cuda/noise_pixels.cuh"
#include "ops/noise/cuda/noise_team.cuh"

namespace tessera {

template <class T, int kThreads>
class NoiseBoxKeys {
 public:
  using Key = typename NoiseKeys<T>::Key;
  using Team = NoiseTeam<kThreads>;

  /// The box around a pixel. The constructor reads it, so all threads must call it.
  __device__ NoiseBoxKeys(const NoiseBoxesArgs& a, int x, int y)
      : a_(a), x_(x - a.anchor_x), y_(y - a.anchor_y) {
    columns_ = reinterpret_cast<int*>(Team::counters() + noise_picks(a.rule) * kNoiseCounters);
    rows_ = columns_ + a.box_width;
    kept_ = reinterpret_cast<Key*>(reinterpret_cast<unsigned char*>(noise_box_memory) +
                                   noise_boxes_keys_at(a));
    find_pixels();
    read_all();
  }

  __device__ int count() const { return count_; }
  __device__ Key least() const { return least_; }
  __device__ Key most() const { return most_; }

  /// use(key) for this thread's valid keys, always in the same order.
  template <class Use>
  __device__ void each(const Use& use) const {
    each_place([&](int place, int column, int row) {
      const Key key = a_.keeps ? kept_[place] : read(column, row);
      if (key != kBlankKey<T>) use(key);
    });
  }

  __device__ bool enough() const {
    return count_ >= (a_.rule.all_count
                          ? 1
                          : least_valid(noise_box_pixels(a_, x_, y_, a_.box_width, a_.box_height)));
  }
  __device__ bool blank_pixel() const { return read(a_.anchor_x, a_.anchor_y) == kBlankKey<T>; }

 private:
  /// The positions of the box's columns and rows.
  __device__ void find_pixels() {
    for (int k = Team::thread(); k < a_.box_width; k += kThreads)
      columns_[k] = border_index(x_ + k, a_.width, a_.border);
    for (int k = Team::thread(); k < a_.box_height; k += kThreads)
      rows_[k] = noise_held_row(a_, y_ + k);
    Team::sync();
  }
  __device__ void read_all() {
    Key low = kBlankKey<T>, high = 0;
    int valid = 0;
    each_place([&](int place, int column, int row) {
      const Key key = read(column, row);
      if (a_.keeps) kept_[place] = key;  // for this thread only
      if (key == kBlankKey<T>) return;
      ++valid;
      low = key < low ? key : low;
      high = key > high ? key : high;
    });
    count_ = Team::sum(valid);
    least_ = Team::least(low);
    most_ = Team::most(high);
  }
  /// use(place, column, row) for this thread's pixels of the box, in row order.
  template <class Use>
  __device__ void each_place(const Use& use) const {
    const int width = a_.box_width, end = width * a_.box_height;
    const int rows_on = kThreads / width, columns_on = kThreads % width;
    int row = Team::thread() / width, column = Team::thread() % width;
#pragma unroll 1
    for (int place = Team::thread(); place < end; place += kThreads) {
      use(place, column, row);
      row += rows_on;
      column += columns_on;
      if (column < width) continue;
      column -= width;
      ++row;
    }
  }
  __device__ Key read(int column, int row) const {
    const int x = columns_[column], y = rows_[row];
    if (x == kNoPixel || y == kNoPixel) return static_cast<Key>(a_.outside);
    const T value = static_cast<const T*>(a_.in)[y * a_.in_row + x * a_.in_pixel];
    return a_.blanks(value) ? kBlankKey<T> : NoiseKeys<T>::of(value);
  }

  const NoiseBoxesArgs& a_;
  int x_, y_;
  int *columns_, *rows_;
  Key* kept_;
  int count_;
  Key least_, most_;
};

/// A result of the point in column x and row y of the output.
__device__ inline void noise_box_store(const NoiseBoxesArgs& a, int plane, int x, int y,
                                       double value) {
  const long long at = plane * a.out_plane + y * a.out_row + x * a.out_pixel;
  if (a.out_type == Type::f32)
    static_cast<float*>(a.out)[at] = noise_rounded<float>(value);
  else if (a.out_type == Type::f64)
    static_cast<double*>(a.out)[at] = noise_rounded<double>(value);
  else if (a.out_type == Type::u16)
    static_cast<unsigned short*>(a.out)[at] = noise_rounded<unsigned short>(value);
  else
    static_cast<unsigned char*>(a.out)[at] = noise_rounded<unsigned char>(value);
}

}  // namespace tessera
