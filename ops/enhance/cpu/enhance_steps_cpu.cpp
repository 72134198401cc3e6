// SPDX-License-Identifier: Apache-2.0
// The CPU method for any steps in any order: each is a pass over all rows, and the images between
// two passes are kept in memory.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>

#include "core/isa.hpp"
#include "core/parallel.hpp"
#include "core/pools.hpp"
#include "ops/enhance/clahe/enhance_clahe.hpp"
#include "ops/enhance/cpu/enhance_counters.hpp"
#include "ops/enhance/cpu/enhance_packed_rows.hpp"
#include "ops/enhance/cpu/enhance_plane_curves.hpp"
#include "ops/enhance/cpu/enhance_smooth_cpu.hpp"
#include "ops/enhance/enhance_state.hpp"
#include "tessera/convolve.hpp"
#include "tune/table.hpp"

namespace tessera {
namespace {

/// Rows of the image between two steps: the caller's memory, or our own.
struct Between {
  Piece piece;
  Scratch memory{};
};

AnyView rows_of(const Piece& piece, Rows rows) {
  return piece.view.rows(rows.first - piece.first_row, rows.count());
}

/// A method whose rows do not come in groups: pieces can be cut anywhere.
std::unique_ptr<const Convolve> make_filter(const ImageInfo& colours, const Image& filter) {
  ConvolveOptions options{.border = Border::inside, .backend = Backend::cpu};
  auto plan = std::make_unique<const Convolve>(colours, filter.view(), options);
  if (plan->row_step() == 1) return plan;
  options.method = "direct";
  return std::make_unique<const Convolve>(colours, filter.view(), options);
}

template <class T>
class StepsCpu : public EnhanceRunner {
 public:
  explicit StepsCpu(const EnhanceProblem& problem) : problem_(problem), grey_(problem.grey) {
    apply_isa_environment();
    isa_ = current_isa();
    rows_ = enhance_rows<T>();
    for (const EnhanceStage& stage : problem_.stages) add_smoothing(stage);
    const Knobs tuned = find_knobs("enhance.steps.cpu@1", problem_key(problem_), cpu_table_name());
    piece_rows_ = tuned.get("piece_rows", 64);
  }

  std::string describe() const override {
    return fmt::format("{}, {} rows per piece", isa_, piece_rows_);
  }

  void run(AnyView in, AnyMutableView out, EnhanceState::Impl* found,
           Stream& stream) const override {
    EnhanceState::Impl own;
    EnhanceState::Impl& state = found ? *found : own;
    start_sweeps(problem_, state);
    const Rows all{0, problem_.image.size.height};
    Between now{{in, 0}};
    for (std::size_t k = 0; k < problem_.stages.size(); ++k) {
      const EnhanceStage& stage = problem_.stages[k];
      while (state.sweep < stage.first_sweep + stage.sweeps) {
        look_at(stage, state.findings[k], state.sweep, now.piece, all, state.counts, stream);
        finish_sweep(problem_, state);
      }
      go_on(k, state.findings[k], now, all, MutablePiece{out, 0}, stream);
    }
    end(now, {out, 0});
  }

  void look(const EnhanceState::Impl& state, const Piece& in, Rows rows, SweepCounts& counts,
            Stream& stream) const override {
    const std::size_t k = stage_of_sweep(problem_, state.sweep);
    const Between before = after(state, in, rows, k, {}, stream);
    look_at(problem_.stages[k], state.findings[k], state.sweep, before.piece, rows, counts, stream);
  }

  void make(const EnhanceState::Impl& state, const Piece& in, const MutablePiece& out,
            Stream& stream) const override {
    end(after(state, in, out.rows(), problem_.stages.size(), out, stream), out);
  }

 private:
  void add_smoothing(const EnhanceStage& stage) {
    smooth_.emplace_back();
    filters_.emplace_back();
    if (stage.step != EnhanceStep::smooth) return;
    ImageInfo colours = stage.in;
    colours.size.channels = colours_of(stage.in);
    if (problem_.smoothing.exact())
      smooth_.back() = std::make_unique<const SmoothCpu<T>>(problem_, stage.in, rows_);
    else
      filters_.back() = make_filter(colours, problem_.smoothing.filter);
  }

  /// The image is the same before and after.
  static bool changes_nothing(const EnhanceStage& stage) {
    return stage.step == EnhanceStep::histogram ||
           (stage.step == EnhanceStep::grey && stage.in == stage.out);
  }

  /// `rows` of the image after a number of steps; the last one may write to `out`.
  Between after(const EnhanceState::Impl& state, const Piece& in, Rows rows, std::size_t steps,
                const MutablePiece& out, Stream& stream) const {
    std::vector<Rows> wanted(steps + 1, rows);
    for (std::size_t k = steps; k-- > 0;)
      wanted[k] = problem_.reads_by(problem_.stages[k], wanted[k + 1]);
    Between now{in};
    for (std::size_t k = 0; k < steps; ++k)
      go_on(k, state.findings[k], now, wanted[k + 1], out, stream);
    return now;
  }

  /// One step further: `now` becomes the image after stage k, in `out` if that is the last one.
  void go_on(std::size_t k, const StageFinding& finding, Between& now, Rows rows,
             const MutablePiece& out, Stream& stream) const {
    const EnhanceStage& stage = problem_.stages[k];
    if (changes_nothing(stage)) return;
    Between next;
    MutablePiece made = out;
    if (!out.view.data || k + 1 < problem_.stages.size()) {
      ImageInfo info = stage.out;
      info.size.height = rows.count();
      next.memory = stream.scratch(bytes_of(info));
      made = {packed(next.memory.data(), info), rows.first};
    }
    apply(k, finding, now.piece, made, stream);
    next.piece = {made.view, made.first_row};
    now = std::move(next);
  }

