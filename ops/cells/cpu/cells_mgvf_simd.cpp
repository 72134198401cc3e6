// SPDX-License-Identifier: Apache-2.0
// The field of a window, once per SIMD target. The weights of opposite neighbours have opposite
// signs, so there are four pairs. One pair lies across the flow and counts half. In the three
// others the neighbour ahead counts if it is higher than the centre, and the one behind if it is
// lower. That is max(ahead, centre) + min(behind, centre) - 2 centre, without a comparison.
#include "ops/cells/cpu/cells_blocks.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/cells/cpu/cells_mgvf_simd.cpp"
#include <hwy/foreach_target.h>

#include "ops/cells/cpu/cells_rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

/// Rows per tile: they share what they read, 4.5 loads per row instead of 9.
constexpr int kTileRows = 4;

constexpr int sign_of(int v) { return (v > 0) - (v < 0); }

/// The classes of the neighbours to the right, below, below right and above right.
template <int kVx, int kVy>
struct Pairs {
  static constexpr int kRight = sign_of(kVx), kDown = sign_of(kVy), kDownRight = sign_of(kVx + kVy),
                       kUpRight = sign_of(kVx - kVy);
  /// How often the centre is subtracted: twice for a pair along the flow, once for one across.
  static constexpr int kCentres =
      4 + (kRight != 0) + (kDown != 0) + (kDownRight != 0) + (kUpRight != 0);
};

template <int kClass>
HWY_INLINE V pair(V centre, V ahead, V behind) {
  if constexpr (kClass == 0) return hn::Mul(hn::Add(ahead, behind), hn::Set(F(), 0.5F));
  if constexpr (kClass > 0) return hn::Add(hn::Max(ahead, centre), hn::Min(behind, centre));
  return hn::Add(hn::Min(ahead, centre), hn::Max(behind, centre));
}

template <class P, int kRows>
HWY_INLINE void step_tile(const float* HWY_RESTRICT from, const float* HWY_RESTRICT keep,
                          const float* HWY_RESTRICT pull, float* HWY_RESTRICT to, long long row,
                          float own_weight) {
  const F d;
  V left[kRows + 2], middle[kRows + 2], right[kRows + 2];
  for (int k = 0; k < kRows + 2; ++k) {
    const float* line = from + (k - 1) * row;
    left[k] = hn::LoadU(d, line - 1);
    middle[k] = hn::Load(d, line);
    right[k] = hn::LoadU(d, line + 1);
  }
  const V own = hn::Set(d, own_weight);
  for (int k = 0; k < kRows; ++k) {
    const V centre = middle[k + 1];
    const V straight = hn::Add(pair<P::kRight>(centre, right[k + 1], left[k + 1]),
                               pair<P::kDown>(centre, middle[k + 2], middle[k]));
    const V diagonal = hn::Add(pair<P::kDownRight>(centre, right[k + 2], left[k]),
                               pair<P::kUpRight>(centre, right[k], left[k + 2]));
    const V sum = hn::MulAdd(centre, own, hn::Add(straight, diagonal));
    const long long at = k * row;
    hn::Store(hn::MulAdd(hn::Load(d, keep + at), sum, hn::Load(d, pull + at)), d, to + at);
  }
}

/// Without a flow all eight neighbours count half: each sum of three pixels in a row is used by
/// three rows.
template <int kRows>
HWY_INLINE void even_tile(const float* HWY_RESTRICT from, const float* HWY_RESTRICT keep,
                          const float* HWY_RESTRICT pull, float* HWY_RESTRICT to, long long row,
                          float own_weight) {
  const F d;
  V middle[kRows + 2], three[kRows + 2];
  for (int k = 0; k < kRows + 2; ++k) {
    const float* line = from + (k - 1) * row;
    middle[k] = hn::Load(d, line);
    three[k] = hn::Add(hn::Add(hn::LoadU(d, line - 1), hn::LoadU(d, line + 1)), middle[k]);
  }
  const V own = hn::Set(d, own_weight - 0.5F), half = hn::Set(d, 0.5F);
  for (int k = 0; k < kRows; ++k) {
    const V nine = hn::Add(hn::Add(three[k], three[k + 2]), three[k + 1]);
    const V sum = hn::MulAdd(nine, half, hn::Mul(middle[k + 1], own));
    const long long at = k * row;
    hn::Store(hn::MulAdd(hn::Load(d, keep + at), sum, hn::Load(d, pull + at)), d, to + at);
  }
}

