// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <vector>

#include "ops/noise/study/plain_noise.hpp"

namespace tessera {
namespace {

/// Calls make(x, y, box) for every pixel.
template <class Make>
void each_box(const BoxStudyArgs& a, Make make) {
  for (int y = a.made.first; y < a.made.end; ++y)
    for (int x = 0; x < a.width; ++x) make(x, y, clipped_box(a, x, y));
}

void copy_box(const BoxStudyArgs& a, const ClippedBox& box, std::vector<float>& values) {
  values.clear();
  for (int y = box.top; y < box.bottom; ++y)
    values.insert(values.end(), given_at(a, box.left, y), given_at(a, box.right, y));
}

/// The values become partly ordered.
double selected_quantile(std::vector<float>& values, double order) {
  const QuantilePlace at = quantile_place(order, static_cast<int>(values.size()));
  const auto place = values.begin() + at.index;
  std::nth_element(values.begin(), place, values.end());
  const auto next = place + 1 == values.end() ? place : std::min_element(place + 1, values.end());
  return between(*place, *next, at.fraction);
}

}  // namespace

void plain_noise_sort(const BoxStudyArgs& a) {
  std::vector<float> values;
  each_box(a, [&](int x, int y, const ClippedBox& box) {
    copy_box(a, box, values);
    std::sort(values.begin(), values.end());
    const int n = box.values();
    put_background(a, x, y, sorted_quantile(values.data(), n, 0.5));
    put_rms(a, x, y, sorted_quantile(values.data(), n, 0.25),
            sorted_quantile(values.data(), n, 0.75));
  });
}

void plain_noise_select(const BoxStudyArgs& a) {
  std::vector<float> values;
  each_box(a, [&](int x, int y, const ClippedBox& box) {
    copy_box(a, box, values);
    put_background(a, x, y, selected_quantile(values, 0.5));
    const double first = selected_quantile(values, 0.25);
    put_rms(a, x, y, first, selected_quantile(values, 0.75));
  });
}

void plain_noise_histogram(const BoxStudyArgs& a) {
  std::array<int, kBoxStudyBins> counts;
  each_box(a, [&](int x, int y, const ClippedBox& box) {
    counts.fill(0);
    for (int row = box.top; row < box.bottom; ++row)
      for (int column = box.left; column < box.right; ++column)
        ++counts[static_cast<std::size_t>(bin_at(a, column, row))];
    const int n = box.values();
    put_background(a, x, y, counted_quantile(a, counts.data(), n, 0.5));
    put_rms(a, x, y, counted_quantile(a, counts.data(), n, 0.25),
            counted_quantile(a, counts.data(), n, 0.75));
  });
}

}  // namespace tessera
