// SPDX-License-Identifier: Apache-2.0
// Scores of circles around neighbouring centres, once per SIMD target.
//
// Points of a circle that fall on one pixel are merged, and so are a pixel and its mirror image
// above: 334 pairs instead of 1,350 points for radii 6 to 14. Each pair costs 5 loads and 5
// multiply-adds that only add to sums. Loads are the bottleneck, because those across cache lines
// count twice.
#include "ops/cells/cpu/cells_blocks.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/cells/cpu/cells_gicov_simd.cpp"
#include <hwy/foreach_target.h>

#include "ops/cells/cpu/cells_rows-inl.hpp"

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

/// All vectors of one line are loaded before those of the next: two loads from different cache
/// lines that hit the same cache bank are serialised.
HWY_INLINE void add_line(float weight, const float* line, V (&sums)[kCentreVectors]) {
  const F d;
  for (int k = 0; k < kCentreVectors; ++k)
    sums[k] = hn::MulAdd(hn::Set(d, weight), hn::LoadU(d, line + k * lanes_of(d)), sums[k]);
}

HWY_INLINE CircleSums add_taps(const GicovCircle& circle, const float* centre, long long line) {
  CircleSums s;
  for (const GicovTap& tap : circle.taps) {
    const float* from = centre + tap.offset;
    add_line(tap.x, from, s.sum);
    add_line(tap.xx, from + 2 * line, s.squares);
    add_line(tap.y, from + line, s.sum);
    add_line(tap.xy, from + 3 * line, s.squares);
    add_line(tap.yy, from + 4 * line, s.squares);
  }
  return s;
}

/// The best circle so far for a vector of centres. Infinity, where the derivatives do not vary but
/// are not 0, is a score like any other; NaN is not a score.
struct BestCircle {
  V ratio, mean, variance, circle;

  HWY_INLINE BestCircle()
      : ratio(hn::Zero(F())), mean(ratio), variance(hn::Set(F(), 1.0F)), circle(ratio) {}

  HWY_INLINE void look_at(V sum, V squares, const GicovCircle& c, const GicovRow& row, int index) {
    const F d;
    const V m = hn::Mul(sum, hn::Set(d, c.per_point));
    const V v = hn::MulAdd(hn::NegMulAdd(sum, m, squares), hn::Set(d, c.per_freedom),
                           hn::Set(d, row.floor));
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
    const CircleSums s = add_taps(one, centre, row.shape.line());
    for (int k = 0; k < kCentreVectors; ++k)
      best[k].look_at(s.sum[k], s.squares[k], one, row, static_cast<int>(c));
  }
  for (int k = 0; k < kCentreVectors; ++k) {
    hn::Store(hn::Div(best[k].mean, hn::Sqrt(best[k].variance)), d, score + k * lanes);
    hn::Store(best[k].circle, d, circle + k * lanes);
  }
}

/// The lines for one dy, from the pixels that far above and below; for dy 0 only the row itself.
HWY_INLINE void fill_lines(const GicovRow& row, int first, int columns, int dy, float* lines) {
  const long long above = static_cast<long long>(row.y - dy) * row.width + first,
                  below = static_cast<long long>(row.y + dy) * row.width + first;
  const float *x1 = row.across + below, *y1 = row.down + below, *x2 = row.across + above,
              *y2 = row.down + above;
  const float other = dy == 0 ? 0.0F : 1.0F;
  const long long line = row.shape.line();
  for_lanes(0, columns, [=](auto d, long long x) HWY_ATTR {
    const auto once = hn::Set(d, other);
    const auto gx1 = hn::LoadU(d, x1 + x), gy1 = hn::LoadU(d, y1 + x);
    const auto gx2 = hn::Mul(once, hn::LoadU(d, x2 + x));
    const auto gy2 = hn::Mul(once, hn::LoadU(d, y2 + x));
    float* to = lines + x;
    hn::StoreU(hn::Add(gx1, gx2), d, to);
    hn::StoreU(hn::Sub(gy1, gy2), d, to + line);
    hn::StoreU(hn::MulAdd(gx1, gx1, hn::Mul(gx2, gx2)), d, to + 2 * line);
    hn::StoreU(hn::NegMulAdd(gx2, gy2, hn::Mul(gx1, gy1)), d, to + 3 * line);
    hn::StoreU(hn::MulAdd(gy1, gy1, hn::Mul(gy2, gy2)), d, to + 4 * line);
  });
}

/// Centres [x, x + count) of the row, at most one strip.
HWY_INLINE void score_strip(const GicovRow& row, int x, int count) {
  constexpr int kMost = kCentreVectors * HWY_MAX_BYTES / static_cast<int>(sizeof(float));
  HWY_ALIGN float score[kMost], circle[kMost];
  const int reach = row.shape.reach, step = kCentreVectors * static_cast<int>(hn::Lanes(F()));
  for (int dy = 0; dy <= reach; ++dy)
    fill_lines(row, row.x + x - reach, count + 2 * reach, dy,
               row.strip + dy * kGicovLines * row.shape.line());
  for (int i = 0; i < count; i += step) {
    score_centres(row, row.strip + reach + i, score, circle);
    const int wanted = HWY_MIN(step, count - i);
    for (int k = 0; k < wanted; ++k) {
      row.score[x + i + k] = score[k];
      row.circle[x + i + k] = static_cast<std::uint8_t>(circle[k]);
    }
  }
}

void gicov(const GicovRow& row) {
  for (int x = 0; x < row.count; x += kGicovStrip)
    score_strip(row, x, HWY_MIN(kGicovStrip, row.count - x));
}

void gicov_blocks(CellsBlocks& blocks) { blocks.gicov = gicov; }

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {

HWY_EXPORT(gicov_blocks);
void add_gicov_blocks(CellsBlocks& blocks) { HWY_DYNAMIC_DISPATCH(gicov_blocks)(blocks); }

}  // namespace tessera
#endif
