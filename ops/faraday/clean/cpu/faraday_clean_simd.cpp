// SPDX-License-Identifier: Apache-2.0
// RM-CLEAN of one spectrum, once per SIMD target. An iteration is one pass over the residual, which
// stays in the first-level cache: it subtracts the component and finds the next peak at the same
// time. The arithmetic is that of faraday_clean_step.cuh, lane by lane, without FMA.
#include "ops/faraday/clean/cpu/faraday_clean_simd.hpp"

#include <algorithm>
#include <vector>

#include "ops/faraday/clean/faraday_clean_step.cuh"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/faraday/clean/cpu/faraday_clean_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class Real>
using Tag = hn::ScalableTag<Real>;
template <class Real>
using V = hn::Vec<Tag<Real>>;

template <class Real>
struct Peak {
  Real power;
  int depth;
};

/// One pass. kTake: subtracts a component from the residual. kMasked: only where the mask is 1, not
/// 0.
template <class Real, bool kTake, bool kMasked>
struct Pass {
  Real *re, *im;
  const Real *rmsf_re, *rmsf_im, *mask;
  V<Real> part_re, part_im;

  HWY_INLINE Pass(const CleanSpectrum<Real>& s, int depth, CleanPart<Real> part)
      : re(s.re),
        im(s.im),
        rmsf_re(s.tables->re.data() + s.depths - depth),
        rmsf_im(s.tables->im.data() + s.depths - depth),
        mask(s.mask),
        part_re(hn::Set(Tag<Real>(), part.re)),
        part_im(hn::Set(Tag<Real>(), part.im)) {}

  /// Powers of a vector of depths.
  HWY_INLINE V<Real> powers(int q) const {
    const Tag<Real> d;
    V<Real> a = hn::Load(d, re + q), b = hn::Load(d, im + q);
    if constexpr (kTake) {
      const V<Real> r = hn::LoadU(d, rmsf_re + q), i = hn::LoadU(d, rmsf_im + q);
      a = hn::Sub(a, hn::Sub(hn::Mul(part_re, r), hn::Mul(part_im, i)));
      b = hn::Sub(b, hn::Add(hn::Mul(part_re, i), hn::Mul(part_im, r)));
      hn::Store(a, d, re + q);
      hn::Store(b, d, im + q);
    }
    const V<Real> power = hn::Add(hn::Mul(a, a), hn::Mul(b, b));
    return kMasked ? hn::Mul(power, hn::Load(d, mask + q)) : power;
  }

  HWY_INLINE Real power_at(int q) const {
    return clean_power(re[q], im[q]) * (kMasked ? mask[q] : Real(1));
  }
};

/// The largest power so far in every lane, and the first group of depths that reached it.
template <class Real>
struct Best {
  V<Real> power, first;

  // Written out: a default constructor would not be compiled for the SIMD target.
  HWY_INLINE Best() : power(hn::Zero(Tag<Real>())), first(hn::Zero(Tag<Real>())) {}

  HWY_INLINE void look(V<Real> powers, V<Real> group) {
    const auto better = hn::Gt(powers, power);
    power = hn::IfThenElse(better, powers, power);
    first = hn::IfThenElse(better, group, first);
  }
};

/// Depths are examined in groups of four vectors, and only the group with the peak depth by depth:
/// tracking the positions of all would be a quarter of the work.
template <bool kTake, bool kMasked, class Real>
HWY_INLINE Peak<Real> next_peak(const CleanSpectrum<Real>& s, int depth = 0,
                                CleanPart<Real> part = {}) {
  const Tag<Real> d;
  const int lanes = static_cast<int>(hn::Lanes(d)), group = 4 * lanes;
  const Pass<Real, kTake, kMasked> pass(s, depth, part);
  Best<Real> best;
  V<Real> at = hn::Zero(d);
  int q = 0;
  for (; q + group <= s.depths; q += group) {
    const V<Real> left = hn::Max(pass.powers(q), pass.powers(q + lanes));
    const V<Real> right = hn::Max(pass.powers(q + 2 * lanes), pass.powers(q + 3 * lanes));
    best.look(hn::Max(left, right), at);
    at = hn::Add(at, hn::Set(d, static_cast<Real>(group)));
  }
  for (; q < s.depths; q += lanes) {
    const auto there = hn::FirstN(d, static_cast<std::size_t>(s.depths - q));
    best.look(hn::IfThenElseZero(there, pass.powers(q)), at);  // all one group, the last
  }
  const Real power = hn::GetLane(hn::MaxOfLanes(d, best.power));
  const V<Real> none = hn::Set(d, static_cast<Real>(s.depths - 1));
  const auto has_it = hn::Eq(best.power, hn::Set(d, power));
  int found =
      static_cast<int>(hn::GetLane(hn::MinOfLanes(d, hn::IfThenElse(has_it, best.first, none))));
  while (found + 1 < s.depths && pass.power_at(found) != power) ++found;
  return {power, found};
}

/// The range of depths that contains all components; empty if last < first.
struct Span {
  int first, last;
};

template <bool kMasked, class Real>
HWY_INLINE int clean_down_to(const CleanSpectrum<Real>& s, Real level, int iterations, Span& span) {
  Peak<Real> peak = next_peak<false, kMasked>(s);
  for (; iterations < s.iterations && clean_goes_on(peak.power, level); ++iterations) {
    const int p = peak.depth;
    const CleanPart<Real> part = clean_component(s.gain, s.re[p], s.im[p]);
    s.components_re[p] += part.re;
    s.components_im[p] += part.im;
    span = {std::min(span.first, p), std::max(span.last, p)};
    peak = next_peak<true, kMasked>(s, p, part);
  }
  return iterations;
}

