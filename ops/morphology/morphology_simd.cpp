// SPDX-License-Identifier: Apache-2.0
// The work of the CPU methods, once a SIMD target. Lanes are outputs; channels lie side by side, so
// a neighbour is `channels` keys away. Rows stream through: each input row becomes its windows
// once, and output rows are put together from the windows of the rows that the element covers.
#include "ops/morphology/morphology_cpu.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/morphology/morphology_simd.cpp"
#include <hwy/foreach_target.h>

#include "ops/morphology/morphology_keys-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

// Vectors that go through a list of rows together, so that looking up a row serves them all.
constexpr int kVectors = HWY_ARCH_X86 && HWY_TARGET >= HWY_AVX2 ? 4 : 6;

template <int kBytes, bool kMax>
struct Block {
  using K = Keys<kBytes, kMax>;
  using Key = typename K::Key;
  using D = typename K::D;
  using V = typename K::V;
  using Rows = std::vector<const Key*>;

  const MorphologyBlock& b;
  const MorphologyProblem& p = *b.problem;
  const int channels = p.image.size.channels;
  const long long lanes = static_cast<long long>(hn::Lanes(D()));
  Key outside = K::kLosing;
  Rows shared, upper, lower;

  explicit Block(const MorphologyBlock& block) : b(block) {
    if (p.border != Border::constant) return;
    const unsigned long long bits = constant_bits(p);
    outside =
        static_cast<Key>(to_key<kBytes, kMax>(static_cast<typename KeyTypes<kBytes>::Bits>(bits)));
  }

  Key* kept(int row, int window) const {
    const long long slot = static_cast<long long>(row % b.kept_rows) * b.plan->kept + window;
    return static_cast<Key*>(b.kept) + slot * b.row_step;
  }

  typename K::Sink sink(int row) const {
    unsigned char* out =
        b.out + (row * b.out_row + static_cast<long long>(b.first_column) * b.out_pixel) * kBytes;
    return {out, b.out_pixel, b.columns, channels, static_cast<Key*>(b.running)};
  }

  /// to(x) = best of from(x + offset) over the window's offsets; in place is right, for reads never
  /// go back.
  template <int kReads>
  void widen(const Key* from, const RowWindow& window, long long count, Key* to) const {
    const D d;
    const long long o1 = static_cast<long long>(window.offsets[1]) * channels;
    const long long o2 = static_cast<long long>(window.offsets[kReads > 2 ? 2 : 1]) * channels;
    const long long o3 = static_cast<long long>(window.offsets[kReads > 3 ? 3 : 1]) * channels;
    for (long long x = 0; x < count; x += lanes) {
      V best = K::best(hn::LoadU(d, from + x), hn::LoadU(d, from + x + o1));
      if (kReads == 3) best = K::best(best, hn::LoadU(d, from + x + o2));
      if (kReads == 4)
        best = K::best(best, K::best(hn::LoadU(d, from + x + o2), hn::LoadU(d, from + x + o3)));
      hn::StoreU(best, d, to + x);
    }
  }
  void widen(const Key* from, const RowWindow& window, long long count, Key* to) const {
    if (window.reads == 2) return widen<2>(from, window, count, to);
    if (window.reads == 3) return widen<3>(from, window, count, to);
    widen<4>(from, window, count, to);
  }

  /// The pixels of an input row, borders included: in the image itself where that can be.
  const Key* pixels_of(const unsigned char* row, Key* to) const {
    const int first = b.first_column - p.anchor.x, count = b.columns + p.width - 1;
    const bool may_stay = kBytes <= 2 && row && b.in_pixel == channels &&
                          b.plan->windows[0].kept < 0 && first >= 0 &&
                          1LL * first + count + kKeySlack <= p.image.size.width;
    if (may_stay)
      return reinterpret_cast<const Key*>(row) + static_cast<long long>(first) * channels;
    K::load_row(row, b.in_pixel, p.image.size.width, channels, p.border, outside, first, count, to);
    return to;
  }

  /// All windows of one input row.
  void make_windows(int row) const {
    const auto place = [&](const RowWindow& w) {
      return w.kept >= 0 ? kept(row, w.kept) : static_cast<Key*>(b.row);
    };
    const auto& windows = b.plan->windows;
    const Key* from = pixels_of(b.in_rows[row], place(windows[0]));
    for (std::size_t k = 1; k < windows.size(); ++k) {
      Key* to = place(windows[k]);
      const long long count = 1LL * (b.columns + p.width - windows[k].length) * channels;
      widen(from, windows[k], count, to);
      from = to;
    }
  }

  void find_terms(const std::vector<WindowTerm>& terms, int row, Rows& rows) const {
    rows.clear();
    for (const WindowTerm& term : terms)
      rows.push_back(kept(row + term.row, term.kept) +
                     static_cast<long long>(term.first) * channels);
  }

  template <int kCount>
  static HWY_INLINE void add_rows(const Rows& rows, long long x, long long lanes,
                                  V (&best)[kVectors]) {
    const D d;
    for (const Key* row : rows)
      for (int v = 0; v < kCount; ++v)
        best[v] = K::best(best[v], hn::LoadU(d, row + x + v * lanes));
  }

  /// Two output rows at once (or one: `two` false) from the terms found before.
  template <int kCount>
  HWY_INLINE void put_rows(long long x, const typename K::Sink& first,
                           const typename K::Sink* second) const {
    const D d;
    V both[kVectors], best[kVectors];
    for (int v = 0; v < kCount; ++v) both[v] = hn::Set(d, K::kLosing);
    add_rows<kCount>(shared, x, lanes, both);
    for (int v = 0; v < kCount; ++v) best[v] = both[v];
    add_rows<kCount>(upper, x, lanes, best);
    for (int v = 0; v < kCount; ++v) first.put(x + v * lanes, best[v]);
    if (!second) return;
    for (int v = 0; v < kCount; ++v) best[v] = both[v];
    add_rows<kCount>(lower, x, lanes, best);
    for (int v = 0; v < kCount; ++v) second->put(x + v * lanes, best[v]);
  }

  void combine(int row, bool two) {
    shared.clear();
    if (two) find_terms(b.plan->shared, row, shared);
    find_terms(two ? b.plan->upper : b.plan->single, row, upper);
    if (two) find_terms(b.plan->lower, row, lower);
    const auto first = sink(row);
    auto second = sink(two ? row + 1 : row);
    // Both rows may wait in memory of ours: the second behind the first.
    second.between += b.row_step;
    long long x = 0;
    for (; x + kVectors * lanes <= first.samples(); x += kVectors * lanes)
      put_rows<kVectors>(x, first, two ? &second : nullptr);
    for (; x < first.samples(); x += lanes) put_rows<1>(x, first, two ? &second : nullptr);
    first.finish();
    if (two) second.finish();
  }

  void run_direct() {
    int made = 0;
    for (int row = 0; row < b.rows; row += 2) {
      const bool two = row + 1 < b.rows;
      for (; made < row + p.height + (two ? 1 : 0); ++made) make_windows(made);
      combine(row, two);
    }
  }

  /// Every row of the group becomes the best of itself and the rows below it.
  void scan_upwards() const {
    const D d;
    const long long samples = static_cast<long long>(b.columns) * channels;
    for (long long x = 0; x < samples; x += 2 * lanes) {
      V one = hn::LoadU(d, kept(p.height - 1, 0) + x);
      V two = hn::LoadU(d, kept(p.height - 1, 0) + x + lanes);
      for (int k = p.height - 2; k > 0; --k) {
        Key* row = kept(k, 0) + x;
        one = K::best(one, hn::LoadU(d, row));
        two = K::best(two, hn::LoadU(d, row + lanes));
        hn::StoreU(one, d, row);
        hn::StoreU(two, d, row + lanes);
      }
    }
  }

