// SPDX-License-Identifier: Apache-2.0
// The definition of the steps of u8 and u16 images.
#include <algorithm>

#include "ops/enhance/enhance_ref_steps.hpp"

namespace tessera {
namespace {

long long value_at(const AnyView& view, int x, int y, int channel, int plane) {
  return view.type == Type::u8 ? view.as<const std::uint8_t>().at(x, y, channel, plane)
                               : view.as<const std::uint16_t>().at(x, y, channel, plane);
}

void store(const AnyMutableView& view, int x, int y, int channel, int plane, long long value) {
  if (view.type == Type::u8)
    view.as<std::uint8_t>().at(x, y, channel, plane) = static_cast<std::uint8_t>(value);
  else
    view.as<std::uint16_t>().at(x, y, channel, plane) = static_cast<std::uint16_t>(value);
}

class IntegerReference : public ReferenceSteps {
 public:
  using ReferenceSteps::ReferenceSteps;

 private:
  void count(const EnhanceStage& stage, const StageFinding&, int, AnyView in,
             SweepCounts& counts) const override {
    for_pixels(in.size, [&](int x, int y, int plane) {
      for (int c = 0; c < colours_of(stage.in); ++c)
        ++counts.values[curve_place(stage, plane, c, value_at(in, x, y, c, plane))];
    });
  }

  void change(const EnhanceStage& stage, const StageFinding& finding, const Held& before,
              Held& result) const override {
    if (stage.step == EnhanceStep::grey)
      grey(before.image.view(), result.image.view());
    else if (stage.step == EnhanceStep::smooth)
      smooth(stage, before, result);
    else
      follow_curve(stage, finding, before.image.view(), result.image.view());
  }

  double followed(double colour, double value, double made) const override {
    const auto v = static_cast<long long>(value);
    if (v == 0) return made;
    const long long quotient =
        (static_cast<long long>(colour) * static_cast<long long>(made) + v / 2) / v;
    return static_cast<double>(quotient);
  }

  /// The index of a value in counts and curves.
  std::size_t curve_place(const EnhanceStage& stage, int plane, int channel,
                          long long value) const {
    const int group = problem_.together ? 0 : channel;
    return static_cast<std::size_t>(
        (1LL * plane * groups_of(problem_, stage.in) + group) * problem_.levels() + value);
  }

  void grey(AnyView in, AnyMutableView out) const {
    const auto [red, green, blue] = problem_.grey;
    for_pixels(in.size, [&, wr = red, wg = green, wb = blue](int x, int y, int plane) {
      const long long sum = wr * value_at(in, x, y, 0, plane) + wg * value_at(in, x, y, 1, plane) +
                            wb * value_at(in, x, y, 2, plane);
      store(out, x, y, 0, plane, (sum + 32768) / 65536);
      if (in.size.channels == 4) store(out, x, y, 1, plane, value_at(in, x, y, 3, plane));
    });
  }

  void follow_curve(const EnhanceStage& stage, const StageFinding& finding, AnyView in,
                    AnyMutableView out) const {
    copy_samples(in, out);  // alpha
    for_pixels(in.size, [&](int x, int y, int plane) {
      for (int c = 0; c < colours_of(stage.in); ++c) {
        const long long v = value_at(in, x, y, c, plane);
        store(out, x, y, c, plane, finding.curve[curve_place(stage, plane, c, v)]);
      }
    });
  }

  void smooth(const EnhanceStage& stage, const Held& before, Held& result) const {
    const AnyView in = before.image.view();
    for_pixels(result.image.info().size, [&](int x, int y, int plane) {
      const int row = y + result.rows.first - before.rows.first;  // the same one, in `in`
      for (int c = 0; c < stage.in.size.channels; ++c) {
        const bool alpha = c == colours_of(stage.in);
        store(result.image.view(), x, y, c, plane,
              alpha ? value_at(in, x, row, c, plane) : smooth_value(in, x, row, c, plane));
      }
    });
  }

  /// `in` ends where the image does, or holds all rows that the weights reach.
  long long smooth_value(const AnyView& in, int x, int y, int channel, int plane) const {
    const Smoothing& s = problem_.smoothing;
    long long sum = 0, total = 0;
    for (int j = 0; j < s.height; ++j)
      for (int i = 0; i < s.width; ++i) {
        const int column = x + i - s.anchor.x, row = y + j - s.anchor.y;
        if (column < 0 || column >= in.size.width || row < 0 || row >= in.size.height) continue;
        const long long weight = s.weights[static_cast<std::size_t>(j * s.width + i)];
        sum += weight * value_at(in, column, row, channel, plane);
        total += weight;
      }
    if (total <= 0) return value_at(in, x, y, channel, plane);
    if (sum < 0) return 0;
    return std::min((sum + total / 2) / total, problem_.levels() - 1LL);
  }
};

}  // namespace

EnhanceRunnerPointer make_integer_reference(const EnhanceProblem& problem) {
  return std::make_unique<IntegerReference>(problem);
}

}  // namespace tessera
