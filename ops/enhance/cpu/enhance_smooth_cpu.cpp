// SPDX-License-Identifier: Apache-2.0
// Blocks of smoothing: rows go through a ring of sums (or of pixels, if weights are not a product).
// Columns with all weights inside are processed by row functions, columns at the image's edge one
// by one.
#include "ops/enhance/cpu/enhance_smooth_cpu.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "core/pools.hpp"
#include "ops/enhance/cpu/enhance_packed_rows.hpp"

namespace tessera {
namespace {

constexpr int kRowsAtOnce = 4;
/// Bytes of sums that a block keeps: a quarter of a second-level cache. Less would fit the first
/// level, but parts of rows are read more slowly than whole ones (README.md).
constexpr long long kKeptBytes = 256 * 1024;
constexpr long long kLine = 64;

/// Samples per buffered row: rows lie an odd number of cache lines apart.
long long row_step(long long samples, std::size_t bytes) {
  const long long lines = (samples * static_cast<long long>(bytes) + kLine - 1) / kLine;
  return (lines | 1) * kLine / static_cast<long long>(bytes);
}

template <class T>
T divide_plainly(long long sum, long long total, T itself) {
  if (total <= 0) return itself;
  if (sum < 0) return 0;
  const long long largest = static_cast<T>(~0);
  return static_cast<T>(std::min((sum + total / 2) / total, largest));
}

}  // namespace

template <class T>
SmoothCpu<T>::SmoothCpu(const EnhanceProblem& problem, const ImageInfo& image,
                        const EnhanceRows<T>& rows)
    : s_(problem.smoothing), image_(image), rows_(rows), way_(choose_way()) {
  whole_ = division(std::accumulate(s_.weights.begin(), s_.weights.end(), 0LL));
}

/// The narrowest lanes in which every row's sums and their division fit.
template <class T>
typename SmoothCpu<T>::Way SmoothCpu<T>::choose_way() const {
  const long long largest = static_cast<T>(~0);
  const long long total = std::accumulate(s_.weights.begin(), s_.weights.end(), 0LL);
  if (!s_.separable() ||
      division_of_32(total, static_cast<int>(largest)).way == ExactDivision::Way::none)
    return Way::weights;
  if (sizeof(T) > 1) return Way::sums32;
  const long long across = std::accumulate(s_.across.begin(), s_.across.end(), 0LL);
  const auto fits = [&](int row) {
    const Rows inside = down_inside(row);
    const long long down =
        std::accumulate(s_.down.begin() + inside.first, s_.down.begin() + inside.end, 0LL);
    return down == 0 || division_of_16(across * down).way != ExactDivision::Way::none;
  };
  const int height = image_.size.height, edge = std::min(height, s_.height);
  for (int row = 0; row < edge; ++row)  // the first, and the last
    if (!fits(row) || !fits(height - 1 - row)) return Way::sums32;
  return Way::sums16;
}

template <class T>
ExactDivision SmoothCpu<T>::division(long long total) const {
  return way_ == Way::sums16 ? division_of_16(total) : division_of_32(total, static_cast<T>(~0));
}

template <class T>
Rows SmoothCpu<T>::down_inside(int row) const {
  return {std::clamp(s_.anchor.y - row, 0, s_.height),
          std::clamp(image_.size.height - row + s_.anchor.y, 0, s_.height)};
}
template <class T>
Rows SmoothCpu<T>::across_inside(int x) const {
  return {std::clamp(s_.anchor.x - x, 0, s_.width),
          std::clamp(image_.size.width - x + s_.anchor.x, 0, s_.width)};
}
template <class T>
long long SmoothCpu<T>::down_total(int row) const {
  const Rows inside = down_inside(row);
  return std::accumulate(s_.down.begin() + inside.first, s_.down.begin() + inside.end, 0LL);
}
template <class T>
long long SmoothCpu<T>::across_total(int x) const {
  const Rows inside = across_inside(x);
  return std::accumulate(s_.across.begin() + inside.first, s_.across.begin() + inside.end, 0LL);
}

template <class T>
Rows SmoothCpu<T>::whole_columns(const SmoothBlock& block) const {
  const int first = std::clamp(s_.anchor.x, block.first, block.end);
  return {first, std::clamp(image_.size.width - s_.width + 1 + s_.anchor.x, first, block.end)};
}
template <class T>
Rows SmoothCpu<T>::read_columns(const SmoothBlock& block) const {
  return {std::max(0, block.first - s_.anchor.x),
          std::min(image_.size.width, block.end + s_.width - 1 - s_.anchor.x)};
}

template <class T>
int SmoothCpu<T>::block_columns() const {
  const int bytes = way_ == Way::sums16 ? 2 : way_ == Way::sums32 ? 4 : int{sizeof(T)};
  const long long row = kKeptBytes / (1LL * (s_.height + kRowsAtOnce) * bytes);
  return static_cast<int>(std::max(row / image_.size.channels / 64 * 64, 4LL * s_.width + 256));
}

/// Steps for a finished row that both kinds of blocks share.
template <class T>
struct BlockRows {
  const SmoothBlock& block;
  const typename SmoothCpu<T>::Fetch& fetch;
  const MutablePiece& out;
  int channels;
  T* buffers;  ///< kRowsAtOnce + 1 rows of `step` samples
  long long step;

