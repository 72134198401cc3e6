// SPDX-License-Identifier: Apache-2.0
// A curve and separable smoothing of 8-bit pixels of one channel, two sums per word.
//
// A warp makes a strip of a column of 240 pixels, row after row: each lane has 8 pixels of a row;
// those of the first and last lane only serve their neighbours. Sums along the last rows stay in
// registers, and so do the next rows while they are loaded. No barrier is needed, and rows may
// begin at any byte: pixels are shifted into place when they are read and when they are written.
// Strips at the image's edges have their own loop.
#pragma once

#include "ops/enhance/cuda/enhance_packed_args.cuh"

namespace tessera {

/// Eight pixels as stored, in the words that they begin and end in.
struct RawPixels {
  unsigned words[3];
};

/// Values that do not change from row to row. Lane 1 has the column's first pixels.
struct PackedColumn {
  int first;          ///< the column's first pixel
  int x;              ///< the lane's first pixel
  bool cut;           ///< the warp reads pixels outside the image
  bool slow;          ///< not all weights of the lane's pixels are inside the image
  bool starts, ends;  ///< the image's first column, its last
  bool whole;         ///< all pixels it writes are inside the image
};

__device__ inline PackedColumn packed_column(const PackedSmoothArgs& a, int column, int lane,
                                             int right) {
  PackedColumn c{};
  c.first = column * kPackedColumn;
  c.x = c.first + 8 * (lane - 1);
  c.cut = !is_inside(c.first, a.width);
  c.slow = c.x < a.anchor_x || c.x + 7 + right >= a.width;
  c.starts = column == 0;
  c.ends = c.first + kPackedColumn >= a.width;
  c.whole = !c.starts && c.first + kPackedColumn + 4 <= a.width;
  return c;
}

/// A word some of whose bytes may lie outside the row's pixels: those are set to 0.
__device__ inline unsigned word_beside(const unsigned char* word, const unsigned char* row,
                                       int width) {
  const unsigned char* end = row + width;
  if (word >= row && word + 4 <= end) return *reinterpret_cast<const unsigned*>(word);
  unsigned bytes = 0;
  if (word + 4 > row && word < end) {
#pragma unroll
    for (int k = 0; k < 4; ++k)
      if (word + k >= row && word + k < end) bytes |= word[k] << (8 * k);
  }
  return bytes;
}

/// The lane's pixels of row y, which are at `from`. `kInside`: all rows up to `end` are available,
/// and all pixels are inside the image.
template <bool kInside>
__device__ inline RawPixels load_pixels(const PackedSmoothArgs& a, const PackedColumn& c, int y,
                                        int end) {
  RawPixels raw{};
  if (y >= end || (!kInside && !a.held.contains(y))) return raw;
  const unsigned char* row = a.in + (y - a.held.first) * a.in_row;
  const unsigned char* from = row + c.x;
  const unsigned char* word = from - reinterpret_cast<unsigned long long>(from) % 4;
#pragma unroll
  for (int k = 0; k < 3; ++k)
    raw.words[k] = !kInside && c.cut ? word_beside(word + 4 * k, row, a.width)
                                     : *reinterpret_cast<const unsigned*>(word + 4 * k);
  return raw;
}

/// P(k) is a pair of pixels in the halves of a word, k and k + 2; pixels are counted from the
/// lane's first. Pairs of the two neighbouring lanes are needed: k goes from -4 to 9.
struct PixelPairs {
  unsigned p[14];
  __device__ unsigned& at(int k) { return p[k + 4]; }
  __device__ unsigned at(int k) const { return p[k + 4]; }
};

__device__ inline unsigned looked_up(const unsigned* curve, unsigned word, int byte) {
  return curve[(word >> (8 * byte) & 255) * 32];
}

/// Pixels outside the image count as 0.
__device__ inline unsigned pair_inside(unsigned pair, int x, int width) {
  if (x < 0 || x >= width) pair &= 0xFFFF0000;
  if (x + 2 < 0 || x + 2 >= width) pair &= 0x0000FFFF;
  return pair;
}

template <bool kInside>
__device__ inline PixelPairs make_pairs(const PackedSmoothArgs& a, const PackedColumn& c,
                                        const RawPixels& raw, unsigned shift,
                                        const unsigned* curve) {
  PixelPairs pairs;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const unsigned word = __funnelshift_r(raw.words[half], raw.words[half + 1], shift);
    pairs.at(4 * half) = looked_up(curve, word, 0) + looked_up(curve, word, 2) * 65536;
    pairs.at(4 * half + 1) = looked_up(curve, word, 1) + looked_up(curve, word, 3) * 65536;
  }
  if (!kInside && c.cut) {
#pragma unroll
    for (int n = 0; n < 4; ++n) {
      const int k = n / 2 * 4 + n % 2;
      pairs.at(k) = pair_inside(pairs.at(k), c.x + k, a.width);
    }
  }
  return pairs;
}

