// SPDX-License-Identifier: Apache-2.0
// Sliding boxes, once per SIMD target.
#include <fmt/format.h>

#include <bit>
#include <vector>

#include "ops/noise/cpu/noise_slider.hpp"
#include "ops/noise/noise_values.cuh"
#include "tessera/error.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/noise/cpu/noise_slider_simd.cpp"
#include <hwy/foreach_target.h>

#include "ops/noise/cpu/noise_active-inl.hpp"
#include "ops/noise/cpu/noise_bracket-inl.hpp"
#include "ops/noise/cpu/noise_columns-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

/// Column: the type for the number of a region's column; void if marks are bins.
template <class Count, class Sum, class Column>
class Slider final : public NoiseSlider {
  static constexpr bool kRanks = !std::is_void_v<Column>;
  using Place = Bracket<Count, Sum, !kRanks>;

 public:
  explicit Slider(const NoiseSliderPlan& plan)
      : plan_(plan),
        memory_(plan.region_width, segments_for(plan.codes)),
        words_(static_cast<std::size_t>(plan.region_width)) {}

  void start(const NoiseMarks& marks) override {
    m_ = marks;
    row_ = 0;
    columns_ = memory_.clear(m_.width, m_.segments());
    if constexpr (kRanks) active_.start(static_cast<const Column*>(m_.columns), m_.blank_mark());
    for (int row = 0; row < plan_.box_height; ++row) fill(marks_at(row));
    columns_.sum_up();
    for (int& segment : segments_) segment = std::min(segment, m_.segments() - kBracketSegments);
  }

  void down() override {
    const std::uint32_t *leaving = marks_at(row_), *entering = marks_at(row_ + plan_.box_height);
    ++row_;
    const ColumnCounts<Count> columns = columns_;
    const int shift = m_.shift, width = m_.width;
    for (int x = 0; x < width; ++x) {
      const int ahead = std::min(x + kAhead, width - 1);
      columns.prefetch(ahead, leaving[ahead] >> shift);
      columns.prefetch(ahead, entering[ahead] >> shift);
      columns.exchange(x, leaving[x] >> shift, entering[x] >> shift);
    }
    if constexpr (kRanks) {
      active_.leave(leaving, width);
      active_.enter(entering, width);
    }
  }

  void along(int order, const NoiseWanted* wanted, NoiseLocated* located,
             NoiseFound* found) override {
    const int outputs = m_.width - plan_.box_width + 1;
    Place place(columns_, segments_[order], 0, plan_.box_width);
    for (int x = 0; x < outputs;) {
      x = place.follow(columns_, x, outputs, plan_.box_width, wanted, located);
      if (x == 0)
        segments_[order] = centre(place, wanted[0].index, 0);
      else if (x < outputs)
        centre(place, wanted[x].index, x);
    }
    if constexpr (kRanks) pick_ranks(wanted, located, found);
  }

 private:
  /// Columns whose counts are prefetched while others are changed.
  static constexpr int kAhead = 8;

  static int segments_for(int codes) {
    NoiseMarks marks;
    marks.codes = codes;
    return marks.segments();
  }
  void fill(const std::uint32_t* entering) {
    const ColumnCounts<Count> columns = columns_;
    const int shift = m_.shift, width = m_.width;
    for (int x = 0; x < width; ++x) {
      const int ahead = std::min(x + kAhead, width - 1);
      columns.prefetch(ahead, entering[ahead] >> shift);
      columns.fill(x, entering[x] >> shift);
    }
    if constexpr (kRanks) active_.enter(entering, width);
  }
  const std::uint32_t* marks_at(int row) const {
    return m_.marks + static_cast<std::size_t>(row) * m_.width;
  }

  /// Moves the bracket to the value at `index` of the box at x, whose sums it has, and returns
  /// where it begins.
  HWY_NOINLINE int centre(Place& place, int index, int x) {
    const int last = m_.segments() - kBracketSegments;
    const bool up = index >= place.below();
    if (up ? place.segment() < last : place.segment() > 0) {  // it seldom moves far
      place.shift(columns_, up, x, plan_.box_width);
      if (place.holds(index)) return place.segment();
    }
    const int segment = std::clamp(segment_about(place, index, x), 0, last);
    place.sum(columns_, segment, x, plan_.box_width);
    return segment;
  }

  /// How many values of the box at x lie below a segment.
  struct Border {
    int segment, below;
  };
  Border border(int segment, int x) const {
    int below = 0;
    for (int column = x; column < x + plan_.box_width; ++column)
      below += columns_.below(column)[segment];
    return {segment, below};
  }

