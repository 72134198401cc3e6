// SPDX-License-Identifier: Apache-2.0
// Arguments of the rungs of the ladder of noise, on the CPU and on the GPU: packed images of floats
// without blanks, the box, and the bins of rungs that count.
#pragma once

#include "ops/noise/noise_values.cuh"

namespace tessera {

inline constexpr int kBoxStudyBins = 1024;
inline constexpr int kBoxStudyGroup = 32;  ///< bins whose sums are counted too
inline constexpr int kBoxStudyGroups = kBoxStudyBins / kBoxStudyGroup;
inline constexpr int kBoxStudyThreads = 128;
inline constexpr int kBoxStudyRows = kBoxStudyThreads / 32;  ///< of a block, one warp per row
inline constexpr int kBoxStudyRun = 128;                     ///< results of a warp, side by side
inline constexpr int kBoxStudyCounts = kBoxStudyBins + kBoxStudyGroups;  ///< of one histogram
inline constexpr double kBoxStudyDivisor = 1.34896;                      ///< as in the talk

struct BoxStudyArgs {
  const float* given;
  float *background, *rms;
  float* room;  ///< for sorting on the GPU: value k of all pixels side by side
  int width, height;
  int left, right, above, below;  ///< the extent of the box
  Rows made;
  NoiseBins bins;
};

/// 0.25, 0.5, 0.75
TESSERA_BOTH constexpr double quarter(int k) { return 0.25 * (k + 1); }

/// The part of a pixel's box that lies in the image.
struct ClippedBox {
  int left, top, right, bottom;
  TESSERA_BOTH int width() const { return right - left; }
  TESSERA_BOTH int values() const { return (right - left) * (bottom - top); }
};
TESSERA_BOTH inline ClippedBox clipped_box(const BoxStudyArgs& a, int x, int y) {
  return {x < a.left ? 0 : x - a.left, y < a.above ? 0 : y - a.above,
          x + a.right < a.width ? x + a.right + 1 : a.width,
          y + a.below < a.height ? y + a.below + 1 : a.height};
}

TESSERA_BOTH inline const float* given_at(const BoxStudyArgs& a, int x, int y) {
  return a.given + 1LL * y * a.width + x;
}
TESSERA_BOTH inline int bin_at(const BoxStudyArgs& a, int x, int y) {
  return a.bins.of(*given_at(a, x, y));
}

TESSERA_BOTH inline void put_background(const BoxStudyArgs& a, int x, int y, double median) {
  a.background[1LL * y * a.width + x] = static_cast<float>(median);
}
TESSERA_BOTH inline void put_rms(const BoxStudyArgs& a, int x, int y, double first, double third) {
  a.rms[1LL * y * a.width + x] = static_cast<float>((third - first) / kBoxStudyDivisor);
}

/// A quantile of n sorted values.
template <class Values>
TESSERA_BOTH double sorted_quantile(const Values& values, int n, double order) {
  const QuantilePlace at = quantile_place(order, n);
  const int next = at.index + 1 < n ? at.index + 1 : at.index;
  return between(values[at.index], values[next], at.fraction);
}

/// A quantile of n counted values: bins from `bin` on, with `before` of the values below it.
TESSERA_BOTH inline double counted_quantile(const BoxStudyArgs& a, const int* counts, int n,
                                            double order, int bin = 0, int before = 0) {
  const double h = order * (n - 1);
  const int index = static_cast<int>(h);
  for (; before + counts[bin] <= index; ++bin) before += counts[bin];
  return a.bins.quantile(bin, h, before, counts[bin]);
}

}  // namespace tessera
