// SPDX-License-Identifier: Apache-2.0
// Sums of boxes, once per SIMD target. Nothing is ever subtracted: a box is the sum of its own
// pixels only, so NaN and infinity reach exactly as far as the box, a bright pixel leaves no trace
// outside of it, and where a strip or a thread begins changes no bit.
//
// Down the columns (van Herk, Gil and Werman): of every run of filter_height rows the sums of its
// tails are kept; a box is the tail of one run and the head of the next, which grows row by row.
// Along the rows: windows of m columns make those of 2m, or 2m + 1, as the binary digits of the
// filter's width say.
#include "ops/convolve/cpu/convolve_running_cpu.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/convolve/cpu/convolve_running_simd.cpp"
#include <hwy/foreach_target.h>

#include <bit>
#include <limits>

#include "core/stop.hpp"
#include "ops/convolve/cpu/convolve_rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

/// A pixel as it is added: those of f64 images with their weight, so that sums do not overflow
/// where results fit. Others are summed exactly, or with more digits than they have.
template <class T, class In>
HWY_INLINE T summand(In pixel, double weight) {
  if constexpr (std::is_same_v<In, double>)
    return weight * pixel;
  else
    return static_cast<T>(pixel);
}

/// The same for a vector of pixels.
template <class D, class In>
HWY_INLINE hn::Vec<D> load_summands(D d, const In* from, double weight) {
  using T = hn::TFromD<D>;
  if constexpr (std::is_same_v<In, double>)
    return hn::Mul(hn::Set(d, weight), hn::LoadU(d, from));
  else if constexpr (std::is_same_v<In, float> || std::is_integral_v<T>)
    return hn::PromoteTo(d, hn::LoadU(hn::Rebind<In, D>(), from));
  else
    return hn::PromoteTo(d,
                         hn::PromoteTo(hn::Rebind<int, D>(), hn::LoadU(hn::Rebind<In, D>(), from)));
}

/// The sums that one row of pixels is added to: after = before + pixels and, if kAll, all = tails +
/// after.
template <class T, bool kAll>
struct ColumnSums {
  const T* before;
  T* after;
  const T* tails;
  T* all;

  HWY_INLINE void add(long long k, T pixel) const {
    after[k] = static_cast<T>(before[k] + pixel);
    if constexpr (kAll) all[k] = static_cast<T>(tails[k] + after[k]);
  }
  template <class D>
  HWY_INLINE void add_vector(D d, long long k, hn::Vec<D> pixels) const {
    const auto sum = hn::Add(hn::LoadU(d, before + k), pixels);
    hn::StoreU(sum, d, after + k);
    if constexpr (kAll) hn::StoreU(hn::Add(hn::LoadU(d, tails + k), sum), d, all + k);
  }
};

/// Adds the held columns of needed row r.
template <class In, class T, bool kAll>
void add_row(const RunningBlock& b, int r, const ColumnSums<T, kAll> sums) {
  const hn::ScalableTag<T> d;
  const long long lanes = static_cast<long long>(hn::Lanes(d));
  const int channels = b.problem->image.size.channels;
  const long long samples = 1LL * b.held_columns * channels;
  const double weight = b.box.weight;
  if (!b.in_rows[r]) {
    for (long long k = 0; k < samples; ++k) sums.add(k, static_cast<T>(b.box.outside));
    return;
  }
  const In* pixels = reinterpret_cast<const In*>(b.in_rows[r]) + b.held_first * b.in_pixel;
  if (b.in_pixel == channels) {
    long long k = 0;
    for (; k + lanes <= samples; k += lanes)
      sums.add_vector(d, k, load_summands(d, pixels + k, weight));
    for (; k < samples; ++k) sums.add(k, summand<T>(pixels[k], weight));
  } else {
    for (int x = 0; x < b.held_columns; ++x)
      for (int c = 0; c < channels; ++c)
        sums.add(1LL * x * channels + c, summand<T>(pixels[x * b.in_pixel + c], weight));
  }
}

/// Sums of the tails of the run that ends with needed row `end`, for its rows [first, last).
template <class In, class T>
void sum_tails(const RunningBlock& b, int first, int last, int end) {
  const T* before = static_cast<const T*>(b.zeros);
  for (int r = end - 1; r >= first; --r) {
    T* after =
        r < last ? static_cast<T*>(b.tails) + (r - first) * b.step : static_cast<T*>(b.heads);
    add_row<In, T, false>(b, r, {before, after, nullptr, nullptr});
    before = after;
  }
}