/// The neighbours' pixels, as bytes of a word.
__device__ inline void join_neighbours(PixelPairs& pairs) {
  const unsigned left = __shfl_up_sync(~0U, pairs.at(4) + pairs.at(5) * 256, 1);
  const unsigned right = __shfl_down_sync(~0U, pairs.at(0) + pairs.at(1) * 256, 1);
  pairs.at(-4) = left & 0x00FF00FF;
  pairs.at(-3) = left >> 8 & 0x00FF00FF;
  pairs.at(8) = right & 0x00FF00FF;
  pairs.at(9) = right >> 8 & 0x00FF00FF;
#pragma unroll
  for (int n = 0; n < 6; ++n) {
    const int k = n / 2 * 4 + n % 2 - 2;
    pairs.at(k) = __byte_perm(pairs.at(k - 2), pairs.at(k + 2), 0x5432);
  }
}

/// Sums of 8 pixels: of 0 and 2, 1 and 3, 4 and 6, 5 and 7.
struct PackedSums {
  unsigned v[4];
};

template <int kWidth>
__device__ inline PackedSums sums_across(const PackedSmoothArgs& a, const PixelPairs& pairs) {
  // The anchor is in the middle, so weights reach no further than the neighbours' pixels.
  constexpr int kLeft = kWidth / 2;
  PackedSums sums{};
#pragma unroll
  for (int n = 0; n < 4; ++n)
#pragma unroll
    for (int i = 0; i < kWidth; ++i)
      sums.v[n] += a.across[i] * pairs.at(n / 2 * 4 + n % 2 + i - kLeft);
  return sums;
}

__device__ inline PackedDivisor row_divisor(const PackedSmoothArgs& a, int y, int filter_height) {
  const int top = y - a.anchor_y;
  if (top >= 0 && top + filter_height <= a.height) return a.divisor;
  unsigned weights = 0;
  for (int j = 0; j < filter_height; ++j)
    if (top + j >= 0 && top + j < a.height) weights += a.down[j];
  return packed_divisor(a.across_sum, weights);
}

/// Four results as bytes of a word, from the sums of even and of odd pixels with `half` added.
__device__ inline unsigned divided(unsigned even, unsigned odd, unsigned factor) {
  const unsigned first = (even & 0xFFFF) * factor, second = (odd & 0xFFFF) * factor,
                 third = (even >> 16) * factor, fourth = (odd >> 16) * factor;
  return __byte_perm(__byte_perm(first, second, 0x0073), __byte_perm(third, fourth, 0x0073),
                     0x5410);
}

/// Half and factor for every sum of weights across, minus 1, in rows that have all weights down
/// inside.
template <PackedSmoothKnobs K>
__device__ inline void fill_side_divisors(const PackedSmoothArgs& a, uint2* divisors) {
  for (unsigned sum = threadIdx.x; sum < 256; sum += 32 * K.warps) {
    const PackedDivisor d = packed_divisor(sum + 1, a.divisor.down);
    divisors[sum] = make_uint2(d.half, d.factor);
  }
}

/// The sums, minus 1, of those weights across that are inside the image, for four pixels, as bytes.
template <int kWidth>
__device__ inline unsigned side_weights(const PackedSmoothArgs& a, int x) {
  unsigned bytes = 0;
  for (int k = 0; k < 4; ++k) {
    unsigned weights = 0;
    for (int i = 0; i < kWidth; ++i) {
      const int column = x + k + i - a.anchor_x;
      if (column >= 0 && column < a.width) weights += a.across[i];
    }
    bytes |= (weights - 1 & 255) << (8 * k);
  }
  return bytes;
}

/// The quotient at the image's sides, where weights are missing. No division: warps at the sides
/// would be the last to finish.
__device__ inline unsigned divided_at_side(const uint2* divisors, unsigned weights, unsigned even,
                                           unsigned odd, unsigned half) {
  unsigned bytes = 0;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const unsigned pair = k % 2 ? odd : even;
    const unsigned sum = (k / 2 ? pair >> 16 : pair & 0xFFFF) - half;
    const uint2 d = divisors[weights >> (8 * k) & 255];
    bytes |= (sum + d.x) * d.y >> 24 << (8 * k);
  }
  return bytes;
}