template <class P, int kRows>
HWY_INLINE void step_rows(const MgvfField& f, int y, float own) {
  const long long row = f.field.row, at = y * row;
  const float *from = f.field.data + at, *keep = f.keep.data + at, *pull = f.pull.data + at;
  float* to = f.next.data + at;
  const int lanes = static_cast<int>(hn::Lanes(F()));
  for (int x = 0; x < f.field.width; x += lanes) {
    if constexpr (P::kCentres == 4)
      even_tile<kRows>(from + x, keep + x, pull + x, to + x, row, own);
    else
      step_tile<P, kRows>(from + x, keep + x, pull + x, to + x, row, own);
  }
}

/// One more pixel on every side, a copy of the nearest one inside.
HWY_INLINE void replicate_border(const PaddedPlane& p) {
  for (int y = 0; y < p.height; ++y) {
    float* row = p.at(y);
    row[-1] = row[0];
    row[p.width] = row[p.width - 1];
  }
  const auto copy = [&p](const float* from, float* to) {
    for (int x = -1; x <= p.width; ++x) to[x] = from[x];
  };
  copy(p.at(0), p.at(-1));
  copy(p.at(p.height - 1), p.at(p.height));
}

template <int kVx, int kVy>
void spread(const MgvfRule& rule, MgvfField& f) {
  using P = Pairs<kVx, kVy>;
  const float own = 1 / rule.spread - P::kCentres;
  for (int step = 0; step < rule.steps; ++step) {
    replicate_border(f.field);
    int y = 0;
    for (; y + kTileRows <= f.field.height; y += kTileRows) step_rows<P, kTileRows>(f, y, own);
    for (; y < f.field.height; ++y) step_rows<P, 1>(f, y, own);
    const PaddedPlane done = f.next;
    f.next = f.field;
    f.field = done;
  }
}

/// Vectors reach past the end of a row: keep and pull are 0 there, so the field stays 0.
void prepare(const MgvfRule& rule, const MgvfField& f) {
  const F d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const V fidelity = hn::Set(d, rule.fidelity), one = hn::Set(d, 1.0F),
          most = hn::Set(d, rule.spread);
  const int width = f.field.width;
  for (int y = 0; y < f.field.height; ++y) {
    float *field = f.field.at(y), *keep = f.keep.at(y), *pull = f.pull.at(y);
    for (int x = 0; x < width; x += lanes) {
      const V edge = hn::Load(d, field + x), pulled = hn::Mul(fidelity, edge);
      hn::Store(hn::Mul(most, hn::Sub(one, pulled)), d, keep + x);
      hn::Store(hn::Mul(pulled, edge), d, pull + x);
    }
    for (int x = width; x % lanes != 0; ++x) keep[x] = pull[x] = field[x] = 0;
  }
}

void mgvf(const MgvfRule& rule, MgvfField& f) {
  using Spread = void (*)(const MgvfRule&, MgvfField&);
  static constexpr Spread kSpread[3][3] = {{spread<-1, -1>, spread<0, -1>, spread<1, -1>},
                                           {spread<-1, 0>, spread<0, 0>, spread<1, 0>},
                                           {spread<-1, 1>, spread<0, 1>, spread<1, 1>}};
  prepare(rule, f);
  kSpread[rule.vy + 1][rule.vx + 1](rule, f);
}

void mgvf_blocks(CellsBlocks& blocks) {
  blocks.lanes = static_cast<int>(hn::Lanes(F()));
  blocks.mgvf = mgvf;
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {

HWY_EXPORT(mgvf_blocks);
void add_mgvf_blocks(CellsBlocks& blocks) { HWY_DYNAMIC_DISPATCH(mgvf_blocks)(blocks); }

}  // namespace tessera
#endif
