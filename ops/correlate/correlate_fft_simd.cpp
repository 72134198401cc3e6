// SPDX-License-Identifier: Apache-2.0
// Folding, transforming and unfolding slabs, once a SIMD target. Lanes are columns.
#include "ops/correlate/correlate_fft.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/correlate/correlate_fft_simd.cpp"
#include <hwy/foreach_target.h>

#include "ops/convolve/parts/fft_passes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = SlabTag<float>;
using V = hn::Vec<D>;
constexpr int kLanes = static_cast<int>(hn::MaxLanes(D()));
constexpr int kVectors = kSlab / kLanes;
constexpr int kRow = kSlabRow<float>;

/// Rows m, m + points, … of real pixels into row m of the slab.
void fold_real(const FftColumns& c) {
  const D d;
  const FoldAxis& axis = *c.down;
  const int points = axis.shape.points;
  const float* factors = axis.folding(c.q);
  for (int m = 0; m < points; ++m) {
    V re[kVectors], im[kVectors];
    for (int v = 0; v < kVectors; ++v) re[v] = im[v] = hn::Zero(d);
    for (int n = m; n < axis.samples; n += points) {
      const float* pixels = c.pixels + n * c.row;
      const auto wr = hn::Set(d, factors[2 * n]), wi = hn::Set(d, factors[2 * n + 1]);
      for (int v = 0; v < kVectors; ++v) {
        const auto x = hn::LoadU(d, pixels + v * kLanes);
        re[v] = hn::MulAdd(x, wr, re[v]);
        im[v] = hn::MulAdd(x, wi, im[v]);
      }
    }
    float* to = c.slab + 1LL * m * kRow;
    for (int v = 0; v < kVectors; ++v) {
      hn::StoreU(re[v], d, to + v * kLanes);
      hn::StoreU(im[v], d, to + kSlab + v * kLanes);
    }
  }
}

/// The same of a tile's complex rows.
void fold_complex(const FoldAxis& axis, int q, const float* tile, long long row, float* slab) {
  const D d;
  const int points = axis.shape.points;
  const float* factors = axis.folding(q);
  for (int m = 0; m < points; ++m) {
    V re[kVectors], im[kVectors];
    for (int v = 0; v < kVectors; ++v) re[v] = im[v] = hn::Zero(d);
    for (int n = m; n < axis.samples; n += points) {
      const float* from = tile + n * row;
      const auto wr = hn::Set(d, factors[2 * n]), wi = hn::Set(d, factors[2 * n + 1]);
      for (int v = 0; v < kVectors; ++v) {
        const auto z = load(from + v * kLanes, kSlab);
        re[v] = hn::NegMulAdd(z.im, wi, hn::MulAdd(z.re, wr, re[v]));
        im[v] = hn::MulAdd(z.im, wr, hn::MulAdd(z.re, wi, im[v]));
      }
    }
    float* to = slab + 1LL * m * kRow;
    for (int v = 0; v < kVectors; ++v) store(Complex<V>(re[v], im[v]), to + v * kLanes, kSlab);
  }
}

void fft_columns(const FftColumns& c) {
  const AxisRun<float> run(c.down->points, c.slab);
  fold_real(c);
  run.forward(SlabLines<float>{c.slab, {}, {}});
  run.forward_last_turned(c.tile, c.tile_row);
}

/// product = or += first * conj(second).
template <bool kAdd>
void multiply_spectra(const float* first, const float* second, long long samples, float* product) {
  const D d;
  for (long long k = 0; k < samples; k += kRow)
    for (int v = 0; v < kVectors; ++v) {
      const long long at = k + v * kLanes;
      const auto a = load(first + at, kSlab), b = load(second + at, kSlab);
      auto sum = kAdd ? load(product + at, kSlab) : Complex<V>(hn::Zero(d), hn::Zero(d));
      sum.re = hn::MulAdd(a.im, b.im, hn::MulAdd(a.re, b.re, sum.re));
      sum.im = hn::NegMulAdd(a.re, b.im, hn::MulAdd(a.im, b.re, sum.im));
      store(sum, product + at, kSlab);
    }
}

/// Class q of the slab's results, added to (class 0: put in) the rows of a map's tile.
void unfold_complex(const FoldAxis& axis, int q, const float* slab, float* tile, long long row) {
  const D d;
  const int points = axis.shape.points;
  const float* factors = axis.unfolding(q);
  for (int k = 0; k < axis.count; ++k) {
    const int m = (axis.first + k) & (points - 1);
    const float* from = slab + 1LL * m * kRow;
    float* to = tile + k * row;
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

void fft_products(const FftProducts& p) {
  const FoldAxis& axis = *p.across;
  const long long samples = 1LL * kRow * axis.shape.points;
  const bool same = p.first == p.second;
  const auto spectrum = [&](bool other, int plane) {
    return p.slabs + samples * (1 + plane + (other && !same ? p.planes : 0));
  };
  const auto transform_plane = [&](int q, const float* tile, float* slab) {
    const AxisRun<float> run(axis.points, slab);
    fold_complex(axis, q, tile, p.tile_row, slab);
    run.forward(SlabLines<float>{slab, {}, {}});
    run.forward_last();
  };
  float* product = p.slabs;
  const AxisRun<float> back(axis.points, product);
  for (int q = 0; q < axis.shape.classes; ++q) {
    for (int plane = 0; plane < p.planes; ++plane) {
      if (p.first[plane]) transform_plane(q, p.first[plane], spectrum(false, plane));
      if (!same && p.second[plane]) transform_plane(q, p.second[plane], spectrum(true, plane));
    }
    for (std::size_t map = 0; map < p.sums->size(); ++map) {
      bool add = false;
      for (const PlanePair& pair : (*p.sums)[map].pairs) {
        const float *a = spectrum(false, pair.first), *b = spectrum(true, pair.second);
        add ? multiply_spectra<true>(a, b, samples, product)
            : multiply_spectra<false>(a, b, samples, product);
        add = true;
      }
      back.inverse_first();
      back.inverse(SlabLines<float>{product, {}, {}});
      unfold_complex(axis, q, product, p.maps[map], p.tile_row);
    }
  }
}

void fft_results(const FftResults& r) {
  const D d;
  const FoldAxis& axis = *r.down;
  const AxisRun<float> run(axis.points, r.slab);
  run.inverse_first_turned(r.tile, r.tile_row);
  run.inverse(SlabLines<float>{r.slab, {}, {}});
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
