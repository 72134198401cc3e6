// SPDX-License-Identifier: Apache-2.0
// The definition, step by step and pixel by pixel. If it and a fast path differ in a byte, the fast
// path is wrong.
#include <algorithm>

#include "core/stop.hpp"
#include "ops/enhance/clahe/enhance_clahe.hpp"
#include "ops/enhance/enhance_state.hpp"
#include "tessera/convolve.hpp"

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

template <class Work>
void for_pixels(Size size, Work work) {
  for (int plane = 0; plane < size.planes; ++plane)
    for (int y = 0; y < size.height; ++y) {
      poll_stop();
      for (int x = 0; x < size.width; ++x) work(x, y, plane);
    }
}

/// Rows of an image between two steps.
struct Held {
  Image image;
  Rows rows;  ///< of the whole image
  Piece piece() const { return {image.view(), rows.first}; }
};

class Reference : public EnhanceRunner {
 public:
  explicit Reference(const EnhanceProblem& problem) : problem_(problem) {}
  std::string describe() const override { return "pixel by pixel, one thread"; }

  void run(AnyView in, AnyMutableView out, EnhanceState::Impl* found,
           Stream& stream) const override {
    EnhanceState::Impl own;
    EnhanceState::Impl& state = found ? *found : own;
    start_sweeps(problem_, state);
    while (state.sweep < problem_.sweeps()) {
      look(state, {in, 0}, {0, in.size.height}, state.counts, stream);
      finish_sweep(problem_, state);
    }
    make(state, {in, 0}, {out, 0}, stream);
  }

  void look(const EnhanceState::Impl& state, const Piece& in, Rows rows, SweepCounts& counts,
            Stream& stream) const override {
    const std::size_t k = stage_of_sweep(problem_, state.sweep);
    const EnhanceStage& stage = problem_.stages[k];
    const Held before = after(state, in, rows, k, stream);
    if (stage.step == EnhanceStep::clahe)
      clahe_look(problem_, stage, state.findings[k], state.sweep - stage.first_sweep,
                 before.piece(), rows, counts, stream);
    else
      count(stage, before.image.view(), counts);
  }

  void make(const EnhanceState::Impl& state, const Piece& in, const MutablePiece& out,
            Stream& stream) const override {
    const Held made = after(state, in, out.rows(), problem_.stages.size(), stream);
    copy_samples(made.image.view(), out.view);
  }

 private:
  /// `rows` of the image after `steps` steps.
  Held after(const EnhanceState::Impl& state, const Piece& in, Rows rows, std::size_t steps,
             Stream& stream) const {
    if (steps == 0)
      return {copy(AnyView(in.view.rows(rows.first - in.first_row, rows.count()))), rows};
    const EnhanceStage& stage = problem_.stages[steps - 1];
    const Held before = after(state, in, problem_.reads_by(stage, rows), steps - 1, stream);
    ImageInfo info = stage.out;
    info.size.height = rows.count();
    Held result{Image(info), rows};
    apply(stage, state.findings[steps - 1], before, result, stream);
    return result;
  }

  void apply(const EnhanceStage& stage, const StageFinding& finding, const Held& before,
             Held& result, Stream& stream) const {
    const AnyView in = before.image.view();
    const AnyMutableView out = result.image.view();
    switch (stage.step) {
      case EnhanceStep::grey:
        return stage.in == stage.out ? copy_samples(in, out) : grey(in, out);
      case EnhanceStep::histogram:
        return copy_samples(in, out);
      case EnhanceStep::contrast:
      case EnhanceStep::equalise:
        return follow_curve(stage, finding, in, out);
      case EnhanceStep::clahe:
        return equalise_tiles(stage, finding, before, result, stream);
      case EnhanceStep::smooth:
        return problem_.smoothing.exact() ? smooth(stage, before, result)
                                          : smooth_by_floats(stage, before, result, stream);
    }
  }

  void count(const EnhanceStage& stage, AnyView in, SweepCounts& counts) const {
    for_pixels(in.size, [&](int x, int y, int plane) {
      for (int c = 0; c < colours_of(stage.in); ++c)
        ++counts.values[curve_place(stage, plane, c, value_at(in, x, y, c, plane))];
    });
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

  /// The definition takes whole images; pieces know only the findings of the sweeps.
  void equalise_tiles(const EnhanceStage& stage, const StageFinding& finding, const Held& before,
                      Held& result, Stream& stream) const {
    const MutablePiece out{result.image.view(), result.rows.first};
    if (result.image.info() == stage.out)
      clahe_reference(problem_, stage, before.image.view(), out.view);
    else
      clahe_make(problem_, stage, finding, before.piece(), out, stream);
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

  /// The colours alone: alpha is kept.
  void smooth_by_floats(const EnhanceStage& stage, const Held& before, Held& result,
                        Stream& stream) const {
    copy_samples(AnyView(before.image.view().rows(result.rows.first - before.rows.first,
                                                  result.rows.count())),
                 result.image.view());
    ImageInfo colours = stage.in;
    colours.size.channels = colours_of(stage.in);
    const Convolve plan(colours, problem_.smoothing.filter.view(),
                        {.border = Border::inside, .backend = Backend::cpu, .method = "reference"});
    Piece in = before.piece();
    MutablePiece out{result.image.view(), result.rows.first};
    in.view.size.channels = out.view.size.channels = colours.size.channels;
    plan(in, out, stream);
  }

  EnhanceProblem problem_;
};

}  // namespace

EnhanceRunnerPointer make_enhance_reference(const EnhanceProblem& problem) {
  return std::make_unique<Reference>(problem);
}

}  // namespace tessera
