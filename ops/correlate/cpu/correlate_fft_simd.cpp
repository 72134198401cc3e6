// SPDX-License-Identifier: Apache-2.0
// Folding, transforming and unfolding slabs, once per SIMD target. Lanes are columns.
#include "ops/correlate/cpu/correlate_fft.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/correlate/cpu/correlate_fft_simd.cpp"
#include <hwy/foreach_target.h>

#include "core/fft_passes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = SlabTag<float>;
using V = hn::Vec<D>;
constexpr int kLanes = static_cast<int>(hn::MaxLanes(D()));
constexpr int kVectors = kSlab / kLanes;
constexpr int kRow = kSlabRow<float>;

/// Rows to be folded: their positions and factors.
struct Folding {
  const float* from;
  const float* factors;
  int points;
};

/// Rows m, m + points, … of real pixels, or of a tile's complex rows, into row m of the slab, for
/// `first` <= m < `end`. kParts of them, or `parts` if kParts is 0: loops of known length are twice
/// as fast.
template <FoldKind kKind, int kParts>
HWY_NOINLINE void fold_rows(Folding f, int parts, int first, int end, float* slab) {
  constexpr int kStep = kKind == FoldKind::complex ? kRow : kSlab;
  const D d;
  if (kParts > 0) parts = kParts;
  for (int m = first; m < end; ++m) {
    V re[kVectors], im[kVectors];
    for (int v = 0; v < kVectors; ++v) re[v] = im[v] = hn::Zero(d);
    for (int j = 0; j < parts; ++j) {
      const long long n = m + 1LL * j * f.points;
      const float *from = f.from + n * kStep, *factor = f.factors + 2 * n;
      const auto wr = hn::Set(d, factor[0]), wi = hn::Set(d, factor[1]);
      for (int v = 0; v < kVectors; ++v) {
        if constexpr (kKind == FoldKind::complex) {
          const auto z = load(from + v * kLanes, kSlab);
          re[v] = hn::NegMulAdd(z.im, wi, hn::MulAdd(z.re, wr, re[v]));
          im[v] = hn::MulAdd(z.im, wr, hn::MulAdd(z.re, wi, im[v]));
        } else {
          const auto x = hn::LoadU(d, from + v * kLanes);
          re[v] = hn::MulAdd(x, wr, re[v]);
          im[v] = hn::MulAdd(x, wi, im[v]);
        }
      }
    }
    float* to = slab + 1LL * m * kRow;
    for (int v = 0; v < kVectors; ++v) store(Complex<V>(re[v], im[v]), to + v * kLanes, kSlab);
  }
}

template <FoldKind kKind>
void fold_parts(const Folding& f, int parts, int first, int end, float* slab) {
  switch (parts) {
    case 1:
      return fold_rows<kKind, 1>(f, parts, first, end, slab);
    case 2:
      return fold_rows<kKind, 2>(f, parts, first, end, slab);
    case 3:
      return fold_rows<kKind, 3>(f, parts, first, end, slab);
    case 4:
      return fold_rows<kKind, 4>(f, parts, first, end, slab);
    default:
      return fold_rows<kKind, 0>(f, parts, first, end, slab);
  }
}

/// Class q: the last rows of the slab have one part fewer than the others.
template <FoldKind kKind>
void fold(const FoldAxis& axis, int q, const float* from, float* slab) {
  const int points = axis.shape.points, parts = axis.samples / points;
  const int longer = axis.samples - parts * points;
  const Folding f{from, axis.folding(q), points};
  if (longer > 0) fold_parts<kKind>(f, parts + 1, 0, longer, slab);
  fold_parts<kKind>(f, parts, longer, points, slab);
}

void fft_columns(const FftColumns& c) {
  const AxisRun<float> run(c.down->points, c.slab);
  fold<FoldKind::real>(*c.down, c.q, c.pixels, c.slab);
  run.forward_turned(SlabLines<float>{c.slab, {}, {}}, c.tile, {kRow, c.tile_slab});
}

/// Class q of the slab's results, added to the rows of a map's tile (class 0 overwrites them).
void unfold_complex(const FoldAxis& axis, int q, const float* slab, float* tile) {
  const D d;
  const int points = axis.shape.points;
  const float* factors = axis.unfolding(q);
  for (int k = 0; k < axis.count; ++k) {
    const int m = (axis.first + k) & (points - 1);
    const float* from = slab + 1LL * m * kRow;
    float* to = tile + 1LL * k * kRow;
    const auto wr = hn::Set(d, factors[2 * k]), wi = hn::Set(d, factors[2 * k + 1]);
    for (int v = 0; v < kVectors; ++v) {
      const auto z = load(from + v * kLanes, kSlab);
      auto sum = Complex<V>(hn::Zero(d), hn::Zero(d));
      if (q > 0) sum = load(to + v * kLanes, kSlab);
      sum.re = hn::NegMulAdd(z.im, wi, hn::MulAdd(z.re, wr, sum.re));
      sum.im = hn::MulAdd(z.im, wr, hn::MulAdd(z.re, wi, sum.im));
      store(sum, to + v * kLanes, kSlab);
    }
  }
}

/// Folds and transforms class q of a tile's slab, except for the last pass.
HWY_INLINE AxisRun<float> begin_transform(const FoldAxis& axis, int q, const float* tile,
                                          float* slab) {
  const AxisRun<float> run(axis.points, slab);
  fold<FoldKind::complex>(axis, q, tile, slab);
  run.forward(SlabLines<float>{slab, {}, {}});
  return run;
}