/// Windows of filter_width columns: each is the sum of up to three numbers, two windows of half the
/// width and, if that is odd, one column. So the last digit of the width takes no pass of its own.
template <class T>
struct Windows {
  const T* half;     ///< windows of half the width
  const T* columns;  ///< sums of single columns
  long long step;    ///< samples from one half to the next
  int terms;         ///< 1: the width is 1, and `half` has the sums

  HWY_INLINE T at(long long k) const {
    T sum = half[k];
    if (terms > 1) sum = static_cast<T>(sum + half[k + step]);
    if (terms > 2) sum = static_cast<T>(sum + columns[k + 2 * step]);
    return sum;
  }
  template <class D>
  HWY_INLINE hn::Vec<D> load(D d, long long k) const {
    auto sum = hn::LoadU(d, half + k);
    if (terms > 1) sum = hn::Add(sum, hn::LoadU(d, half + k + step));
    if (terms > 2) sum = hn::Add(sum, hn::LoadU(d, columns + k + 2 * step));
    return sum;
  }
};

/// From sums of single columns, digit by digit of the width.
template <class T>
Windows<T> find_windows(const RunningBlock& b, const T* columns) {
  const hn::ScalableTag<T> d;
  const long long lanes = static_cast<long long>(hn::Lanes(d));
  const long long channels = b.problem->image.size.channels;
  const unsigned width = static_cast<unsigned>(b.problem->filter_width);
  T* made = static_cast<T*>(b.windows);
  Windows<T> now{columns, columns, 0, 1};
  for (unsigned bits = static_cast<unsigned>(std::bit_width(width)) - 1; bits > 0; --bits) {
    const unsigned half = width >> bits, next = width >> (bits - 1);
    if (now.terms > 1) {
      // In place: a vector's windows are read before they are replaced, and none is read again.
      const Windows<T> from = now;
      const long long samples = (b.columns + static_cast<long long>(width - half)) * channels;
      for (long long k = 0; k < samples; k += lanes) hn::StoreU(from.load(d, k), d, made + k);
      now.half = made;
    }
    now.step = half * channels;
    now.terms = next % 2 == 0 ? 2 : 3;
  }
  return now;
}

/// Windows as doubles, or whole ones as floats.
template <class D, class T>
HWY_INLINE hn::Vec<D> load_windows(D d, const Windows<T>& windows, long long k) {
  if constexpr (std::is_same_v<T, double>) {
    return windows.load(d, k);
  } else {
    const hn::Rebind<int, D> whole;
    hn::Vec<decltype(whole)> sums;
    if constexpr (std::is_same_v<T, int>)
      sums = windows.load(whole, k);
    else
      sums = hn::PromoteTo(whole, windows.load(hn::Rebind<T, D>(), k));
    if constexpr (sizeof(hn::TFromD<D>) == 4)
      return hn::ConvertTo(d, sums);
    else
      return hn::PromoteTo(d, sums);
  }
}

/// Integers as `converted` makes them.
template <class Out, class D>
HWY_INLINE void store_results(D d, hn::Vec<D> results, Out* to) {
  if constexpr (std::is_same_v<Out, double>) {
    hn::StoreU(results, d, to);
  } else if constexpr (std::is_same_v<Out, float>) {
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
    // DemoteTo makes the largest float of infinity there.
    double lanes[HWY_MAX_BYTES / sizeof(double)];
    hn::StoreU(results, d, lanes);
    for (std::size_t k = 0; k < hn::Lanes(d); ++k) to[k] = static_cast<float>(lanes[k]);
#else
    const hn::Rebind<float, D> narrow;
    hn::StoreU(hn::DemoteTo(narrow, results), narrow, to);
#endif
  } else {
    const hn::Rebind<Out, D> narrow;
    const hn::Rebind<int, D> whole;
    using F = hn::TFromD<D>;
    const auto least = hn::Set(d, static_cast<F>(std::numeric_limits<Out>::min()));
    const auto most = hn::Set(d, static_cast<F>(std::numeric_limits<Out>::max()));
    const auto clamped = hn::Min(hn::Max(results, least), most);
    if constexpr (sizeof(hn::TFromD<D>) == 4)
      hn::StoreU(hn::DemoteTo(narrow, hn::NearestInt(clamped)), narrow, to);
    else
      hn::StoreU(hn::DemoteTo(narrow, hn::DemoteTo(whole, hn::Round(clamped))), narrow, to);
  }
}

