// SPDX-License-Identifier: Apache-2.0
// The work of the CPU methods, once per SIMD target. Lanes are outputs; channels are adjacent, so a
// neighbour is `channels` keys away. Rows stream through: the windows of each input row are made
// once, and output rows are put together from the windows of the rows that the element covers.
#include "ops/morphology/cpu/morphology_cpu.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/morphology/cpu/morphology_simd.cpp"
#include <hwy/foreach_target.h>

#include "ops/morphology/cpu/morphology_keys-inl.hpp"
#include "ops/morphology/cpu/morphology_narrow-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

// Vectors that pass through a list of rows together, so that one look-up of a row serves them all.
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
  Key outside = K::kLosing;
  Rows shared, upper, lower;

  explicit Block(const MorphologyBlock& block) : b(block) {
    if (p.border != Border::constant) return;
    const unsigned long long bits = constant_bits(p);
    outside = K::key_of(static_cast<typename KeyTypes<kBytes>::Bits>(bits));
  }

  // Loops keep what they read in local variables: for all the compiler knows, a store of bytes
  // might change a member.
  static HWY_INLINE long long lane_count() { return static_cast<long long>(hn::Lanes(D())); }

  Key* kept(int row, int window) const {
    const long long slot = static_cast<long long>(row % b.kept_rows) * b.plan->kept + window;
    return static_cast<Key*>(b.kept) + slot * b.row_step;
  }

  /// `waiting`: which buffered row to use if the image's pixels have gaps.
  typename K::Sink sink(int row, int waiting) const {
    unsigned char* out =
        b.out + (row * b.out_row + static_cast<long long>(b.first_column) * b.out_pixel) * kBytes;
    return typename K::Sink(out, b.out_pixel, b.columns, channels,
                            static_cast<Key*>(b.running) + waiting * b.row_step);
  }

  /// to(x) = best of from(x + offset) over the window's offsets; may be done in place, because
  /// reads never go back.
  template <int kReads>
  void widen(const Key* from, const RowWindow& window, long long count, Key* to) const {
    const D d;
    const long long lanes = lane_count();
    const long long o1 = static_cast<long long>(window.offsets[1]) * channels;
    const long long o2 = static_cast<long long>(window.offsets[kReads > 2 ? 2 : 1]) * channels;
    const long long o3 = static_cast<long long>(window.offsets[kReads > 3 ? 3 : 1]) * channels;
    const auto at = [=](const Key* here) HWY_ATTR {
      V best = K::best(hn::LoadU(d, here), hn::LoadU(d, here + o1));
      if (kReads == 3) best = K::best(best, hn::LoadU(d, here + o2));
      if (kReads == 4)
        best = K::best(best, K::best(hn::LoadU(d, here + o2), hn::LoadU(d, here + o3)));
      return best;
    };
    long long x = 0;
    for (; x + lanes < count; x += 2 * lanes) {
      const V one = at(from + x), two = at(from + x + lanes);
      hn::StoreU(one, d, to + x);
      hn::StoreU(two, d, to + x + lanes);
    }
    for (; x < count; x += lanes) hn::StoreU(at(from + x), d, to + x);
  }
  void widen(const Key* from, const RowWindow& window, long long count, Key* to) const {
    if (window.reads == 2) return widen<2>(from, window, count, to);
    if (window.reads == 3) return widen<3>(from, window, count, to);
    widen<4>(from, window, count, to);
  }

  /// The pixels of an input row, borders included.
  void copy_pixels(const unsigned char* row, Key* to) const {
    K::load_row(row, b.in_pixel, p.image.size.width, channels, p.border, outside,
                b.first_column - p.anchor.x, b.columns + p.width - 1, to);
  }

  /// The same, in the image itself if possible.
  const Key* pixels_of(const unsigned char* row, Key* to) const {
    const int first = b.first_column - p.anchor.x, count = b.columns + p.width - 1;
    const bool may_stay = !K::kEncoded && row && b.in_pixel == channels &&
                          b.plan->windows[0].kept < 0 && first >= 0 &&
                          1LL * first + count + kKeySlack <= p.image.size.width;
    if (may_stay)
      return reinterpret_cast<const Key*>(row) + static_cast<long long>(first) * channels;
    copy_pixels(row, to);
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

  /// Rows to process; the pointers stay where find_terms put them.
  struct RowList {
    const Key* const* first;
    const Key* const* end;
    explicit RowList(const Rows& rows) : first(rows.data()), end(rows.data() + rows.size()) {}
  };

  template <int kCount>
  static HWY_INLINE void add_rows(RowList rows, long long x, V (&best)[kVectors]) {
    const D d;
    for (; rows.first != rows.end; ++rows.first)
      for (int v = 0; v < kCount; ++v)
        best[v] = K::best(best[v], hn::LoadU(d, *rows.first + x + v * lane_count()));
  }

  /// The best of two output rows that share terms.
  template <int kCount>
  static HWY_INLINE void both_rows(RowList shared, RowList upper, RowList lower, long long x,
                                   V (&first)[kVectors], V (&second)[kVectors]) {
    const D d;
    for (int v = 0; v < kCount; ++v) first[v] = hn::Set(d, K::kLosing);
    add_rows<kCount>(shared, x, first);
    for (int v = 0; v < kCount; ++v) second[v] = first[v];
    add_rows<kCount>(upper, x, first);
    add_rows<kCount>(lower, x, second);
  }

  void combine_two(int row) {
    find_terms(b.plan->shared, row, shared);
    find_terms(b.plan->upper, row, upper);
    find_terms(b.plan->lower, row, lower);
    const RowList both(shared), above(upper), below(lower);
    const auto first = sink(row, 0), second = sink(row + 1, 1);
    const long long lanes = lane_count(), samples = first.samples();
    V one[kVectors], two[kVectors];
    long long x = 0;
    for (; x + kVectors * lanes <= samples; x += kVectors * lanes) {
      both_rows<kVectors>(both, above, below, x, one, two);
      for (int v = 0; v < kVectors; ++v) first.put(x + v * lanes, one[v]);
      for (int v = 0; v < kVectors; ++v) second.put(x + v * lanes, two[v]);
    }
    for (; x < samples; x += lanes) {
      both_rows<1>(both, above, below, x, one, two);
      first.put_end(x, one[0]);
      second.put_end(x, two[0]);
    }
    first.finish();
    second.finish();
  }

  void combine_one(int row) {
    find_terms(b.plan->single, row, upper);
    const RowList rows(upper);
    const auto to = sink(row, 0);
    const long long lanes = lane_count(), samples = to.samples();
    V best[kVectors];
    for (long long x = 0; x < samples; x += lanes) {
      best[0] = hn::Set(D(), K::kLosing);
      add_rows<1>(rows, x, best);
      to.put_end(x, best[0]);
    }
    to.finish();
  }

  void run_windows() {
    int made = 0;
    for (int row = 0; row < b.rows; row += 2) {
      const bool two = row + 1 < b.rows;
      for (; made < row + p.height + (two ? 1 : 0); ++made) make_windows(made);
      two ? combine_two(row) : combine_one(row);
    }
  }

  /// Only the pixels are kept, instead of the box's single window.
  void run_narrow_box(NarrowBoxRows<K> two_rows) const {
    std::vector<Key*> rows;
    for (int k = 0; k <= p.height; ++k) rows.push_back(kept(k, 0));
    int made = 0;
    const auto make = [&](Key* to) { copy_pixels(b.in_rows[made++], to); };
    for (Key* to : rows) make(to);
    for (int row = 0; row < b.rows; row += 2) {
      const int upper_row = HWY_MIN(row, b.rows - 2);  // the last of an odd number: repeated
      for (; made <= upper_row + p.height; make(rows.back()))
        std::rotate(rows.begin(), rows.begin() + 1, rows.end());
      const auto first = sink(upper_row, 0), second = sink(upper_row + 1, 1);
      two_rows(rows.data(), p.height, first, second);
      first.finish();
      second.finish();
    }
  }

  void run_direct() {
    const NarrowBoxRows<K> two_rows = find_narrow_box<K>(p.width, channels);
    if (two_rows && p.is_box() && p.height > 1 && b.rows > 1) return run_narrow_box(two_rows);
    run_windows();
  }

  /// Every row of the group becomes the best of itself and the rows below it.
  void scan_upwards() const {
    const D d;
    const long long lanes = lane_count(), samples = static_cast<long long>(b.columns) * channels;
    const long long step = b.row_step;
    for (long long x = 0; x < samples; x += 2 * lanes) {
      Key* row = kept(p.height - 1, 0) + x;
      V one = hn::LoadU(d, row), two = hn::LoadU(d, row + lanes);
      for (int k = p.height - 2; k > 0; --k) {
        row -= step;
        one = K::best(one, hn::LoadU(d, row));
        two = K::best(two, hn::LoadU(d, row + lanes));
        hn::StoreU(one, d, row);
        hn::StoreU(two, d, row + lanes);
      }
    }
  }

  /// running = best of running and now (only now at the beginning of a group).
  static void go_on(const Key* now, bool begins, long long samples, Key* running) {
    const D d;
    const long long lanes = lane_count();
    for (long long x = 0; x < samples; x += lanes) {
      const V row = hn::LoadU(d, now + x);
      hn::StoreU(begins ? row : K::best(row, hn::LoadU(d, running + x)), d, running + x);
    }
  }

  /// The same, and out = best of that and the end of the previous group.
  static void go_on_and_put(const Key* now, bool begins, const Key* group, typename K::Sink to,
                            Key* running) {
    const D d;
    const long long lanes = lane_count(), samples = to.samples();
    const Key* before = begins ? now : running;
    const auto at = [=](long long x) HWY_ATTR {
      const V best = K::best(hn::LoadU(d, now + x), hn::LoadU(d, before + x));
      hn::StoreU(best, d, running + x);
      return K::best(best, hn::LoadU(d, group + x));
    };
    long long x = 0;
    for (; x + lanes <= samples; x += lanes) to.put(x, at(x));
    if (x < samples) to.put_end(x, at(x));
    to.finish();
  }

  /// van Herk and Gil-Werman: rows in groups of the box's height. An output row is the best of the
  /// end of one group (scanned upwards when it was complete) and the beginning of the next (a
  /// running best): three comparisons whatever the height.
  void run_separable() {
    Key* running = static_cast<Key*>(b.running) + b.row_step;  // before it: rows that must wait
    const int all = b.rows + p.height - 1;
    for (int row = 0; row < all; ++row) {
      make_windows(row);
      const int k = row % p.height;  // of its group
      const bool begins = k == 0, ends = k == p.height - 1;
      const Key* now = kept(row, 0);
      const Key* group = ends ? now : kept(k + 1, 0);  // the previous group, from the next row on
      if (row >= p.height - 1)
        go_on_and_put(now, begins, group, sink(row - p.height + 1, 0), running);
      else
        go_on(now, begins, 1LL * b.columns * channels, running);
      if (ends && row + 1 < all) scan_upwards();
    }
  }
};

#define TESSERA_MORPHOLOGY_FUNCTIONS(name, bytes, max) \
  void direct_##name(const MorphologyBlock& b) {       \
    [[maybe_unused]] const OneNan mode;                \
    Block<bytes, max>(b).run_direct();                 \
  }                                                    \
  void separable_##name(const MorphologyBlock& b) {    \
    [[maybe_unused]] const OneNan mode;                \
    Block<bytes, max>(b).run_separable();              \
  }

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
