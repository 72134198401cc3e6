// SPDX-License-Identifier: Apache-2.0
// Finds values by bisection of their bits: the largest value that no more than `place` others are
// less than. Every lane has its own place, so NaN and pixels outside simply do not count. Included
// once per SIMD target (after foreach_target).
#if defined(TESSERA_RANK_BISECT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_RANK_BISECT_INL
#undef TESSERA_RANK_BISECT_INL
#else
#define TESSERA_RANK_BISECT_INL
#endif

#include <vector>

#include "ops/noise/rank/cpu/rank_rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

template <class In, class T>
class RankBisect {
 public:
  using Rows = RankRows<In, T>;
  using D = typename Rows::D;
  using V = typename Rows::V;
  using DU = hn::RebindToUnsigned<D>;
  using VU = hn::Vec<DU>;
  using U = hn::TFromD<DU>;
  static constexpr bool kFloat = std::is_floating_point_v<T>;
  static constexpr int kVectors = 4;

  explicit RankBisect(const Rows& rows)
      : rows_(rows), pixels_(rows.p.pixels.size()), places_(row_length()), counts_(row_length()) {}

  /// Before the first vector of an output row.
  void start_row(int row) {
    row_ = row;
    const RankProblem& p = rows_.p;
    for (std::size_t k = 0; k < pixels_.size(); ++k)
      pixels_[k] =
          rows_.row(row + p.pixels[k].y) + static_cast<long long>(p.pixels[k].x) * rows_.channels;
    if (!kFloat) count_pixels();
  }

  /// The results of kVectors vectors from x on.
  HWY_INLINE void make(long long x, T* to) {
    const D d;
    const long long n = Rows::lanes();
    if constexpr (kFloat) count_numbers(x);
    const DU du;
    const VU p0 = hn::LoadU(du, &places_[x]), p1 = hn::LoadU(du, &places_[x + n]);
    const VU p2 = hn::LoadU(du, &places_[x + 2 * n]), p3 = hn::LoadU(du, &places_[x + 3 * n]);
    VU k0 = hn::Zero(du), k1 = k0, k2 = k0, k3 = k0;
    for (int bit = kBits - 1; bit >= 0; --bit) {
      const VU one = hn::Set(du, static_cast<U>(U{1} << bit));
      const VU t0 = hn::Or(k0, one), t1 = hn::Or(k1, one), t2 = hn::Or(k2, one),
               t3 = hn::Or(k3, one);
      const V v0 = value(t0), v1 = value(t1), v2 = value(t2), v3 = value(t3);
      VU c0 = hn::Zero(du), c1 = c0, c2 = c0, c3 = c0;
      for (const T* pixel : pixels_) {
        c0 = hn::Sub(c0, less(hn::LoadU(d, pixel + x), v0));
        c1 = hn::Sub(c1, less(hn::LoadU(d, pixel + x + n), v1));
        c2 = hn::Sub(c2, less(hn::LoadU(d, pixel + x + 2 * n), v2));
        c3 = hn::Sub(c3, less(hn::LoadU(d, pixel + x + 3 * n), v3));
      }
      k0 = hn::IfThenElse(reached(c0, p0, t0), t0, k0);
      k1 = hn::IfThenElse(reached(c1, p1, t1), t1, k1);
      k2 = hn::IfThenElse(reached(c2, p2, t2), t2, k2);
      k3 = hn::IfThenElse(reached(c3, p3, t3), t3, k3);
    }
    hn::StoreU(result(k0, x), d, to + x);
    hn::StoreU(result(k1, x + n), d, to + x + n);
    hn::StoreU(result(k2, x + 2 * n), d, to + x + 2 * n);
    hn::StoreU(result(k3, x + 3 * n), d, to + x + 3 * n);
  }

  /// Whether a NaN is among the pixels of kVectors vectors from x on.
  bool meets_nan(long long x) const {
    const D d;
    auto nan = hn::IsNaN(hn::Zero(d));
    for (const T* pixel : pixels_)
      for (int v = 0; v < kVectors; ++v)
        nan = hn::Or(nan, hn::IsNaN(hn::LoadU(d, pixel + x + v * Rows::lanes())));
    return !hn::AllFalse(d, nan);
  }

 private:
  // A byte of an image stays one, whatever it is counted in.
  static constexpr int kBits = 8 * static_cast<int>(sizeof(In));