/// Scales `samples` sums, in float or double (F), to contiguous results.
template <class F, class Out, class T>
void scale_windows(const RunningBlock& b, const Windows<T> windows, long long samples, Out* to) {
  const hn::ScalableTag<F> d;
  const long long lanes = static_cast<long long>(hn::Lanes(d));
  const F scale = static_cast<F>(b.box.scale);
  const auto scales = hn::Set(d, scale);
  long long k = 0;
  for (; k + lanes <= samples; k += lanes)
    store_results(d, hn::Mul(scales, load_windows(d, windows, k)), to + k);
  for (; k < samples; ++k) to[k] = converted<Out>(scale * static_cast<F>(windows.at(k)));
}

/// Means of an odd number n of u8 pixels without leaving 16 bits: (sum + n/2) / n, rounded down, is
/// (sum + n/2) * times >> (16 + shift) if times, 2^(16 + shift) / n rounded up, is less than
/// 2^16 and its error, times the largest sum, less than 1/n. False if there is no such factor.
inline bool store_means(const RunningBlock& b, const Windows<unsigned short> windows,
                        long long samples, unsigned char* to) {
  const unsigned n = static_cast<unsigned>(b.box.mean_of), half = n / 2, most = 255 * n + half;
  if (n < 3 || n != b.problem->weights.size() || most > 65535) return false;
  int shift = 0;
  while ((2ULL << (16 + shift)) <= 65535ULL * n) ++shift;
  if (1ULL * most * n >= 1ULL << (16 + shift)) return false;
  const unsigned times = ((1U << (16 + shift)) + n - 1) / n;
  const hn::ScalableTag<unsigned short> d;
  const hn::Rebind<unsigned char, decltype(d)> narrow;
  const long long lanes = static_cast<long long>(hn::Lanes(d));
  const auto halves = hn::Set(d, static_cast<unsigned short>(half));
  const auto factors = hn::Set(d, static_cast<unsigned short>(times));
  long long k = 0;
  for (; k + lanes <= samples; k += lanes) {
    const auto means = hn::MulHigh(hn::Add(windows.load(d, k), halves), factors);
    const auto bytes =
        hn::BitCast(hn::RebindToSigned<decltype(d)>(), hn::ShiftRightSame(means, shift));
    hn::StoreU(hn::DemoteTo(narrow, bytes), narrow, to + k);
  }
  for (; k < samples; ++k)
    to[k] = static_cast<unsigned char>((windows.at(k) + half) * times >> (16 + shift));
  return true;
}

/// Writes output row y of the block.
template <class Out, class T>
void store_windows(const RunningBlock& b, int y, const Windows<T>& windows) {
  const int channels = b.problem->image.size.channels;
  const long long samples = 1LL * b.columns * channels;
  Out* to = output_row<Out>(b, y);
  if (b.out_pixel == channels && !b.prefix) {
    if constexpr (std::is_same_v<Out, unsigned char> && std::is_same_v<T, unsigned short>)
      if (store_means(b, windows, samples, to)) return;
    if constexpr (std::is_integral_v<Out> && std::is_integral_v<T>)
      if (b.box.single) return scale_windows<float>(b, windows, samples, to);
    return scale_windows<double>(b, windows, samples, to);
  }
  double* results = static_cast<double*>(b.sums);
  scale_windows<double>(b, windows, samples, results);
  if (b.prefix)
    apply_inside(*b.problem, b.prefix, b.out_first_row + y, b.first_column, b.columns, channels,
                 results);
  store_samples(results, b.columns, channels, to, b.out_pixel);
}

/// Output row y from the sums of its columns, to which the border adds those on both sides.
template <class Out, class T>
void make_row(const RunningBlock& b, int y, const T* columns) {
  const ConvolveProblem& p = *b.problem;
  const int channels = p.image.size.channels, width = p.image.size.width;
  const int first = b.first_column - p.anchor.x, end = first + b.columns + p.filter_width - 1;
  const T outside = static_cast<T>(p.filter_height * b.box.outside);
  const T* row = columns - 1LL * b.held_first * channels;
  T* padded = static_cast<T*>(b.padded);
  if (padded + 1LL * (b.held_first - first) * channels == columns) {
    load_outside(row, channels, width, channels, p.border, outside, first, b.held_first, padded);
    const int held_end = b.held_first + b.held_columns;
    load_outside(row, channels, width, channels, p.border, outside, held_end, end,
                 padded + 1LL * (held_end - first) * channels);
  } else {
    load_padded(row, channels, width, channels, p.border, outside, first, end - first, padded);
  }
  store_windows<Out>(b, y, find_windows(b, static_cast<const T*>(padded)));
}

