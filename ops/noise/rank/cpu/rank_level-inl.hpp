// SPDX-License-Identifier: Apache-2.0
// Sixteen counts of pixels of up to 0, 1, … 15: a level of a histogram, already added up. Included
// once per SIMD target (after foreach_target).
#if defined(TESSERA_RANK_LEVEL_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_RANK_LEVEL_INL
#undef TESSERA_RANK_LEVEL_INL
#else
#define TESSERA_RANK_LEVEL_INL
#endif

#include <hwy/highway.h>

#include <array>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Count = std::int16_t;
/// Counts of up to 65535 begin here, because vectors compare signed numbers faster.
constexpr Count kNone = INT16_MIN;

/// One vector, or as many as it takes.
class Level {
 public:
  static HWY_INLINE Level load(const Count* at) {
    Level level;
    level.each([&](V& part, std::size_t k) HWY_ATTR { part = hn::LoadU(D(), at + k); });
    return level;
  }
  static HWY_INLINE Level all(Count value) {
    Level level;
    level.each([&](V& part, std::size_t) HWY_ATTR { part = hn::Set(D(), value); });
    return level;
  }
  HWY_INLINE void store(Count* at) {
    each([&](V& part, std::size_t k) HWY_ATTR { hn::StoreU(part, D(), at + k); });
  }
  HWY_INLINE void add(const Count* at) {
    each([&](V& part, std::size_t k) HWY_ATTR { part = hn::Add(part, hn::LoadU(D(), at + k)); });
  }
  HWY_INLINE void subtract(const Count* at) {
    each([&](V& part, std::size_t k) HWY_ATTR { part = hn::Sub(part, hn::LoadU(D(), at + k)); });
  }
  /// How many of the sixteen are at most `place`, which is less than 65535 pixels: the first that
  /// is more is the place's own.
  HWY_INLINE std::size_t up_to(Count place) {
    const V limit = hn::Set(D(), static_cast<Count>(place + 1));
    std::size_t found = 0;
    each([&](V& part, std::size_t) HWY_ATTR { found += hn::CountTrue(D(), hn::Lt(part, limit)); });
    return found;
  }

 private:
  using D = hn::CappedTag<Count, 16>;
  using V = hn::Vec<D>;
  static constexpr std::size_t kLanes = hn::MaxLanes(D());

  template <class Do>
  HWY_INLINE void each(const Do& make) {
    for (std::size_t k = 0; k < 16; k += kLanes) make(parts_[k / kLanes], k);
  }

  V parts_[16 / kLanes];
};

/// Row k is added to a level for every pixel of value k.
struct LevelSteps {
  alignas(32) Count of[16][16];
};
constexpr LevelSteps level_steps() {
  LevelSteps steps{};
  for (int value = 0; value < 16; ++value)
    for (int k = value; k < 16; ++k) steps.of[value][k] = 1;
  return steps;
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif
