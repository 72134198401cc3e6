// SPDX-License-Identifier: Apache-2.0
// The still scene and its drift, once per SIMD target: rows of planes read between pixels. The
// shift is the same everywhere, so the four weights are constants.
#include "ops/cells/cpu/cells_blocks.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/cells/cpu/cells_scene_simd.cpp"
#include <hwy/foreach_target.h>

#include "ops/cells/cpu/cells_rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

template <class V1>
HWY_INLINE V1 between(V1 a, V1 b, V1 part) {
  return hn::MulAdd(part, hn::Sub(b, a), a);
}

/// The rows above and below the positions that row y of a shifted plane reads. If a shift is a
/// whole number of pixels, the neighbouring pixel has no weight and may not exist.
struct ShiftedRow {
  const float *above, *below;
  long long right;
  float part_x, part_y;

  HWY_INLINE ShiftedRow(const ShiftedPlane& p, int y)
      : above(p.data + static_cast<long long>(y + p.whole_y) * p.width + p.whole_x),
        below(above + (p.part_y > 0 ? p.width : 0)),
        right(p.part_x > 0 ? 1 : 0),
        part_x(p.part_x),
        part_y(p.part_y) {}

  template <class D>
  HWY_INLINE hn::Vec<D> at(D d, long long x) const {
    const auto a = hn::Set(d, part_x), b = hn::Set(d, part_y);
    const auto top = between(hn::LoadU(d, above + x), hn::LoadU(d, above + x + right), a);
    const auto bottom = between(hn::LoadU(d, below + x), hn::LoadU(d, below + x + right), a);
    return between(top, bottom, b);
  }
};

void accumulate(const AccumulateRow& a) {
  if (!a.from.rows().contains(a.y)) return;
  const ShiftedRow from(a.from, a.y);
  const Rows columns = a.from.columns();
  float* sum = a.sum;
  int* count = a.count;
  for_lanes(columns.first, columns.end, [=](auto d, long long x) HWY_ATTR {
    const hn::RebindToSigned<decltype(d)> di;
    hn::StoreU(hn::Add(hn::LoadU(d, sum + x), from.at(d, x)), d, sum + x);
    hn::StoreU(hn::Add(hn::LoadU(di, count + x), hn::Set(di, 1)), di, count + x);
  });
}

void subtract(const SubtractRow& s) {
  const ShiftedPlane& p = s.scene;
  float* out = s.out;
  const Rows columns = p.rows().contains(s.y) ? p.columns() : Rows{0, 0};
  for (int x = 0; x < columns.first; ++x) out[x] = 0;
  for (int x = columns.end; x < p.width; ++x) out[x] = 0;
  if (columns.count() == 0) return;
  const ShiftedRow scene(p, s.y);
  const float* in = s.in;
  const unsigned char* above =
      s.known + static_cast<long long>(s.y + p.whole_y) * p.width + p.whole_x;
  // A shift by whole pixels reads only its own pixel, but `known` errs on the safe side: the pixel
  // below right, if there is one, must be known too.
  const int down = s.y + p.whole_y + 1 < p.height ? p.width : 0;
  const int last = p.width - 1 - p.whole_x;
  for_lanes(columns.first, columns.end, [=](auto d, long long x) HWY_ATTR {
    const hn::Rebind<std::uint8_t, decltype(d)> bytes;
    const hn::RebindToSigned<decltype(d)> di;
    const long long lanes = lanes_of(d);
    const unsigned char* below = above + down + x;
    auto known = hn::LoadU(bytes, above + x);
    if (x + lanes <= last) {
      known = hn::And(known, hn::LoadU(bytes, below + 1));
    } else {  // the last column has none to the right
      HWY_ALIGN std::uint8_t beside[HWY_MAX_BYTES];
      for (long long k = 0; k < lanes; ++k) beside[k] = below[x + k < last ? k + 1 : k];
      known = hn::And(known, hn::Load(bytes, beside));
    }
    const auto mask = hn::MaskFromVec(
        hn::BitCast(d, hn::VecFromMask(di, hn::Ne(hn::PromoteTo(di, known), hn::Zero(di)))));
    hn::StoreU(hn::IfThenElseZero(mask, hn::Sub(hn::LoadU(d, in + x), scene.at(d, x))), d, out + x);
  });
}

/// Sums of a row in lanes, over every fourth column: a load of four vectors gives the neighbours
/// too.
template <class D>
struct DriftLanes {
  using Vd = hn::Vec<D>;
  Vd n, gx, gy, gxx, gxy, gyy, r, gxr, gyr, absolute, g4;

  HWY_INLINE DriftLanes() {
    n = gx = gy = gxx = gxy = gyy = r = gxr = gyr = absolute = g4 = hn::Zero(D());
  }

  HWY_INLINE static void load(const float* from, Vd& v0, Vd& v1, Vd& v2) {
    const D d;
    if constexpr (hn::MaxLanes(D()) == 1) {
      v0 = hn::LoadU(d, from);
      v1 = hn::LoadU(d, from + 1);
      v2 = hn::LoadU(d, from + 2);
    } else {
      Vd v3;
      hn::LoadInterleaved4(d, from, v0, v1, v2, v3);
    }
  }

  /// A frame's pixels and their neighbours. The neighbours of the last point may not exist: see
  /// ShiftedRow.
  HWY_INLINE static void load_pair(const float* from, long long right, Vd& v0, Vd& v1) {
    const D d;
    if constexpr (hn::MaxLanes(D()) == 1) {
      v0 = hn::LoadU(d, from);
      v1 = hn::LoadU(d, from + right);
    } else {
      Vd unused;
      load(from, v0, v1, unused);
    }
  }

