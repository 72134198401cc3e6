// SPDX-License-Identifier: Apache-2.0
// Spreading, transforming and correcting slabs of pixels, once per SIMD target. Lanes are pixels
// and never mix: the result of a pixel does not depend on its position.
#include "ops/faraday/synth/cpu/faraday_slabs.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/faraday/synth/cpu/faraday_slabs_simd.cpp"
#include <hwy/foreach_target.h>

#include "core/fft_passes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = SlabTag<float>;
using V = hn::Vec<D>;
constexpr int kLanes = static_cast<int>(hn::MaxLanes(D()));
constexpr int kVectors = kFaradaySlab / kLanes;
constexpr int kRow = kSlabRow<float>;
/// Terms of a sum before it is added to the total: thousands of channels may share a cell, and
/// rounding errors of equal terms all have one sign (one long sum of 4,000 was off by 3e-5).
constexpr int kMostTerms = 64;

/// A row of a slab in registers.
struct Row {
  HWY_INLINE Row() {
    for (int v = 0; v < kVectors; ++v) re[v] = im[v] = hn::Zero(D());
  }
  HWY_INLINE void add(const float* row, float weight) {
    const D d;
    const V w = hn::Set(d, weight);
    for (int v = 0; v < kVectors; ++v) {
      re[v] = hn::MulAdd(hn::LoadU(d, row + v * kLanes), w, re[v]);
      im[v] = hn::MulAdd(hn::LoadU(d, row + kFaradaySlab + v * kLanes), w, im[v]);
    }
  }
  HWY_INLINE void add(const Row& other) {
    for (int v = 0; v < kVectors; ++v) {
      re[v] = hn::Add(re[v], other.re[v]);
      im[v] = hn::Add(im[v], other.im[v]);
    }
  }
  HWY_INLINE void add_turned(const float* row, long long imaginary, const float* turn) {
    const D d;
    const V wr = hn::Set(d, turn[0]), wi = hn::Set(d, turn[1]);
    for (int v = 0; v < kVectors; ++v) {
      const auto z = load(row + v * kLanes, imaginary);
      re[v] = hn::NegMulAdd(z.im, wi, hn::MulAdd(z.re, wr, re[v]));
      im[v] = hn::MulAdd(z.im, wr, hn::MulAdd(z.re, wi, im[v]));
    }
  }
  HWY_INLINE void store_to(float* row) const {
    for (int v = 0; v < kVectors; ++v)
      store(Complex<V>(re[v], im[v]), row + v * kLanes, kFaradaySlab);
  }
  V re[kVectors], im[kVectors];
};

HWY_NOINLINE void turn_channels(const FaradaySlabPlan& plan, const FaradaySlab& slab) {
  for (int k = 0; k < plan.channels; ++k) {
    Row row;
    row.add_turned(slab.pixels + k * slab.row, slab.second, plan.turns.data() + 2 * k);
    row.store_to(slab.turned + 1LL * k * kRow);
  }
}

HWY_NOINLINE void spread(const FaradaySlabPlan& plan, const FaradaySlab& slab) {
  const FaradaySlabPlan::Part* part = plan.parts.data();
  for (int i = 0; i < plan.cells; ++i) {
    const auto* const end = plan.parts.data() + plan.parts_end[static_cast<std::size_t>(i)];
    Row total;
    while (part < end) {
      const auto* const stop = end - part > kMostTerms ? part + kMostTerms : end;
      Row row;
      for (; part < stop; ++part) row.add(slab.turned + 1LL * part->channel * kRow, part->weight);
      total.add(row);
    }
    total.store_to(slab.cells + 1LL * i * kRow);
  }
}

/// The cells of class q in the rows of its transform.
HWY_NOINLINE void fold(const FaradaySlabPlan& plan, const FaradaySlab& slab, int q) {
  const int points = plan.shape.points;
  const float* factors = plan.factors.data() + 2LL * q * plan.cells;
  for (int i = 0; i < points; ++i) {
    Row row;
    for (long long cell = i; cell < plan.cells; cell += points)
      row.add_turned(slab.cells + cell * kRow, kFaradaySlab, factors + 2 * cell);
    row.store_to(slab.points + ((plan.first_row + i) & (points - 1)) * 1LL * kRow);
  }
}

void run_slab(const FaradaySlabPlan& plan, const FaradaySlab& slab) {
  turn_channels(plan, slab);
  spread(plan, slab);
  const AxisRun<float> transform(plan.axis, slab.points);
  for (int q = 0; q < plan.shape.classes; ++q) {
    fold(plan, slab, q);
    transform.forward(SlabLines<float>{slab.points, {}, {}});
    const auto* results = plan.results.data() + 1LL * q * plan.shape.points;
    float* const to = slab.results;
    const long long depth = slab.row, imaginary = slab.second;
    transform.forward_last_to([=](int row, int column, const Complex<V>& z) HWY_ATTR {
      const V correction = hn::Set(D(), results[row].correction);
      store<float>({hn::Mul(z.re, correction), hn::Mul(z.im, correction)},
                   to + results[row].depth * depth + column, imaginary);
    });
  }
}

int slab_most_radix() { return kMostRadix; }

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {
HWY_EXPORT(run_slab);
HWY_EXPORT(slab_most_radix);

FaradaySlabWay faraday_slab_way() {
  return {HWY_DYNAMIC_DISPATCH(slab_most_radix)(), HWY_DYNAMIC_DISPATCH(run_slab)};
}
}  // namespace tessera
#endif
