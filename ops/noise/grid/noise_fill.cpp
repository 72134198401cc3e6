// SPDX-License-Identifier: Apache-2.0
// The nearest value by two passes. Down the columns each point learns the nearest value of its own
// column. Along a row, column i then offers the squared distance (x - i)^2 + g_i^2, and any two
// columns swap order once: the left one wins up to some x, the right one from there on. So a stack
// of winners, each with the position from which on it wins, gives the whole row (Meijster, Roerdink
// and Hesselink).
#include "ops/noise/grid/noise_fill.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include "core/check.hpp"
#include "core/parallel.hpp"
#include "tessera/error.hpp"
#include "tessera/noise.hpp"

namespace tessera {
namespace {

constexpr int kNowhere = -1;

/// A column's nearest value to a row: which row has it, and its position.
struct Offer {
  int column, row;
  long long x, distance_squared;  ///< down the column
};

/// The best offer of a row from column index `from` on, up to the next one's.
struct Winner {
  Offer offer;
  int from;
};

long long floor_of(long long a, long long b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

/// The smallest x from which on `right` wins over `left`, by distance, then row, then column.
long long takes_over(const Offer& left, const Offer& right) {
  const long long numerator =
      right.x * right.x - left.x * left.x + right.distance_squared - left.distance_squared;
  const long long denominator = 2 * (right.x - left.x);
  const bool wins_ties = right.row < left.row;
  return wins_ties ? -floor_of(-numerator, denominator) : floor_of(numerator, denominator) + 1;
}

template <class T>
class Filler {
 public:
  Filler(View<T> values, const std::vector<int>& columns, const std::vector<int>& rows)
      : values_(values), columns_(columns), rows_(rows) {}

  void run(int threads) {
    const int width = values_.size.width;
    if (!has_holes(threads)) return;
    nearest_.assign(columns_.size() * rows_.size(), kNowhere);
    constexpr int kColumns = 64;
    parallel_for((width + kColumns - 1) / kColumns, threads, [&](int block) {
      const int first = block * kColumns, end = std::min(width, first + kColumns);
      look_up(first, end);
      look_down(first, end);
    });
    // Only holes are written and only values are read, so rows are independent of each other.
    parallel_for(values_.size.height, threads, [&](int y) { fill_row(y); });
  }

 private:
  bool has_holes(int threads) const {
    std::atomic<bool> found = false;
    parallel_for(values_.size.height, threads, [&](int y) {
      for (int x = 0; x < values_.size.width && !found.load(std::memory_order_relaxed); ++x)
        if (std::isnan(values_.at(x, y))) found = true;
    });
    return found;
  }

  /// The row of the value nearest to row y in its own column.
  int& nearest(int x, int y) {
    return nearest_[columns_.size() * static_cast<std::size_t>(y) + static_cast<std::size_t>(x)];
  }
  long long distance(int y, int other) const {
    return std::abs(static_cast<long long>(rows_[static_cast<std::size_t>(y)]) -
                    rows_[static_cast<std::size_t>(other)]);
  }

  void look_up(int first, int end) {
    for (int y = 0; y < values_.size.height; ++y)
      for (int x = first; x < end; ++x)
        nearest(x, y) = !std::isnan(values_.at(x, y)) ? y : y > 0 ? nearest(x, y - 1) : kNowhere;
  }
  void look_down(int first, int end) {
    for (int y = values_.size.height - 2; y >= 0; --y)
      for (int x = first; x < end; ++x) {
        const int above = nearest(x, y), below = nearest(x, y + 1);
        if (below <= y) continue;
        if (above == kNowhere || distance(y, below) < distance(y, above)) nearest(x, y) = below;
      }
  }

  void fill_row(int y) {
    std::vector<Winner> winners;
    for (int x = 0; x < values_.size.width; ++x)
      if (nearest(x, y) != kNowhere) push(offer_of(x, y), winners);
    std::size_t k = 0;
    for (int x = 0; x < values_.size.width && !winners.empty(); ++x) {
      while (k + 1 < winners.size() && winners[k + 1].from <= x) ++k;
      const Offer& best = winners[k].offer;
      if (std::isnan(values_.at(x, y))) values_.at(x, y) = values_.at(best.column, best.row);
    }
  }

  Offer offer_of(int x, int y) {
    const long long down = distance(y, nearest(x, y));
    return {x, nearest(x, y), columns_[static_cast<std::size_t>(x)], down * down};
  }

  void push(const Offer& offer, std::vector<Winner>& winners) {
    int from = 0;
    while (!winners.empty()) {
      from = first_at(takes_over(winners.back().offer, offer));
      if (from > winners.back().from) break;
      winners.pop_back();
      from = 0;
    }
    if (from < values_.size.width) winners.push_back({offer, from});
  }
  int first_at(long long x) const {
    return static_cast<int>(std::lower_bound(columns_.begin(), columns_.end(), x) -
                            columns_.begin());
  }

  View<T> values_;
  const std::vector<int>&columns_, &rows_;
  std::vector<int> nearest_;
};

template <class T>
void fill_planes(const AnyMutableView& values, const std::vector<int>& columns,
                 const std::vector<int>& rows, int threads) {
  for (int p = 0; p < values.size.planes; ++p)
    Filler<T>(values.only_plane(p).as<T>(), columns, rows).run(threads);
}

void check_maps(const AnyMutableView& maps) {
  if (maps.device != kHost || is_integer(maps.type) || maps.size.channels != 1)
    throw Error(ErrorKind::usage,
                fmt::format("fill_from_nearest: the maps are {}{}; they must be f32 or f64 of one "
                            "channel in host memory",
                            image_text(maps.info()),
                            maps.device == kHost ? "" : fmt::format(" on device {}", maps.device)));
}

std::vector<int> up_to(int count) {
  std::vector<int> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace

void fill_from_nearest(AnyMutableView values, const std::vector<int>& columns,
                       const std::vector<int>& rows, int threads) {
  if (values.type == Type::f32) return fill_planes<float>(values, columns, rows, threads);
  fill_planes<double>(values, columns, rows, threads);
}

void fill_from_nearest(AnyMutableView maps, const Stream& stream) {
  check_maps(maps);
  if (maps.size.empty()) return;
  fill_from_nearest(maps, up_to(maps.size.width), up_to(maps.size.height), stream.threads());
}

void fill_from_nearest(AnyMutableView maps) { fill_from_nearest(maps, Stream()); }

}  // namespace tessera