  T* open(int row, int which) const {
    return open_row(out, block.plane, row, block.first, buffers + which * step);
  }
  const T* source(int row) const {
    return fetch(row, block.first, block.columns(), buffers + kRowsAtOnce * step);
  }
  void keep(int row, T* made) const {
    std::copy_n(source(row), 1LL * block.columns() * channels, made);
  }
  void finish(int row, T* made) const {
    if (channels % 2 == 0) {
      const T* from = source(row);
      for (long long x = channels - 1; x < 1LL * block.columns() * channels; x += channels)
        made[x] = from[x];
    }
    put_row(out, block.plane, row, block.first, block.columns(), made);
  }
};

/// Weights that are a product: sums along rows are kept in a ring, and output rows are made from
/// them.
template <class T>
template <class Sum>
struct SmoothCpu<T>::SumBlock {
  const SmoothCpu& smooth;
  const SmoothRows<T, Sum>& functions;
  const SmoothBlock& block;
  const Fetch& fetch;
  BlockRows<T> rows;
  Rows whole, read;
  Sum* ring;
  long long ring_step;
  T* input;
  std::vector<const Sum*> taps{};
  int slots = 0, made = 0;

  Sum* slot(int row) const { return ring + row % slots * ring_step; }

  template <class Work>
  void for_edge_columns(Work work) const {
    for (int x = block.first; x < whole.first; ++x) work(x);
    for (int x = whole.end; x < block.end; ++x) work(x);
  }

  void make_sums(int row) const {
    const int channels = rows.channels;
    const Smoothing& s = smooth.s_;
    const T* in = fetch(row, read.first, read.count(), input);
    Sum* sums = slot(row);
    functions.across({s.across.data(), s.width, channels},
                     in + 1LL * (whole.first - s.anchor.x - read.first) * channels,
                     1LL * whole.count() * channels,
                     sums + 1LL * (whole.first - block.first) * channels);
    for_edge_columns([&](int x) {
      const Rows inside = smooth.across_inside(x);
      for (int c = 0; c < channels; ++c) {
        std::uint32_t sum = 0;
        for (int i = inside.first; i < inside.end; ++i)
          sum += static_cast<std::uint32_t>(s.across[static_cast<std::size_t>(i)]) *
                 in[1LL * (x + i - s.anchor.x - read.first) * channels + c];
        sums[1LL * (x - block.first) * channels + c] = static_cast<Sum>(sum);
      }
    });
  }
  void make_sums_until(int end) {
    for (; made < end; ++made) make_sums(made);
  }