  /// If the last steps change nothing, the result still has to be copied to `out`.
  static void end(const Between& now, const MutablePiece& out) {
    if (now.piece.view.data != out.view.data)
      copy_samples(rows_of(now.piece, out.rows()), out.view);
  }

  void look_at(const EnhanceStage& stage, const StageFinding& finding, int sweep, const Piece& in,
               Rows rows, SweepCounts& counts, Stream& stream) const {
    if (stage.step == EnhanceStep::clahe)
      return clahe_look(problem_, stage, finding, sweep - stage.first_sweep, in, rows, counts,
                        stream);
    const int width = stage.in.size.width, channels = stage.in.size.channels;
    Counters counters(problem_, stage.in, counts);
    const int piece_rows = counters.rows_at_once(piece_rows_);
    for_pieces(rows, piece_rows, stage.in.size.planes, stream, [&](int plane, Rows piece) {
      const Scratch gathered = row_of(stage.in);
      ThreadCounts& own = counters.take(plane);
      for (int row = piece.first; row < piece.end; ++row)
        counters.count_row(rows_, packed_row(in, plane, row, 0, width, gathered.as<T>()), width,
                           own);
      counters.give_back(own, 1LL * piece.count() * width * channels);
    });
    counters.finish();
  }

  static Scratch row_of(const ImageInfo& image) {
    return host_scratch(static_cast<std::size_t>(image.size.width) *
                        static_cast<std::size_t>(image.size.channels) * sizeof(T));
  }

  void apply(std::size_t k, const StageFinding& finding, const Piece& in, const MutablePiece& out,
             Stream& stream) const {
    const EnhanceStage& stage = problem_.stages[k];
    if (stage.step == EnhanceStep::clahe)
      return clahe_make(problem_, stage, finding, {rows_of(in, out.rows()), out.first_row}, out,
                        stream);
    if (stage.step == EnhanceStep::smooth)
      return smooth_[k] ? smooth(*smooth_[k], stage, in, out, stream)
                        : filter(*filters_[k], in, out, stream);
    if (stage.step == EnhanceStep::grey)
      return each_row(stage, in, out, stream, [&](int, const T* from, T* to) {
        rows_.grey(grey_, stage.in.size.channels, from, stage.in.size.width, to);
      });
    const PlaneCurves<T> curves(problem_, stage, finding);
    each_row(stage, in, out, stream, [&](int plane, const T* from, T* to) {
      rows_.follow(curves.of(plane), from, stage.in.size.width, to);
    });
  }

  void each_row(const EnhanceStage& stage, const Piece& in, const MutablePiece& out,
                const Stream& stream,
                const std::function<void(int plane, const T* from, T* to)>& work) const {
    const int width = stage.in.size.width;
    for_pieces(out.rows(), piece_rows_, stage.in.size.planes, stream, [&](int plane, Rows piece) {
      const Scratch gathered = row_of(stage.in), waiting = row_of(stage.out);
      for (int row = piece.first; row < piece.end; ++row) {
        T* to = open_row(out, plane, row, 0, waiting.as<T>());
        work(plane, packed_row(in, plane, row, 0, width, gathered.as<T>()), to);
        put_row(out, plane, row, 0, width, to);
      }
    });
  }

  void smooth(const SmoothCpu<T>& smoothing, const EnhanceStage& stage, const Piece& in,
              const MutablePiece& out, const Stream& stream) const {
    const int width = stage.in.size.width, columns = smoothing.block_columns();
    const int blocks = (width + columns - 1) / columns;
    for_pieces(out.rows(), piece_rows_, stage.in.size.planes * blocks, stream,
               [&](int index, Rows piece) {
                 const int plane = index / blocks, first = index % blocks * columns;
                 smoothing.run(
                     {plane, piece, first, std::min(width, first + columns)},
                     [&](int row, int x, int pixels, T* buffer) {
                       return packed_row(in, plane, row, x, pixels, buffer);
                     },
                     out);
               });
  }

  /// Only the colours: alpha is kept.
  static void filter(const Convolve& plan, const Piece& in, const MutablePiece& out,
                     Stream& stream) {
    Piece from = in;
    MutablePiece to = out;
    const int colours = plan.input().size.channels;
    if (colours < in.view.size.channels) copy_samples(rows_of(in, out.rows()), out.view);
    from.view.size.channels = to.view.size.channels = colours;
    plan(from, to, stream);
  }

  EnhanceProblem problem_;
  GreyWeights grey_;
  EnhanceRows<T> rows_{};
  std::vector<std::unique_ptr<const SmoothCpu<T>>> smooth_;  ///< one per stage, or null
  std::vector<std::unique_ptr<const Convolve>> filters_;
  std::string isa_;
  int piece_rows_ = 64;
};

}  // namespace

EnhanceRunnerPointer make_enhance_steps_cpu(const EnhanceProblem& problem) {
  if (problem.image.type == Type::u8) return std::make_unique<StepsCpu<std::uint8_t>>(problem);
  return std::make_unique<StepsCpu<std::uint16_t>>(problem);
}

}  // namespace tessera