  HWY_INLINE void add(const DriftRow& row, const ShiftedRow& frame, long long x) {
    const D d;
    const float* scene = row.scene + static_cast<long long>(row.y) * row.frame.width + x;
    Vd left, here, right, up, down, p0, p1, q0, q1, unused;
    load(scene - 1, left, here, right);
    load(scene - row.frame.width, up, unused, unused);
    load(scene + row.frame.width, down, unused, unused);
    load_pair(frame.above + x, frame.right, p0, p1);
    load_pair(frame.below + x, frame.right, q0, q1);
    const Vd half = hn::Set(d, 0.5F), a = hn::Set(d, frame.part_x), b = hn::Set(d, frame.part_y);
    const Vd limit = hn::Set(d, row.limit);
    const Vd difference = hn::Sub(between(between(p0, p1, a), between(q0, q1, a), b), here);
    const auto counts = hn::Le(hn::Abs(difference), limit);
    const Vd x_slope = hn::IfThenElseZero(counts, hn::Mul(half, hn::Sub(right, left)));
    const Vd y_slope = hn::IfThenElseZero(counts, hn::Mul(half, hn::Sub(down, up)));
    const Vd cut = hn::IfThenElseZero(counts, difference);
    n = hn::Add(n, hn::IfThenElseZero(counts, hn::Set(d, 1.0F)));
    gx = hn::Add(gx, x_slope);
    gy = hn::Add(gy, y_slope);
    gxx = hn::MulAdd(x_slope, x_slope, gxx);
    gxy = hn::MulAdd(x_slope, y_slope, gxy);
    gyy = hn::MulAdd(y_slope, y_slope, gyy);
    r = hn::Add(r, cut);
    gxr = hn::MulAdd(x_slope, cut, gxr);
    gyr = hn::MulAdd(y_slope, cut, gyr);
    absolute = hn::Add(absolute, hn::Abs(cut));
    const Vd small = hn::Set(d, 1 / row.limit);
    const Vd small_x = hn::Mul(x_slope, small), small_y = hn::Mul(y_slope, small);
    const Vd weight = hn::MulAdd(small_x, small_x, hn::Mul(small_y, small_y));
    g4 = hn::MulAdd(weight, weight, g4);
  }

  HWY_INLINE void give(DriftRowSums& to) const {
    const auto total = [](Vd v) HWY_ATTR { return hn::GetLane(hn::SumOfLanes(D(), v)); };
    to.n += total(n);
    to.gx += total(gx);
    to.gy += total(gy);
    to.gxx += total(gxx);
    to.gxy += total(gxy);
    to.gyy += total(gyy);
    to.r += total(r);
    to.gxr += total(gxr);
    to.gyr += total(gyr);
    to.absolute += total(absolute);
    to.g4 += total(g4);
  }
};

void drift(const DriftRow& row, DriftRowSums& sums) {
  const ShiftedRow frame(row.frame, row.y);
  const long long lanes = lanes_of(F());
  DriftLanes<F> whole;
  DriftLanes<hn::CappedTag<float, 1>> rest;
  int k = 0;
  // The last points are processed one by one: what a vector reads past its last point lies before
  // the next one.
  for (; k + lanes < row.points; k += static_cast<int>(lanes))
    whole.add(row, frame, row.first + kDriftStep * k);
  for (; k < row.points; ++k) rest.add(row, frame, row.first + kDriftStep * k);
  sums = {};
  whole.give(sums);
  rest.give(sums);
}

void gradient(const GradientRow& g) {
  const float *above = g.above, *here = g.here, *below = g.below;
  float *across = g.across, *down = g.down;
  const float per_row = g.rows_apart == 2 ? 0.5F : 1.0F;
  for_lanes(0, g.width, [=](auto d, long long x) HWY_ATTR {
    const auto difference = hn::Sub(hn::LoadU(d, below + x), hn::LoadU(d, above + x));
    hn::StoreU(hn::Mul(difference, hn::Set(d, per_row)), d, down + x);
  });
  for_lanes(1, g.width - 1, [=](auto d, long long x) HWY_ATTR {
    const auto difference = hn::Sub(hn::LoadU(d, here + x + 1), hn::LoadU(d, here + x - 1));
    hn::StoreU(hn::Mul(difference, hn::Set(d, 0.5F)), d, across + x);
  });
  const int last = g.width - 1;
  across[0] = last > 0 ? here[1] - here[0] : 0;
  across[last] = last > 0 ? here[last] - here[last - 1] : 0;
}

float absolute_sum(const float* row, int count) {
  const F d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  V sums = hn::Zero(d);
  int x = 0;
  for (; x + lanes <= count; x += lanes) sums = hn::Add(sums, hn::Abs(hn::LoadU(d, row + x)));
  float sum = hn::GetLane(hn::SumOfLanes(d, sums));
  for (; x < count; ++x) sum += row[x] < 0 ? -row[x] : row[x];
  return sum;
}

void scene_blocks(CellsBlocks& blocks) {
  blocks.accumulate = accumulate;
  blocks.subtract = subtract;
  blocks.drift = drift;
  blocks.gradient = gradient;
  blocks.absolute_sum = absolute_sum;
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {

HWY_EXPORT(scene_blocks);
void add_scene_blocks(CellsBlocks& blocks) { HWY_DYNAMIC_DISPATCH(scene_blocks)(blocks); }

}  // namespace tessera
#endif