  /// Columns whose divisor differs from that of the rest of their row.
  void finish(int row, T* out) const {
    const Smoothing& s = smooth.s_;
    const Rows inside = smooth.down_inside(row);
    const long long down = smooth.down_total(row);
    const int channels = rows.channels;
    for_edge_columns([&](int x) {
      const long long total = smooth.across_total(x) * down;
      const T* itself = total > 0 ? nullptr : rows.source(row);
      for (int c = 0; c < channels; ++c) {
        const long long place = 1LL * (x - block.first) * channels + c;
        long long sum = 0;
        for (int j = inside.first; j < inside.end; ++j)
          sum += static_cast<long long>(s.down[static_cast<std::size_t>(j)]) *
                 slot(row + j - s.anchor.y)[place];
        out[place] = divide_plainly<T>(sum, total, itself ? itself[place] : T{});
      }
    });
    rows.finish(row, out);
  }

  void one_row(int row) {
    const Smoothing& s = smooth.s_;
    const Rows inside = smooth.down_inside(row);
    make_sums_until(row - s.anchor.y + inside.end);
    T* out = rows.open(row, 0);
    const long long across = std::accumulate(s.across.begin(), s.across.end(), 0LL);
    const long long total = across * smooth.down_total(row);
    if (total == 0) {
      rows.keep(row, out);
    } else {
      for (int j = inside.first; j < inside.end; ++j)
        taps[static_cast<std::size_t>(j - inside.first)] = slot(row + j - s.anchor.y);
      const bool all = inside.count() == s.height;
      functions.down({taps.data(), s.down.data() + inside.first, inside.count(),
                      all ? smooth.whole_ : smooth.division(total)},
                     1LL * block.columns() * rows.channels, out);
    }
    finish(row, out);
  }

  void four_rows(int row) {
    const Smoothing& s = smooth.s_;
    const int first = row - s.anchor.y, used = s.height + kRowsAtOnce - 1;
    make_sums_until(first + used);
    for (int k = 0; k < used; ++k) taps[static_cast<std::size_t>(k)] = slot(first + k);
    std::array<T*, kRowsAtOnce> out{};
    for (int k = 0; k < kRowsAtOnce; ++k) out[static_cast<std::size_t>(k)] = rows.open(row + k, k);
    functions.four_down({taps.data(), s.down.data(), s.height, smooth.whole_},
                        1LL * block.columns() * rows.channels, out.data());
    for (int k = 0; k < kRowsAtOnce; ++k) finish(row + k, out[static_cast<std::size_t>(k)]);
  }

  bool can_make_four(int row) const {
    const Smoothing& s = smooth.s_;
    const Rows all{0, s.height};
    return functions.four_down && four_rows_fit(s.down.data(), s.height) &&
           row + kRowsAtOnce <= block.rows.end && smooth.down_inside(row) == all &&
           smooth.down_inside(row + kRowsAtOnce - 1) == all;
  }

  void run() {
    made = std::max(0, block.rows.first - smooth.s_.anchor.y);
    for (int row = block.rows.first; row < block.rows.end;) {
      const bool four = can_make_four(row);
      four ? four_rows(row) : one_row(row);
      row += four ? kRowsAtOnce : 1;
    }
  }
};

/// Any weights: pixels are kept in a ring, and every output sample is summed separately.
template <class T>
struct SmoothCpu<T>::WeightBlock {
  const SmoothCpu& smooth;
  const SmoothBlock& block;
  const Fetch& fetch;
  BlockRows<T> rows;
  Rows whole, read;
  T* ring;
  long long ring_step;
  std::vector<const T*> kept{}, taps{};
  int made = 0;

  const T* pixels(int row) const { return kept[static_cast<std::size_t>(row % smooth.s_.height)]; }

  T plain_value(int row, Rows down, int x, int c) const {
    const Smoothing& s = smooth.s_;
    const Rows inside = smooth.across_inside(x);
    const auto place = [&](int column) { return 1LL * (column - read.first) * rows.channels + c; };
    long long sum = 0, total = 0;
    for (int j = down.first; j < down.end; ++j)
      for (int i = inside.first; i < inside.end; ++i) {
        const long long weight = s.weights[static_cast<std::size_t>(j * s.width + i)];
        sum += weight * pixels(row + j - s.anchor.y)[place(x + i - s.anchor.x)];
        total += weight;
      }
    // The pixel itself may lie outside the weights' rows, and only those are kept.
    return divide_plainly<T>(sum, total, total > 0 ? T{} : fetch(row, x, 1, rows.buffers)[c]);
  }