  /// The beginning of a bracket that has the value in its middle, as far as segments allow. The
  /// search starts near the current bracket, in steps that double, and then narrows down between
  /// two steps.
  int segment_about(const Place& place, int index, int x) const {
    Border low{place.segment(), place.below()}, high = low;
    for (int step = 1; low.below > index; step *= 2) {
      high = low;
      low = border(std::max(0, low.segment - step), x);
    }
    for (int step = kBracketSegments; high.below <= index && high.segment < m_.segments();
         step *= 2) {
      low = high;
      high = border(std::min(m_.segments(), high.segment + step), x);
    }
    while (high.segment - low.segment > 1) {
      const Border middle = border((low.segment + high.segment) / 2, x);
      (middle.below <= index ? low : high) = middle;
    }
    const bool in_first_half = index - low.below < high.below - index;
    return low.segment - (kBracketSegments - (in_first_half ? 0 : 1)) / 2;
  }

  /// In two loops: a single one would be so long that the processor could overlap little more than
  /// one pixel at a time.
  HWY_NOINLINE void pick_ranks(const NoiseWanted* wanted, const NoiseLocated* located,
                               NoiseFound* found) {
    const int outputs = m_.width - plan_.box_width + 1;
    find_words(outputs, located);
    for (int x = 0; x < outputs; ++x)
      if (wanted[x].index >= 0 &&
          HWY_UNLIKELY(!active_.pick(words_[static_cast<std::size_t>(x)], located[x], m_.shift, x,
                                     plan_.box_width, wanted[x].fraction != 0, found[x])))
        found[x].next = pick_far(wanted[x].index + 1, x);
  }
  HWY_NOINLINE void find_words(int outputs, const NoiseLocated* located) {
    const ActiveRanks<Column> active = active_;
    const int shift = m_.shift, width = plan_.box_width;
    CountedBits* words = words_.data();
    for (int x = 0; x < outputs; ++x)
      words[x] = active.first_word(located[x].code, shift, x, width);
  }
  /// A value that is not followed by a bracket.
  HWY_NOINLINE std::uint32_t pick_far(int index, int x) {
    Place place(columns_, 0, x, plan_.box_width);
    centre(place, index, x);
    NoiseLocated at{};
    place.locate(index, at);
    NoiseFound found;
    active_.pick(active_.first_word(at.code, m_.shift, x, plan_.box_width), at, m_.shift, x,
                 plan_.box_width, false, found);
    return found.rank;
  }

  NoiseSliderPlan plan_;
  NoiseMarks m_;
  int row_ = 0;
  int segments_[kMostNoiseOrders] = {};
  ColumnMemory<Count> memory_;
  ColumnCounts<Count> columns_{};
  ActiveRanks<Column> active_;
  std::vector<CountedBits> words_;
};

std::unique_ptr<NoiseSlider> make_slider(const NoiseSliderPlan& plan) {
  const bool low = plan.box_height <= hwy::LimitsMax<std::uint8_t>();
  const long long pixels = 1LL * plan.box_width * plan.box_height;
  const long long in_bracket =
      plan.ranks ? static_cast<long long>(kBracketSegments * kSegmentCodes) << plan.shift : pixels;
  const bool few = std::min(pixels, in_bracket) <= hwy::LimitsMax<std::int16_t>();
  using std::int16_t, std::int32_t, std::uint16_t, std::uint8_t;
  if (!plan.ranks && low && few) return std::make_unique<Slider<uint8_t, int16_t, void>>(plan);
  if (!plan.ranks) return std::make_unique<Slider<uint16_t, int32_t, void>>(plan);
  // Regions have at most 1407x1279 values, so that a code has 512 ranks and a bracket 16384.
  if (!few)
    throw Error(ErrorKind::failure,
                fmt::format("noise: codes of {} ranks are too large for sums of 16 bits",
                            1LL << plan.shift));
  if (low && plan.narrow) return std::make_unique<Slider<uint8_t, int16_t, uint8_t>>(plan);
  if (plan.narrow) return std::make_unique<Slider<uint16_t, int16_t, uint8_t>>(plan);
  return std::make_unique<Slider<uint16_t, int16_t, uint16_t>>(plan);
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {
HWY_EXPORT(make_slider);
std::unique_ptr<NoiseSlider> make_noise_slider(const NoiseSliderPlan& plan) {
  return HWY_DYNAMIC_DISPATCH(make_slider)(plan);
}
}  // namespace tessera
#endif