/// Planes with themselves: the sum of their powers, which are added as the last pass produces them.
template <bool kFirst>
void add_power(const AxisRun<float>& run, float* power) {
  const D d;
  run.forward_last_to([=](int row, int column, const Complex<V>& z) HWY_ATTR {
    float* to = power + 1LL * row * kSlab + column;
    const auto square = hn::Mul(z.re, z.re);
    const auto sum = kFirst ? square : hn::Add(square, hn::LoadU(d, to));
    hn::StoreU(hn::MulAdd(z.im, z.im, sum), d, to);
  });
}

void power_of_map(const FftProducts& p, int q, const CorrelateSum& sum, float* slab, float* power) {
  bool first = true;
  for (const PlanePair& pair : sum.pairs) {
    const auto run = begin_transform(*p.across, q, p.first[pair.first], slab);
    first ? add_power<true>(run, power) : add_power<false>(run, power);
    first = false;
  }
  const D d;
  AxisRun<float>(p.across->points, slab).inverse_first_of([=](int row, int column) HWY_ATTR {
    return Complex<V>(hn::LoadU(d, power + 1LL * row * kSlab + column), hn::Zero(d));
  });
}

/// Any pairs, of complete spectra: slab = sum of first * conj(second), then one pass back.
void product_of_map(const FftProducts& p, const CorrelateSum& sum, const float* first,
                    const float* second, float* slab) {
  const D d;
  const long long samples = 1LL * kRow * p.across->shape.points;
  const PlanePair *pairs = sum.pairs.data(), *end = pairs + sum.pairs.size();
  AxisRun<float>(p.across->points, slab).inverse_first_of([=](int row, int column) HWY_ATTR {
    const long long at = 1LL * row * kRow + column;
    Complex<V> total(hn::Zero(d), hn::Zero(d));
    for (const PlanePair* pair = pairs; pair != end; ++pair) {
      const auto a = load(first + pair->first * samples + at, kSlab);
      const auto b = load(second + pair->second * samples + at, kSlab);
      total.re = hn::MulAdd(a.im, b.im, hn::MulAdd(a.re, b.re, total.re));
      total.im = hn::NegMulAdd(a.re, b.im, hn::MulAdd(a.im, b.re, total.im));
    }
    return total;
  });
}

void fft_products(const FftProducts& p) {
  const FoldAxis& axis = *p.across;
  const long long samples = 1LL * kRow * axis.shape.points;
  const bool same = p.first == p.second;
  float *slab = p.slabs, *first = slab + samples,
        *second = same ? first : first + samples * p.planes;
  const auto transform_all = [&](int q, const float* const* tiles, float* spectra) {
    for (int plane = 0; plane < p.planes; ++plane)
      if (tiles[plane])
        begin_transform(axis, q, tiles[plane], spectra + samples * plane).forward_last();
  };
  for (int q = 0; q < axis.shape.classes; ++q) {
    if (!p.powers) transform_all(q, p.first, first);
    if (!p.powers && !same) transform_all(q, p.second, second);
    for (std::size_t map = 0; map < p.sums->size(); ++map) {
      const CorrelateSum& sum = (*p.sums)[map];
      if (p.powers)
        power_of_map(p, q, sum, slab, first);
      else
        product_of_map(p, sum, first, second, slab);
      AxisRun<float>(axis.points, slab).inverse(SlabLines<float>{slab, {}, {}});
      unfold_complex(axis, q, slab, p.maps[map]);
    }
  }
}

void fft_results(const FftResults& r) {
  const D d;
  const FoldAxis& axis = *r.down;
  const AxisRun<float> run(axis.points, r.slab);
  run.inverse_turned(r.tile, {kRow, r.tile_slab}, SlabLines<float>{r.slab, {}, {}});
  const int points = axis.shape.points;
  const float* factors = axis.unfolding(r.q);
  for (int k = 0; k < axis.count; ++k) {
    const int m = (axis.first + k) & (points - 1);
    const float* from = r.slab + 1LL * m * kRow;
    float* to = r.results + k * r.row;
    const auto wr = hn::Set(d, factors[2 * k]), wi = hn::Set(d, factors[2 * k + 1]);
    for (int v = 0; v < kVectors; ++v) {
      const auto z = load(from + v * kLanes, kSlab);
      const auto sum = r.q > 0 ? hn::LoadU(d, to + v * kLanes) : hn::Zero(d);
      hn::StoreU(hn::NegMulAdd(z.im, wi, hn::MulAdd(z.re, wr, sum)), d, to + v * kLanes);
    }
  }
}

int most_radix_of_fft() { return kMostRadix; }

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {
HWY_EXPORT(fft_columns);
HWY_EXPORT(fft_products);
HWY_EXPORT(fft_results);
HWY_EXPORT(most_radix_of_fft);

CorrelateFft correlate_fft() {
  return {HWY_DYNAMIC_DISPATCH(most_radix_of_fft)(), HWY_DYNAMIC_DISPATCH(fft_columns),
          HWY_DYNAMIC_DISPATCH(fft_products), HWY_DYNAMIC_DISPATCH(fft_results)};
}
}  // namespace tessera
#endif
