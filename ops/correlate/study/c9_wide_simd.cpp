// SPDX-License-Identifier: Apache-2.0
// The paper's figure 10 once per SIMD target: a vector holds as many pixels as fit, four samples
// each, and multiply-adds are one instruction where the target has them.
#include "ops/correlate/study/c9_wide.hpp"

#include "core/isa.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/correlate/study/c9_wide_simd.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// A vector of four samples, or of one if the target has no more.
using Pixel = hn::CappedTag<float, 4>;

/// Adds the products of `count` samples: whole vectors, then pixel by pixel.
template <class D, class V, class V4>
HWY_INLINE void add_row(D d, const float* src, const float* mask, int count, V& sum, V4& rest) {
  const Pixel pixel;
  const int step = static_cast<int>(hn::Lanes(d)), small = static_cast<int>(hn::Lanes(pixel));
  int k = 0;
  for (; k + step <= count; k += step)
    sum = hn::MulAdd(hn::LoadU(d, src + k), hn::LoadU(d, mask + k), sum);
  for (; k < count; k += small)
    rest = hn::MulAdd(hn::LoadU(pixel, src + k), hn::LoadU(pixel, mask + k), rest);
}

/// A row of shifts, one after the other.
template <class D>
HWY_INLINE void sum_row(D d, const float* pixels, int side, int shifts, int dy, float* map) {
  const Pixel pixel;
  for (int dx = 0; dx < shifts; ++dx) {
    auto sum = hn::Zero(d);
    auto rest = hn::Zero(pixel);
    for (int row = 0; row < side - dy; ++row)
      add_row(d, pixels + 4 * ((dy + row) * side + dx), pixels + 4 * row * side, 4 * (side - dx),
              sum, rest);
    map[dx] = hn::GetLane(hn::SumOfLanes(d, sum)) + hn::GetLane(hn::SumOfLanes(pixel, rest));
  }
}

void sums_fused(const float* pixels, int side, int shifts, int dy, float* map) {
  sum_row(Pixel(), pixels, side, shifts, dy, map);
}

void sums_wide(const float* pixels, int side, int shifts, int dy, float* map) {
  sum_row(hn::ScalableTag<float>(), pixels, side, shifts, dy, map);
}

/// Eight shifts: what they have in common with all sums in registers, then the rest of each.
HWY_INLINE void sum_eight(const float* pixels, int side, int dx, int dy, float* map) {
  const hn::ScalableTag<float> d;
  const Pixel pixel;
  const int step = static_cast<int>(hn::Lanes(d));
  auto s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
  float rest[8] = {};
  for (int row = 0; row < side - dy; ++row) {
    const float* const src = pixels + 4 * ((dy + row) * side + dx);
    const float* const mask = pixels + 4 * row * side;
    int k = 0;
    for (; k + step <= 4 * (side - dx - 7); k += step) {
      const auto m = hn::LoadU(d, mask + k);
      const float* const at = src + k;
      s0 = hn::MulAdd(hn::LoadU(d, at), m, s0);
      s1 = hn::MulAdd(hn::LoadU(d, at + 4), m, s1);
      s2 = hn::MulAdd(hn::LoadU(d, at + 8), m, s2);
      s3 = hn::MulAdd(hn::LoadU(d, at + 12), m, s3);
      s4 = hn::MulAdd(hn::LoadU(d, at + 16), m, s4);
      s5 = hn::MulAdd(hn::LoadU(d, at + 20), m, s5);
      s6 = hn::MulAdd(hn::LoadU(d, at + 24), m, s6);
      s7 = hn::MulAdd(hn::LoadU(d, at + 28), m, s7);
    }
    for (int shift = 0; shift < 8; ++shift) {
      auto none = hn::Zero(pixel), more = none;
      add_row(pixel, src + k + 4 * shift, mask + k, 4 * (side - dx - shift) - k, more, none);
      rest[shift] += hn::GetLane(hn::SumOfLanes(pixel, more));
    }
  }
  map[0] = rest[0] + hn::GetLane(hn::SumOfLanes(d, s0));
  map[1] = rest[1] + hn::GetLane(hn::SumOfLanes(d, s1));
  map[2] = rest[2] + hn::GetLane(hn::SumOfLanes(d, s2));
  map[3] = rest[3] + hn::GetLane(hn::SumOfLanes(d, s3));
  map[4] = rest[4] + hn::GetLane(hn::SumOfLanes(d, s4));
  map[5] = rest[5] + hn::GetLane(hn::SumOfLanes(d, s5));
  map[6] = rest[6] + hn::GetLane(hn::SumOfLanes(d, s6));
  map[7] = rest[7] + hn::GetLane(hn::SumOfLanes(d, s7));
}

/// Up to seven shifts at the end of a row are computed again with their neighbours.
void sums_eight(const float* pixels, int side, int shifts, int dy, float* map) {
  for (int dx = 0; dx < shifts; dx += 8)
    sum_eight(pixels, side, dx + 8 <= shifts ? dx : shifts - 8, dy,
              map + (dx + 8 <= shifts ? dx : shifts - 8));
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {
HWY_EXPORT(sums_fused);
HWY_EXPORT(sums_wide);
HWY_EXPORT(sums_eight);

WideSums wide_sums(WideForm form, const std::string& isa) {
  const std::string before = current_isa();
  force_isa(isa);
  const WideSums sums = form == WideForm::fused  ? HWY_DYNAMIC_DISPATCH(sums_fused)
                        : form == WideForm::wide ? HWY_DYNAMIC_DISPATCH(sums_wide)
                                                 : HWY_DYNAMIC_DISPATCH(sums_eight);
  force_isa(before);
  return sums;
}

}  // namespace tessera
#endif