/// The same in rows where weights are missing at the image's top or bottom too.
__device__ inline unsigned divided_at_corner(const PackedSmoothArgs& a, int x, unsigned even,
                                             unsigned odd, const PackedDivisor& d,
                                             int filter_width) {
  unsigned bytes = 0;
  for (int k = 0; k < 4; ++k) {
    const unsigned pair = k % 2 ? odd : even;
    const unsigned sum = (k / 2 ? pair >> 16 : pair & 0xFFFF) - d.half;
    unsigned weights = 0;
    for (int i = 0; i < filter_width; ++i) {
      const int column = x + k + i - a.anchor_x;
      if (column >= 0 && column < a.width) weights += a.across[i];
    }
    const unsigned total = weights * d.down;
    if (total > 0) bytes |= (sum + total / 2) / total << (8 * k);  // otherwise outside the image
  }
  return bytes;
}

/// Writes a lane's 8 pixels so that they begin at multiples of 8 bytes: `shift` pixels, -3 to 4,
/// are a neighbour's. Columns at the image's edges are cut there, all others are whole. Results
/// need not stay in the caches, which hold pixels still to be read.
template <bool kInside>
__device__ inline void store_pixels(const PackedSmoothArgs& a, const PackedColumn& c, int y,
                                    int lane, unsigned low, unsigned high) {
  unsigned char* row = a.out + (y - a.made.first) * a.out_row;
  const auto address = reinterpret_cast<unsigned long long>(row + c.first);
  int shift = static_cast<int>((0 - address) % 8);
  if (shift > 4) shift -= 8;
  const bool later = shift >= 0;
  const unsigned lent = __shfl_sync(~0U, later ? low : high, later ? lane + 1 : lane - 1);
  const unsigned first = later ? low : lent, second = later ? high : low,
                 third = later ? lent : high;
  const unsigned bits = (later ? shift : shift + 4) * 8;
  const unsigned words[2] = {__funnelshift_rc(first, second, bits),
                             __funnelshift_rc(second, third, bits)};
  const int x = c.x + shift;
  if (kInside || c.whole) {
    if (lane > 0 && lane < 31)
      __stcs(reinterpret_cast<uint2*>(row + x), make_uint2(words[0], words[1]));
    return;
  }
  if ((lane == 0 && !c.starts) || (lane == 31 && !c.ends)) return;
  const int begin = c.starts ? 0 : c.first + shift, made = c.first + kPackedColumn + shift;
  const int end = c.ends || made > a.width ? a.width : made;
  if (x >= begin && x + 8 <= end) {
    __stcs(reinterpret_cast<uint2*>(row + x), make_uint2(words[0], words[1]));
  } else {
#pragma unroll
    for (int k = 0; k < 8; ++k)
      if (x + k >= begin && x + k < end)
        row[x + k] = static_cast<unsigned char>(words[k / 4] >> (k % 4 * 8));
  }
}

/// Fills the lanes' copies of the curve; a barrier must follow.
template <PackedSmoothKnobs K>
__device__ inline void spread_curve(const unsigned short* curve, unsigned* copies) {
  const int lane = static_cast<int>(threadIdx.x % 32), warp = static_cast<int>(threadIdx.x / 32);
  for (int v = warp; v < 256; v += K.warps) copies[v * 32 + lane] = curve ? curve[v] : v;
}

/// Rows being loaded: at least four, a multiple of the filter's height, so that the rings of sums
/// and of loaded rows have a common period.
TESSERA_BOTH constexpr int rows_ahead(int filter_height) {
  return filter_height >= 4 ? filter_height : (3 + filter_height) / filter_height * filter_height;
}

/// Output rows of a warp, and the rows that they read.
struct PackedStrip {
  int column, first, end, top, bottom;
};

/// Blocks at the image's sides are scheduled first.
__device__ inline PackedStrip packed_strip(const PackedSmoothArgs& a, int block, int warp,
                                           int warps, int filter_height) {
  const PackedGrid& g = a.grid;
  PackedStrip s{};
  const bool at_side = block < g.side_blocks();
  if (!at_side) block -= g.side_blocks();
  const int columns = at_side ? g.side_columns : g.inside_columns;
  const int rows = at_side ? g.side_rows : g.inside_rows;
  const int column = block % columns;
  s.column = !at_side ? column + 1 : column == 0 ? 0 : column + g.inside_columns;
  s.first = a.made.first + (block / columns * warps + warp) * rows;
  s.end = s.first + rows < a.made.end ? s.first + rows : a.made.end;
  s.top = s.first - a.anchor_y;
  s.bottom = s.end - a.anchor_y + filter_height - 1;
  return s;
}