  std::size_t row_length() const {
    return static_cast<std::size_t>(rows_.samples + kVectors * Rows::lanes());
  }

  static HWY_INLINE VU less(V a, V limit) {
    const D d;
    return hn::BitCast(DU(), hn::VecFromMask(d, hn::Lt(a, limit)));
  }
  /// Keys of floats in the order of their values: all bits of negative ones are turned, the sign
  /// alone of others.
  static HWY_INLINE V value(VU key) {
    const D d;
    if constexpr (kFloat) {
      const DU du;
      const VU sign = hn::Set(du, static_cast<U>(U{1} << (kBits - 1)));
      const VU others = hn::Set(du, static_cast<U>(~(U{1} << (kBits - 1))));
      const hn::RebindToSigned<D> di;
      const VU positive = hn::BitCast(du, hn::BroadcastSignBit(hn::BitCast(di, key)));
      return hn::BitCast(d, hn::Xor(key, hn::Or(sign, hn::AndNot(positive, others))));
    } else {
      return hn::BitCast(d, key);
    }
  }
  static HWY_INLINE auto reached(VU less, VU place, VU key) {
    const auto few = hn::Not(hn::Lt(place, less));
    if constexpr (!kFloat) return few;
    constexpr U kInfinity =
        sizeof(T) == 4 ? static_cast<U>(0xff800000U) : static_cast<U>(0xfff0000000000000ULL);
    return hn::AndNot(hn::Lt(hn::Set(DU(), kInfinity), key), few);  // what follows is NaN
  }

  /// Nothing under the footprint: NaN, of which integers have none (0 then).
  HWY_INLINE V result(VU key, long long x) const {
    const D d;
    const DU du;
    const auto nothing = hn::Eq(hn::LoadU(du, &counts_[x]), hn::Zero(du));
    if constexpr (kFloat)
      return hn::IfThenElse(hn::RebindMask(d, nothing),
                            hn::Set(d, std::numeric_limits<T>::quiet_NaN()), value(key));
    else
      return hn::IfThenZeroElse(hn::RebindMask(d, nothing), value(key));
  }

  void set_count(long long x, int count) {
    counts_[static_cast<std::size_t>(x)] = static_cast<U>(count);
    places_[static_cast<std::size_t>(x)] =
        static_cast<U>((*rows_.b.places)[static_cast<std::size_t>(count)]);
  }

  /// Floats: those that are not NaN, whether they are in the image or stand for pixels outside.
  void count_numbers(long long x) {
    const D d;
    const DU du;
    const long long n = Rows::lanes();
    for (int v = 0; v < kVectors; ++v) {
      VU count = hn::Zero(du);
      for (const T* pixel : pixels_) {
        const V value = hn::LoadU(d, pixel + x + v * n);
        count = hn::Sub(count, hn::BitCast(du, hn::VecFromMask(d, hn::Eq(value, value))));
      }
      hn::StoreU(count, du, &counts_[x + v * n]);
    }
    for (long long k = x; k < x + kVectors * n; ++k)
      set_count(k, static_cast<int>(counts_[static_cast<std::size_t>(k)]));
  }

  /// Integers: pixels inside the image, or all of them if the border has values.
  void count_pixels() {
    const RankProblem& p = rows_.p;
    const int all = p.count();
    if (p.windows_are_full()) {
      if (row_ > 0) return;  // as in the first row
      for (long long x = 0; x < std::ssize(places_); ++x) set_count(x, all);
      return;
    }
    for (long long x = 0; x < std::ssize(places_); ++x) {
      const int column = rows_.b.first_column + static_cast<int>(x) / rows_.channels - p.anchor.x;
      set_count(x, pixels_inside(column));
    }
  }
  int pixels_inside(int column) const {
    const RankProblem& p = rows_.p;
    const auto inside = [&](Point at) {
      return rows_.b.in_rows[row_ + at.y] && column + at.x >= 0 &&
             column + at.x < p.image.size.width;
    };
    return static_cast<int>(std::count_if(p.pixels.begin(), p.pixels.end(), inside));
  }

  const Rows& rows_;
  int row_ = 0;
  std::vector<const T*> pixels_;  ///< where the first output of the row reads each pixel
  std::vector<U> places_, counts_;
};

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif
