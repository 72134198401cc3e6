// SPDX-License-Identifier: Apache-2.0
// The arithmetic of adaptive equalisation, for host and device: integers, and doubles and floats
// whose operations and order are scikit-image's. Contraction is off everywhere, so these lines give
// the same bits wherever they run.
#pragma once

#include "tessera/view.hpp"

namespace tessera {

/// Grey levels of the tiles' curves, and of the image before it is stretched to its full range.
inline constexpr int kClaheLevels = 1 << 14;
inline constexpr int kClaheMost = kClaheLevels - 1;
/// A tile's histogram has 256 bins of 65 levels, so the last three stay empty until the clipped
/// counts are handed out.
inline constexpr int kClaheBins = 256;
inline constexpr int kClaheBinLevels = 1 + kClaheLevels / kClaheBins;

/// One side of the image: `tiles` tiles of `kernel` pixels. The last tile may reach past the edge;
/// there it sees the reflected image; the edge pixel is not repeated.
struct ClaheAxis {
  int side, kernel, tiles;
};
TESSERA_BOTH constexpr ClaheAxis clahe_axis(int side, int wanted) {
  const int kernel = side / wanted > 1 ? side / wanted : 1;
  return {side, kernel, (side - 1) / kernel + 1};
}

/// Block `block` lies between the centres of tiles `block - 1` and `block`; at the edges only the
/// one inside the image is used. The weight of a tile's curve depends on how close the pixel is to
/// its centre.
TESSERA_BOTH constexpr int clahe_block(const ClaheAxis& a, int x) {
  return static_cast<int>((x + static_cast<long long>(a.kernel / 2)) / a.kernel);
}
TESSERA_BOTH constexpr int clahe_offset(const ClaheAxis& a, int x) {
  return static_cast<int>((x + static_cast<long long>(a.kernel / 2)) % a.kernel);
}
TESSERA_BOTH constexpr long long clahe_block_start(const ClaheAxis& a, int block) {
  return static_cast<long long>(block) * a.kernel - a.kernel / 2;
}
TESSERA_BOTH constexpr int clahe_tile_before(int block) { return block > 0 ? block - 1 : 0; }
TESSERA_BOTH constexpr int clahe_tile_after(const ClaheAxis& a, int block) {
  return block < a.tiles ? block : a.tiles - 1;
}
TESSERA_BOTH constexpr double clahe_weight_after(const ClaheAxis& a, int offset) {
  return static_cast<double>(offset) / a.kernel;
}

/// The bin of a value in an image whose values range from `low` to `high`, which differ: its level
/// is rounded to nearest even.
TESSERA_BOTH constexpr int clahe_bin(int value, int low, int high) {
  const double level = static_cast<double>(value - low) / (high - low) * kClaheMost;
  const int whole = static_cast<int>(level);
  const double rest = level - whole;
  return (whole + (rest > 0.5 || (rest == 0.5 && whole % 2 == 1) ? 1 : 0)) / kClaheBinLevels;
}

/// The curve of a tile of `samples` samples, at a bin with this many samples in it and below.
TESSERA_BOTH constexpr unsigned short clahe_curve(unsigned long long count,
                                                  unsigned long long samples) {
  const double level =
      static_cast<double>(count) * (static_cast<double>(kClaheMost) / static_cast<double>(samples));
  return static_cast<unsigned short>(level < kClaheMost ? level : kClaheMost);
}

/// The level of a pixel from the curves of the four tiles around it; x and y: the weights of those
/// to the left and right, above and below.
TESSERA_BOTH constexpr int clahe_level(float left_above, float right_above, float left_below,
                                       float right_below, double left, double right, double above,
                                       double below) {
  float sum = static_cast<float>(left_above * (left * above));
  sum = sum + static_cast<float>(right_above * (right * above));
  sum = sum + static_cast<float>(left_below * (left * below));
  sum = sum + static_cast<float>(right_below * (right * below));
  return static_cast<int>(sum);
}

/// The last stretch: levels from `low` to `high` become 0 to `most`. If all levels are equal, the
/// result is black or white.
TESSERA_BOTH constexpr int clahe_stretched(int level, int low, int high, int most) {
  if (low == high) return level > 0 ? most : 0;
  const int range = high - low;
  return ((level - low) * most + range / 2) / range;  // below 2^30 + 2^13
}

}  // namespace tessera