  void one_row(int row) {
    const Smoothing& s = smooth.s_;
    const Rows down = smooth.down_inside(row);
    for (; made < row - s.anchor.y + down.end; ++made)
      kept[static_cast<std::size_t>(made % s.height)] =
          fetch(made, read.first, read.count(), ring + made % s.height * ring_step);
    T* out = rows.open(row, 1);
    const bool in_lanes = weigh_in_lanes(row, down, out);
    for (int x = block.first; x < block.end; ++x) {
      if (in_lanes && whole.contains(x)) continue;
      for (int c = 0; c < rows.channels; ++c)
        out[1LL * (x - block.first) * rows.channels + c] = plain_value(row, down, x, c);
    }
    rows.finish(row, out);
  }

  /// The columns with all weights inside, if their sums fit 32 bits.
  bool weigh_in_lanes(int row, Rows down, T* out) {
    const Smoothing& s = smooth.s_;
    const int* weights = s.weights.data() + 1LL * down.first * s.width;
    const int* end = s.weights.data() + 1LL * down.end * s.width;
    const auto size = [](long long sum, int w) {
      return sum + std::abs(static_cast<long long>(w));
    };
    const long long sizes = std::accumulate(weights, end, 0LL, size);
    const int largest = static_cast<T>(~0);
    const ExactDivision division = division_of_32(std::accumulate(weights, end, 0LL), largest);
    if (division.way == ExactDivision::Way::none ||
        division_of_32(sizes, largest).way == ExactDivision::Way::none)
      return false;
    for (int j = down.first; j < down.end; ++j)
      taps[static_cast<std::size_t>(j - down.first)] =
          pixels(row + j - s.anchor.y) +
          1LL * (whole.first - s.anchor.x - read.first) * rows.channels;
    smooth.rows_.weigh({taps.data(), weights, s.width, down.count(), rows.channels, division},
                       1LL * whole.count() * rows.channels,
                       out + 1LL * (whole.first - block.first) * rows.channels);
    return true;
  }

  void run() {
    made = std::max(0, block.rows.first - smooth.s_.anchor.y);
    for (int row = block.rows.first; row < block.rows.end; ++row) one_row(row);
  }
};

template <class T>
void SmoothCpu<T>::run(const SmoothBlock& block, const Fetch& fetch,
                       const MutablePiece& out) const {
  const Rows read = read_columns(block);
  const int channels = image_.size.channels;
  const long long step = row_step(1LL * read.count() * channels + kLine, sizeof(T));
  const std::size_t bytes = static_cast<std::size_t>(step) * sizeof(T);
  const Scratch memory = host_scratch(bytes * (kRowsAtOnce + 2));
  const BlockRows<T> rows{block, fetch, out, channels, memory.as<T>() + step, step};
  const auto run_sums = [&]<class Sum>(const SmoothRows<T, Sum>& functions) {
    const int slots = s_.height + kRowsAtOnce;
    const long long ring_step = row_step(1LL * block.columns() * channels, sizeof(Sum));
    const Scratch ring = host_scratch(static_cast<std::size_t>(slots) *
                                      static_cast<std::size_t>(ring_step) * sizeof(Sum));
    SumBlock<Sum> sums{*this, functions,      block,     fetch,         rows, whole_columns(block),
                       read,  ring.as<Sum>(), ring_step, memory.as<T>()};
    sums.slots = slots;
    sums.taps.resize(static_cast<std::size_t>(slots));
    sums.run();
  };
  if (way_ == Way::sums16) return run_sums(rows_.smooth16);
  if (way_ == Way::sums32) return run_sums(rows_.smooth32);
  const Scratch ring = host_scratch(bytes * static_cast<std::size_t>(s_.height));
  WeightBlock weights{*this, block, fetch, rows, whole_columns(block), read, ring.as<T>(), step};
  weights.kept.resize(static_cast<std::size_t>(s_.height));
  weights.taps.resize(static_cast<std::size_t>(s_.height));
  weights.run();
}

template class SmoothCpu<std::uint8_t>;
template class SmoothCpu<std::uint16_t>;

}  // namespace tessera