template <int kWidth, int kHeight, bool kInside>
__device__ inline void smooth_strip(const PackedSmoothArgs& a, const PackedColumn& c,
                                    const PackedStrip& s, int lane, const unsigned* curve,
                                    const uint2* side_divisors) {
  constexpr int kAhead = rows_ahead(kHeight);
  const unsigned phase = static_cast<unsigned>(reinterpret_cast<unsigned long long>(a.in) + c.x -
                                               a.held.first * a.in_row);
  unsigned low_weights = 0, high_weights = 0;
  if (!kInside) {
    low_weights = side_weights<kWidth>(a, c.x);
    high_weights = side_weights<kWidth>(a, c.x + 4);
  }
  RawPixels next[kAhead];
#pragma unroll
  for (int k = 0; k < kAhead; ++k) next[k] = load_pixels<kInside>(a, c, s.top + k, s.bottom);
  PackedSums sums[kHeight] = {};
  for (int y = s.top; y < s.bottom; y += kAhead) {
#pragma unroll
    for (int k = 0; k < kAhead; ++k) {
      const int row = y + k;  // the row read; it completes the row that its sums are the last of
      const RawPixels raw = next[k];
      next[k] = load_pixels<kInside>(a, c, row + kAhead, s.bottom);
      PackedSums& mine = sums[k % kHeight];
      mine = {};
      if (kInside || (row < s.bottom && a.held.contains(row))) {
        const unsigned shift = (phase + static_cast<unsigned>(row * a.in_row)) % 4 * 8;
        PixelPairs pairs = make_pairs<kInside>(a, c, raw, shift, curve);
        join_neighbours(pairs);
        mine = sums_across<kWidth>(a, pairs);
      }
      const int made = row - (kHeight - 1) + a.anchor_y;
      if (made < s.first || made >= s.end) continue;
      const PackedDivisor d = kInside ? a.divisor : row_divisor(a, made, kHeight);
      PackedSums all;
#pragma unroll
      for (int n = 0; n < 4; ++n) {
        all.v[n] = d.half * 0x00010001U;
#pragma unroll
        for (int j = 0; j < kHeight; ++j) all.v[n] += a.down[j] * sums[(k + 1 + j) % kHeight].v[n];
      }
      unsigned low, high;
      if (kInside || !c.slow) {
        low = divided(all.v[0], all.v[1], d.factor);
        high = divided(all.v[2], all.v[3], d.factor);
      } else if (d.down == a.divisor.down) {
        low = divided_at_side(side_divisors, low_weights, all.v[0], all.v[1], d.half);
        high = divided_at_side(side_divisors, high_weights, all.v[2], all.v[3], d.half);
      } else {
        low = divided_at_corner(a, c.x, all.v[0], all.v[1], d, kWidth);
        high = divided_at_corner(a, c.x + 4, all.v[2], all.v[3], d, kWidth);
      }
      store_pixels<kInside>(a, c, made, lane, low, high);
    }
  }
}

template <int kWidth, int kHeight, PackedSmoothKnobs K>
__device__ void enhance_smooth_packed(const PackedSmoothArgs& a) {
  extern __shared__ __align__(16) unsigned enhance_curve[];
  auto* side_divisors = reinterpret_cast<uint2*>(enhance_curve + 256 * 32);
  spread_curve<K>(a.curve, enhance_curve);
  fill_side_divisors<K>(a, side_divisors);
  __syncthreads();
  const int lane = static_cast<int>(threadIdx.x % 32), warp = static_cast<int>(threadIdx.x / 32);
  const PackedStrip s = packed_strip(a, static_cast<int>(blockIdx.x), warp, K.warps, kHeight);
  if (s.first >= a.made.end) return;
  const PackedColumn c = packed_column(a, s.column, lane, kWidth - 1 - kWidth / 2);
  const bool inside = !c.cut && s.top >= a.held.first && s.bottom <= a.held.end && s.top >= 0 &&
                      s.bottom <= a.height;
  if (inside)
    smooth_strip<kWidth, kHeight, true>(a, c, s, lane, enhance_curve + lane, side_divisors);
  else
    smooth_strip<kWidth, kHeight, false>(a, c, s, lane, enhance_curve + lane, side_divisors);
}

}  // namespace tessera
