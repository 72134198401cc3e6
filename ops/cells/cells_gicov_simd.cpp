// SPDX-License-Identifier: Apache-2.0
// Scores of circles round neighbouring centres, once a SIMD target.
//
// A circle's points on one pixel are merged: 640 pixels in place of 1,350 points for radii 6 to 14.
// Per pixel and vector there are 3 loads and 6 multiply-adds. With gx^2, gx gy and gy^2 as planes
// it would be 5 and 5, which a core with two loads and two multiply-adds a cycle does no faster, as
// loads across cache lines count twice; without any plane of products 2 and 7.
#include "ops/cells/cells_blocks.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/cells/cells_gicov_simd.cpp"
#include <hwy/foreach_target.h>

#include "ops/cells/cells_rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

/// Vectors of centres that share a pixel's weights.
constexpr int kCentreVectors = 4;

struct CircleSums {
  V sum[kCentreVectors], squares[kCentreVectors];

  HWY_INLINE CircleSums() {
    for (int k = 0; k < kCentreVectors; ++k) sum[k] = squares[k] = hn::Zero(F());
  }
};

HWY_INLINE CircleSums add_taps(const GicovCircle& circle, const float* centre, long long pitch) {
  const F d;
  const long long lanes = lanes_of(d);
  CircleSums s;
  for (const GicovTap& tap : circle.taps) {
    const float *px = centre + tap.offset, *py = px + pitch, *pe = py + pitch;
    const V wc = hn::Set(d, tap.c), ws = hn::Set(d, tap.s), we = hn::Set(d, tap.e),
            wd = hn::Set(d, tap.d), wx = hn::Set(d, tap.x);
    for (int k = 0; k < kCentreVectors; ++k) {
      const V gx = hn::LoadU(d, px + k * lanes), gy = hn::LoadU(d, py + k * lanes);
      s.sum[k] = hn::MulAdd(wc, gx, hn::MulAdd(ws, gy, s.sum[k]));
      s.squares[k] = hn::MulAdd(we, hn::LoadU(d, pe + k * lanes), s.squares[k]);
      s.squares[k] = hn::MulAdd(gx, hn::MulAdd(wx, gy, hn::Mul(wd, gx)), s.squares[k]);
    }
  }
  return s;
}

/// The best circle so far of a vector of centres. Infinity where the derivatives do not vary, but
/// are not 0, is a score like others; what is not a number is none.
struct BestCircle {
  V ratio, mean, variance, circle;

  HWY_INLINE BestCircle()
      : ratio(hn::Zero(F())), mean(ratio), variance(hn::Set(F(), 1.0F)), circle(ratio) {}

  HWY_INLINE void look_at(V sum, V squares, const GicovCircle& c, const GicovRow& row, int index) {
    const F d;
    const V m = hn::Mul(sum, hn::Set(d, c.per_point));
    const V v = hn::Mul(hn::NegMulAdd(sum, m, squares), hn::Set(d, c.per_freedom));
    const V r = hn::Div(hn::Mul(m, m), v);
    auto better = hn::And(hn::Gt(v, hn::Zero(d)), hn::Gt(r, ratio));
    better = hn::And(better, hn::Gt(m, hn::Set(d, row.least)));
    better = hn::And(better, hn::Lt(m, hn::Set(d, row.most)));
    ratio = hn::IfThenElse(better, r, ratio);
    mean = hn::IfThenElse(better, m, mean);
    variance = hn::IfThenElse(better, v, variance);
    circle = hn::IfThenElse(better, hn::Set(d, static_cast<float>(index)), circle);
  }
};

HWY_INLINE void score_centres(const GicovRow& row, const float* centre, float* score,
                              float* circle) {
  const F d;
  const long long lanes = lanes_of(d);
  BestCircle best[kCentreVectors];
  for (std::size_t c = 0; c < row.circles->size(); ++c) {
    const GicovCircle& one = (*row.circles)[c];
    const CircleSums s = add_taps(one, centre, row.planes.pitch());
    for (int k = 0; k < kCentreVectors; ++k)
      best[k].look_at(s.sum[k], s.squares[k], one, row, static_cast<int>(c));
  }
  for (int k = 0; k < kCentreVectors; ++k) {
    hn::Store(hn::Div(best[k].mean, hn::Sqrt(best[k].variance)), d, score + k * lanes);
    hn::Store(best[k].circle, d, circle + k * lanes);
  }
}

void gicov(const GicovRow& row) {
  constexpr int kMost = kCentreVectors * HWY_MAX_BYTES / static_cast<int>(sizeof(float));
  HWY_ALIGN float score[kMost], circle[kMost];
  const int step = kCentreVectors * static_cast<int>(hn::Lanes(F()));
  const float* centre = row.planes.at(row.y) + row.x;
  for (int x = 0; x < row.count; x += step) {
    score_centres(row, centre + x, score, circle);
    const int wanted = HWY_MIN(step, row.count - x);
    for (int k = 0; k < wanted; ++k) {
      row.score[x + k] = score[k];
      row.circle[x + k] = static_cast<std::uint8_t>(circle[k]);
    }
  }
}

void products(const GicovProducts& p) {
  float *x_row = p.planes.at(p.y), *y_row = x_row + p.planes.pitch(),
        *e_row = y_row + p.planes.pitch();
  const float *across = p.across, *down = p.down;
  for_lanes(0, p.planes.width, [=](auto d, long long x) HWY_ATTR {
    const auto gx = hn::LoadU(d, across + x), gy = hn::LoadU(d, down + x);
    hn::StoreU(gx, d, x_row + x);
    hn::StoreU(gy, d, y_row + x);
    hn::StoreU(hn::MulAdd(gx, gx, hn::Mul(gy, gy)), d, e_row + x);
  });
}

void gicov_blocks(CellsBlocks& blocks) {
  blocks.gicov = gicov;
  blocks.products = products;
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {

HWY_EXPORT(gicov_blocks);
void add_gicov_blocks(CellsBlocks& blocks) { HWY_DYNAMIC_DISPATCH(gicov_blocks)(blocks); }

}  // namespace tessera
#endif