  /// van Herk and Gil-Werman: rows in groups of the box's height. An output row is the best of the
  /// end of one group (scanned upwards when it was whole) and the beginning of the next (a running
  /// best): three comparisons whatever the height.
  void run_separable() {
    const D d;
    Key* running = static_cast<Key*>(b.running) + b.row_step;  // before it: rows that must wait
    const int all = b.rows + p.height - 1;
    for (int row = 0; row < all; ++row) {
      make_windows(row);
      const int k = row % p.height;  // of its group
      const bool first = k == 0, last = k == p.height - 1, puts = row >= p.height - 1;
      const Key* now = kept(row, 0);
      const Key* group = last ? now : kept(k + 1, 0);  // the group before, from the next row on
      const auto to = sink(puts ? row - p.height + 1 : 0);
      for (long long x = 0; x < to.samples(); x += lanes) {
        V best = hn::LoadU(d, now + x);
        if (!first) best = K::best(best, hn::LoadU(d, running + x));
        hn::StoreU(best, d, running + x);
        if (puts) to.put(x, K::best(best, hn::LoadU(d, group + x)));
      }
      if (puts) to.finish();
      if (last && row + 1 < all) scan_upwards();
    }
  }
};

#define TESSERA_MORPHOLOGY_FUNCTIONS(name, bytes, max)                                \
  void direct_##name(const MorphologyBlock& b) { Block<bytes, max>(b).run_direct(); } \
  void separable_##name(const MorphologyBlock& b) { Block<bytes, max>(b).run_separable(); }

TESSERA_MORPHOLOGY_FUNCTIONS(erode_1, 1, false)
TESSERA_MORPHOLOGY_FUNCTIONS(erode_2, 2, false)
TESSERA_MORPHOLOGY_FUNCTIONS(erode_4, 4, false)
TESSERA_MORPHOLOGY_FUNCTIONS(erode_8, 8, false)
TESSERA_MORPHOLOGY_FUNCTIONS(dilate_1, 1, true)
TESSERA_MORPHOLOGY_FUNCTIONS(dilate_2, 2, true)
TESSERA_MORPHOLOGY_FUNCTIONS(dilate_4, 4, true)
TESSERA_MORPHOLOGY_FUNCTIONS(dilate_8, 8, true)
#undef TESSERA_MORPHOLOGY_FUNCTIONS

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {

#define TESSERA_MORPHOLOGY_CHOICE(way)                                                             \
  HWY_EXPORT(way##_erode_1);                                                                       \
  HWY_EXPORT(way##_erode_2);                                                                       \
  HWY_EXPORT(way##_erode_4);                                                                       \
  HWY_EXPORT(way##_erode_8);                                                                       \
  HWY_EXPORT(way##_dilate_1);                                                                      \
  HWY_EXPORT(way##_dilate_2);                                                                      \
  HWY_EXPORT(way##_dilate_4);                                                                      \
  HWY_EXPORT(way##_dilate_8);                                                                      \
  MorphologyBlockFunction morphology_##way##_function(const MorphologyProblem& problem) {          \
    const bool erode = problem.kind == MorphologyKind::erode;                                      \
    switch (problem.image.type) {                                                                  \
      case Type::u8:                                                                               \
        return erode ? HWY_DYNAMIC_DISPATCH(way##_erode_1) : HWY_DYNAMIC_DISPATCH(way##_dilate_1); \
      case Type::u16:                                                                              \
        return erode ? HWY_DYNAMIC_DISPATCH(way##_erode_2) : HWY_DYNAMIC_DISPATCH(way##_dilate_2); \
      case Type::f32:                                                                              \
        return erode ? HWY_DYNAMIC_DISPATCH(way##_erode_4) : HWY_DYNAMIC_DISPATCH(way##_dilate_4); \
      default:                                                                                     \
        return erode ? HWY_DYNAMIC_DISPATCH(way##_erode_8) : HWY_DYNAMIC_DISPATCH(way##_dilate_8); \
    }                                                                                              \
  }

TESSERA_MORPHOLOGY_CHOICE(direct)
TESSERA_MORPHOLOGY_CHOICE(separable)
#undef TESSERA_MORPHOLOGY_CHOICE

}  // namespace tessera
#endif