template <class Real>
HWY_INLINE bool is_component(const CleanSpectrum<Real>& s, int p) {
  return s.components_re[p] != 0 || s.components_im[p] != 0;
}

template <class Real>
HWY_INLINE void mask_round_components(const CleanSpectrum<Real>& s, Span span) {
  std::fill_n(s.mask, s.depths + kCleanPadding, Real(0));
  for (int p = span.first; p <= span.last; ++p) {
    if (!is_component(s, p)) continue;
    const int half = s.tables->half_window;
    std::fill(s.mask + std::max(0, p - half), s.mask + std::min(s.depths, p + half + 1), Real(1));
  }
}

/// to[q] += by * beam[q], a vector at a time and beyond the end.
template <class Real>
HWY_INLINE void add_beam(Real* to, const Real* beam, Real by, int count) {
  const Tag<Real> d;
  for (int q = 0; q < count; q += static_cast<int>(hn::Lanes(d)))
    hn::StoreU(hn::Add(hn::LoadU(d, to + q), hn::Mul(hn::Set(d, by), hn::LoadU(d, beam + q))), d,
               to + q);
}

/// Adds the components, each a Gaussian, in the order of their depths, and then the residual.
template <class Real>
HWY_INLINE void restore(const CleanSpectrum<Real>& s, Span span) {
  const int reach = s.tables->reach;
  const int first = std::max(0, span.first - reach),
            end = std::min(s.depths, span.last + reach + 1);
  std::fill(s.sum_re + first, s.sum_re + end + kCleanPadding, Real(0));
  std::fill(s.sum_im + first, s.sum_im + end + kCleanPadding, Real(0));
  for (int p = span.first; p <= span.last; ++p) {
    if (!is_component(s, p)) continue;
    const int from = std::max(0, p - reach), count = std::min(s.depths, p + reach + 1) - from;
    const Real* beam = s.tables->beam.data() + (from - p + reach);
    add_beam(s.sum_re + from, beam, s.components_re[p], count);
    add_beam(s.sum_im + from, beam, s.components_im[p], count);
  }
  for (int q = first; q < end; ++q) {
    s.re[q] = s.sum_re[q] + s.re[q];
    s.im[q] = s.sum_im[q] + s.im[q];
  }
}

/// The largest |real| or |imaginary| part; -1 if one is not finite.
template <class Real>
HWY_INLINE Real largest_part(const CleanSpectrum<Real>& s) {
  const Tag<Real> d;
  V<Real> largest = hn::Zero(d);
  auto finite = hn::Eq(largest, largest);
  for (int q = 0; q < s.depths; q += static_cast<int>(hn::Lanes(d))) {
    const auto there = hn::FirstN(d, static_cast<std::size_t>(s.depths - q));
    const V<Real> a = hn::IfThenElseZero(there, hn::Load(d, s.re + q));
    const V<Real> b = hn::IfThenElseZero(there, hn::Load(d, s.im + q));
    finite = hn::And(finite, hn::And(hn::IsFinite(a), hn::IsFinite(b)));
    largest = hn::Max(largest, hn::Max(hn::Abs(a), hn::Abs(b)));
  }
  return hn::AllTrue(d, finite) ? hn::GetLane(hn::MaxOfLanes(d, largest)) : Real(-1);
}

template <class Real>
HWY_INLINE void multiply(Real* values, int count, Real factor) {
  for (int q = 0; q < count; ++q) values[q] *= factor;
}

template <class Real>
HWY_INLINE int clean_scaled(const CleanSpectrum<Real>& s, Real scale) {
  Span span{s.depths, -1};
  int iterations = clean_down_to<false>(s, clean_level(s.cutoff, scale), 0, span);
  if (iterations == 0) return 0;
  if (s.window >= 0) {
    mask_round_components(s, span);
    iterations = clean_down_to<true>(s, clean_level(s.window, scale), iterations, span);
  }
  restore(s, span);
  return iterations;
}

/// Spectra out of range that are not cleaned must keep every bit, and scaling could lose some: a
/// copy is kept.
template <class Real>
HWY_INLINE int clean_out_of_range(const CleanSpectrum<Real>& s, Real scale) {
  std::vector<Real> re(s.re, s.re + s.depths), im(s.im, s.im + s.depths);
  for (Real* part : {s.re, s.im}) multiply(part, s.depths, scale);
  const int iterations = clean_scaled(s, scale);
  for (Real* part : {s.re, s.im, s.components_re, s.components_im})
    multiply(part, s.depths, 1 / scale);
  if (iterations == 0) {
    std::copy(re.begin(), re.end(), s.re);
    std::copy(im.begin(), im.end(), s.im);
  }
  return iterations;
}

template <class Real>
HWY_INLINE int clean(const CleanSpectrum<Real>& s) {
  std::fill_n(s.components_re, s.depths, Real(0));
  std::fill_n(s.components_im, s.depths, Real(0));
  const Real largest = largest_part(s);
  if (largest < 0) return 0;
  const Real scale = clean_scale(largest);
  return scale == 1 ? clean_scaled(s, scale) : clean_out_of_range(s, scale);
}

int clean_float(const CleanSpectrum<float>& s) { return clean(s); }
int clean_double(const CleanSpectrum<double>& s) { return clean(s); }

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {

HWY_EXPORT(clean_float);
HWY_EXPORT(clean_double);
CleanFunction<float> clean_function(float) { return HWY_DYNAMIC_DISPATCH(clean_float); }
CleanFunction<double> clean_function(double) { return HWY_DYNAMIC_DISPATCH(clean_double); }

}  // namespace tessera
#endif
