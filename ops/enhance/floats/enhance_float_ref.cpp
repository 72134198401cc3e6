// SPDX-License-Identifier: Apache-2.0
// The definition of the steps of f32 and f64 images, in double; storing rounds to the type. It
// shares no arithmetic with the fast path, except that pieces of an image know only its findings.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/samples.hpp"
#include "ops/enhance/enhance_ref_steps.hpp"

namespace tessera {
namespace {

class FloatReference : public ReferenceSteps {
 public:
  using ReferenceSteps::ReferenceSteps;

 private:
  /// The bits of a value as a number that is larger for larger values, and their count.
  unsigned long long order_of(double value) const {
    const bool single = problem_.image.type == Type::f32;
    const auto as_float = static_cast<float>(value);
    unsigned int narrow = 0;
    unsigned long long bits = 0;
    std::memcpy(&narrow, &as_float, 4);
    std::memcpy(&bits, &value, 8);
    if (single) bits = narrow;
    const unsigned long long sign = 1ULL << (single ? 31 : 63);
    if (value == 0) return sign;
    return value > 0 ? bits + sign : 2 * sign - 1 - bits;
  }

  void count(const EnhanceStage& stage, const StageFinding& finding, int sweep, AnyView in,
             SweepCounts& counts) const override {
    const int digits = problem_.image.type == Type::f32 ? 2 : 4,
              groups = groups_of(problem_, stage.in);
    const std::size_t each = sweep == 0 ? 65536 : 131072;
    for_pixels(in.size, [&](int x, int y, int plane) {
      for (int c = 0; c < colours_of(stage.in); ++c) {
        const double v = sample_at(in, x, y, c, plane);
        if (!std::isfinite(v)) continue;
        const auto group = static_cast<std::size_t>(plane * groups + (groups == 1 ? 0 : c));
        const unsigned long long order = order_of(v) >> 16 * (digits - 1 - sweep);
        std::uint64_t* own = counts.values.data() + group * each;
        if (sweep == 0)
          ++own[order];
        else if (order / 65536 == finding.limits[group].prefix[0])
          ++own[order % 65536];
        else if (order / 65536 == finding.limits[group].prefix[1])
          ++own[65536 + order % 65536];
      }
    });
  }

  void change(const EnhanceStage& stage, const StageFinding& finding, const Held& before,
              Held& result) const override {
    if (stage.step == EnhanceStep::grey) return grey(before.image.view(), result.image.view());
    const bool whole = result.image.info() == stage.out;
    copy_samples(before.image.view(), result.image.view());  // alpha
    const int groups = groups_of(problem_, stage.in), channels = colours_of(stage.in) / groups;
    for (int plane = 0; plane < stage.in.size.planes; ++plane)
      for (int group = 0; group < groups; ++group) {
        const FloatLimits found = finding.limits[static_cast<std::size_t>(plane * groups + group)];
        const Limits limits =
            whole ? sorted_limits(before.image.view(), plane, group * channels, channels)
                  : Limits{found.low, found.high, !found.none};
        if (limits.any)
          stretch(limits, before.image.view(), result.image.view(), plane, group * channels,
                  channels);
      }
  }

  void grey(AnyView in, AnyMutableView out) const {
    for_pixels(in.size, [&](int x, int y, int plane) {
      const auto part = [&](int c) {
        return problem_.grey[static_cast<std::size_t>(c)] / 65536.0 * sample_at(in, x, y, c, plane);
      };
      double sum = part(0) + part(1) + part(2);
      if (std::isnan(sum)) sum = std::numeric_limits<double>::quiet_NaN();
      store_sample(out, x, y, 0, plane, sum);
      if (in.size.channels == 4) store_sample(out, x, y, 1, plane, sample_at(in, x, y, 3, plane));
    });
  }

  struct Limits {
    double low = 0, high = 0;
    bool any = false;
  };

  Limits sorted_limits(AnyView in, int plane, int first, int channels) const {
    std::vector<double> values;
    for (int y = 0; y < in.size.height; ++y)
      for (int x = 0; x < in.size.width; ++x)
        for (int c = first; c < first + channels; ++c)
          if (std::isfinite(sample_at(in, x, y, c, plane)))
            values.push_back(sample_at(in, x, y, c, plane));
    if (values.empty()) return {};
    std::sort(values.begin(), values.end());
    const auto at = [&](long long share) {
      const auto rank = static_cast<std::size_t>(rank_of(share, values.size()));
      return values[rank == 0 ? 0 : rank - 1];
    };
    const double low = at(problem_.low), high = at(problem_.high);
    return {low, high, low < high};
  }

  static void stretch(const Limits& limits, AnyView in, AnyMutableView out, int plane, int first,
                      int channels) {
    // Half of both if their distance is infinite.
    const double part = std::isinf(limits.high - limits.low) ? 0.5 : 1;
    for (int y = 0; y < in.size.height; ++y)
      for (int x = 0; x < in.size.width; ++x)
        for (int c = first; c < first + channels; ++c) {
          const double v = sample_at(in, x, y, c, plane);
          if (std::isnan(v)) continue;
          const double share =
              (v * part - limits.low * part) / (limits.high * part - limits.low * part);
          store_sample(out, x, y, c, plane, share <= 0 ? 0 : std::min(share, 1.0));
        }
  }

  double followed(double colour, double value, double made) const override {
    if (std::isnan(value) || value <= 0 || colour == value) return made;
    const double share = colour * made / value;
    return std::isnan(share) ? 0 : share;
  }
};

}  // namespace

EnhanceRunnerPointer make_float_reference(const EnhanceProblem& problem) {
  return std::make_unique<FloatReference>(problem);
}

}  // namespace tessera