/// Sums of the columns of kHeight needed rows from r on, whose samples are contiguous.
template <int kHeight, class In, class T>
void sum_columns(const RunningBlock& b, int r, T* to) {
  const hn::ScalableTag<T> d;
  const long long lanes = static_cast<long long>(hn::Lanes(d));
  const long long samples = 1LL * b.held_columns * b.problem->image.size.channels;
  const In* rows[kHeight];
  for (int j = 0; j < kHeight; ++j)
    rows[j] = reinterpret_cast<const In*>(b.in_rows[r + j]) + b.held_first * b.in_pixel;
  long long k = 0;
  for (; k + lanes <= samples; k += lanes) {
    auto sum = load_summands(d, rows[0] + k, 1);
    for (int j = 1; j < kHeight; ++j) sum = hn::Add(sum, load_summands(d, rows[j] + k, 1));
    hn::StoreU(sum, d, to + k);
  }
  for (; k < samples; ++k) {
    T sum = 0;
    for (int j = 0; j < kHeight; ++j) sum = static_cast<T>(sum + rows[j][k]);
    to[k] = sum;
  }
}

/// Boxes of 3 or 5 rows of whole numbers: adding their rows takes less time than heads and tails,
/// which go through memory. False if the block needs more than that.
template <class In, class T, class Out>
bool run_low_rows(const RunningBlock& b) {
  const int height = b.problem->filter_height, needed = b.rows + height - 1;
  if ((height != 3 && height != 5) || b.in_pixel != b.problem->image.size.channels) return false;
  for (int r = 0; r < needed; ++r)
    if (!b.in_rows[r]) return false;
  T* columns = static_cast<T*>(b.column_sums);
  for (int y = 0; y < b.rows; ++y) {
    poll_stop();
    height == 3 ? sum_columns<3, In>(b, y, columns) : sum_columns<5, In>(b, y, columns);
    make_row<Out, T>(b, y, columns);
  }
  return true;
}

template <class In, class T, class Out>
void run_rows(const RunningBlock& b) {
  if constexpr (std::is_integral_v<T>)
    if (run_low_rows<In, T, Out>(b)) return;
  const int height = b.problem->filter_height;
  T* heads = static_cast<T*>(b.heads);
  T* columns = static_cast<T*>(b.column_sums);
  int end = 0;  // of the run, counted from the block's first row
  for (int y = 0; y < b.rows;) {
    end = y + height - (b.out_first_row + y) % height;
    const int first = y, last = HWY_MIN(end, b.rows);
    sum_tails<In, T>(b, first, last, end);
    // The head of a block's first run may begin before the block.
    const T* before = static_cast<const T*>(b.zeros);
    for (int r = end; r < first + height - 1; ++r) {
      add_row<In, T, false>(b, r, {before, heads, nullptr, nullptr});
      before = heads;
    }
    for (; y < last; ++y) {
      poll_stop();
      const T* tails = static_cast<const T*>(b.tails) + (y - first) * b.step;
      const int newest = y + height - 1;
      if (newest < end) {
        make_row<Out>(b, y, tails);
        continue;
      }
      add_row<In, T, true>(b, newest, {before, heads, tails, columns});
      before = heads;
      make_row<Out, T>(b, y, columns);
    }
  }
}

template <class In, class T, class Out>
void running_block(const ConvolveBlock& block) {
  const auto& b = static_cast<const RunningBlock&>(block);
  if constexpr (std::is_same_v<In, unsigned char>)
    if (b.box.type == BoxSumType::u16) return run_rows<In, unsigned short, Out>(b);
  if constexpr (std::is_integral_v<In>)
    if (b.box.type == BoxSumType::i32) return run_rows<In, int, Out>(b);
  run_rows<In, double, Out>(b);
}

TESSERA_BLOCK_OF_TYPES(running_block, double)

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {
HWY_EXPORT(running_block_double);

ConvolveBlockFunction running_block_function() {
  return HWY_DYNAMIC_DISPATCH(running_block_double);
}
}  // namespace tessera
#endif
