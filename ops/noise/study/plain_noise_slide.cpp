// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "core/parallel.hpp"
#include "ops/noise/study/plain_noise.hpp"

namespace tessera {
namespace {

/// The histogram of a box; quantiles are searched from the first bin on.
struct LookedUp {
  std::array<int, kBoxStudyBins> counts{};

  void change(int bin, int by) { counts[static_cast<std::size_t>(bin)] += by; }
  double quantile(const BoxStudyArgs& a, int n, int k) {
    return counted_quantile(a, counts.data(), n, quarter(k));
  }
};

/// The same, with the bin of every quantile and the number of values below it kept up to date.
struct Followed {
  std::array<int, kBoxStudyBins> counts{};
  std::array<int, 3> bin{}, below{};

  void change(int at, int by) {
    counts[static_cast<std::size_t>(at)] += by;
    for (std::size_t k = 0; k < 3; ++k) below[k] += at < bin[k] ? by : 0;
  }
  double quantile(const BoxStudyArgs& a, int n, int order) {
    const auto k = static_cast<std::size_t>(order);
    const int index = quantile_place(quarter(order), n).index;
    while (below[k] > index) below[k] -= counts[static_cast<std::size_t>(--bin[k])];
    for (int in = 0; below[k] + (in = counts[static_cast<std::size_t>(bin[k])]) <= index; ++bin[k])
      below[k] += in;
    return counted_quantile(a, counts.data(), n, quarter(order), bin[k], below[k]);
  }
};

template <class Histogram>
void change_column(const BoxStudyArgs& a, const ClippedBox& box, int x, int by, Histogram& all) {
  for (int y = box.top; y < box.bottom; ++y) all.change(bin_at(a, x, y), by);
}

template <class Histogram>
void slide_along(const BoxStudyArgs& a, int y) {
  Histogram all;
  ClippedBox held = clipped_box(a, 0, y);
  for (int x = held.left; x < held.right; ++x) change_column(a, held, x, 1, all);
  for (int x = 0; x < a.width; ++x) {
    const ClippedBox box = clipped_box(a, x, y);
    if (box.right > held.right) change_column(a, box, held.right, 1, all);
    if (box.left > held.left) change_column(a, box, held.left, -1, all);
    held = box;
    const int n = box.values();
    const double first = all.quantile(a, n, 0);
    put_background(a, x, y, all.quantile(a, n, 1));
    put_rms(a, x, y, first, all.quantile(a, n, 2));
  }
}

}  // namespace

void plain_noise_slide(const BoxStudyArgs& a) {
  for (int y = a.made.first; y < a.made.end; ++y) slide_along<LookedUp>(a, y);
}

void plain_noise_follow(const BoxStudyArgs& a, int threads) {
  parallel_for(a.made.count(), threads, [&](int k) { slide_along<Followed>(a, a.made.first + k); });
}

}  // namespace tessera
