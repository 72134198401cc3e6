// SPDX-License-Identifier: Apache-2.0
#include "ops/enhance/cpu/enhance_steps_cpu.hpp"

#include <fmt/format.h>

#include "core/isa.hpp"
#include "ops/enhance/clahe/enhance_clahe.hpp"
#include "ops/enhance/cpu/enhance_kinds_of_steps.hpp"
#include "ops/enhance/enhance_state.hpp"
#include "tune/knob_values.hpp"

namespace tessera {
namespace {

/// A method whose rows do not come in groups: pieces can be cut anywhere.
std::unique_ptr<const Convolve> make_filter(const ImageInfo& colours, const Image& filter) {
  ConvolveOptions options{.border = Border::inside, .backend = Backend::cpu};
  auto plan = std::make_unique<const Convolve>(colours, filter.view(), options);
  if (plan->row_step() == 1) return plan;
  options.method = "direct";
  return std::make_unique<const Convolve>(colours, filter.view(), options);
}

/// Only the colours: alpha is kept.
void run_filter(const Convolve& plan, const Piece& in, const MutablePiece& out, Stream& stream) {
  Piece from = in;
  MutablePiece to = out;
  const int colours = plan.input().size.channels;
  if (colours < in.view.size.channels) copy_samples(rows_of(in, out.rows()), out.view);
  from.view.size.channels = to.view.size.channels = colours;
  plan(from, to, stream);
}

/// The image is the same before and after.
bool changes_nothing(const EnhanceStage& stage) {
  return stage.step == EnhanceStep::histogram ||
         (stage.step == EnhanceStep::grey && stage.in == stage.out);
}

}  // namespace

template <class T>
StepsCpu<T>::StepsCpu(const EnhanceProblem& problem) : problem_(problem) {
  apply_isa_environment();
  isa_ = current_isa();
  value_ = value_rows<T>();
  for (const EnhanceStage& stage : problem_.stages) {
    filters_.emplace_back();
    if (stage.step != EnhanceStep::smooth || problem_.smoothing.exact()) continue;
    ImageInfo colours = stage.in;
    colours.size.channels = colours_of(stage.in);
    filters_.back() = make_filter(colours, problem_.smoothing.filter);
  }
  const Knobs tuned = find_knobs(kEnhanceStepsCpuSite, problem_key(problem_), cpu_table_name());
  piece_rows_ = rows_for_threads(tuned.get("piece_rows", kUsualPieceRows), kUsualPieceRows,
                                 1LL * problem_.image.size.height * problem_.image.size.planes);
}

template <class T>
std::string StepsCpu<T>::describe() const {
  return fmt::format("{}, {} rows per piece", isa_, piece_rows_);
}

template <class T>
void StepsCpu<T>::run(AnyView in, AnyMutableView out, EnhanceState::Impl* found,
                      Stream& stream) const {
  EnhanceState::Impl own;
  EnhanceState::Impl& state = found ? *found : own;
  start_sweeps(problem_, state);
  const Rows all{0, problem_.image.size.height};
  Between now{{in, 0}};
  for (std::size_t k = 0; k < problem_.stages.size(); ++k) {
    const EnhanceStage& stage = problem_.stages[k];
    while (state.sweep < stage.first_sweep + stage.sweeps) {
      look_at(stage, state.findings[k], state.sweep, now.piece, all, state.counts, stream);
      finish_sweep(problem_, state, stream.threads());
    }
    go_on(k, state.findings[k], now, all, MutablePiece{out, 0}, stream);
  }
  end(now, {out, 0});
}

template <class T>
void StepsCpu<T>::look(const EnhanceState::Impl& state, const Piece& in, Rows rows,
                       SweepCounts& counts, Stream& stream) const {
  const std::size_t k = stage_of_sweep(problem_, state.sweep);
  const Between before = after(state, in, rows, k, {}, stream);
  look_at(problem_.stages[k], state.findings[k], state.sweep, before.piece, rows, counts, stream);
}

template <class T>
void StepsCpu<T>::make(const EnhanceState::Impl& state, const Piece& in, const MutablePiece& out,
                       Stream& stream) const {
  end(after(state, in, out.rows(), problem_.stages.size(), out, stream), out);
}

/// `rows` of the image after a number of steps; the last one may write to `out`.
template <class T>
Between StepsCpu<T>::after(const EnhanceState::Impl& state, const Piece& in, Rows rows,
                           std::size_t steps, const MutablePiece& out, Stream& stream) const {
  std::vector<Rows> wanted(steps + 1, rows);
  for (std::size_t k = steps; k-- > 0;)
    wanted[k] = problem_.reads_by(problem_.stages[k], wanted[k + 1]);
  Between now{in};
  for (std::size_t k = 0; k < steps; ++k)
    go_on(k, state.findings[k], now, wanted[k + 1], out, stream);
  return now;
}

/// One step further: `now` becomes the image after stage k, in `out` if that is the last one.
template <class T>
void StepsCpu<T>::go_on(std::size_t k, const StageFinding& finding, Between& now, Rows rows,
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
template <class T>
void StepsCpu<T>::end(const Between& now, const MutablePiece& out) {
  if (now.piece.view.data != out.view.data) copy_samples(rows_of(now.piece, out.rows()), out.view);
}

template <class T>
void StepsCpu<T>::look_at(const EnhanceStage& stage, const StageFinding& finding, int sweep,
                          const Piece& in, Rows rows, SweepCounts& counts, Stream& stream) const {
  const Between value = by_value(problem_, stage) ? value_of(stage, in, rows, stream) : Between{in};
  const EnhanceStage seen = as_seen(problem_, stage);
  const int own_sweep = sweep - stage.first_sweep;
  if (stage.step == EnhanceStep::clahe)
    clahe_look(problem_, seen, finding, own_sweep, value.piece, rows, counts, stream);
  else
    count(seen, finding, own_sweep, value.piece, rows, counts, stream);
}

template <class T>
void StepsCpu<T>::apply(std::size_t k, const StageFinding& finding, const Piece& in,
                        const MutablePiece& out, Stream& stream) const {
  const EnhanceStage& stage = problem_.stages[k];
  if (filters_[k]) return run_filter(*filters_[k], in, out, stream);
  if (by_value(problem_, stage)) return apply_to_value(k, finding, in, out, stream);
  apply_plainly(k, stage, finding, in, out, stream);
}

template <class T>
void StepsCpu<T>::apply_plainly(std::size_t k, const EnhanceStage& stage,
                                const StageFinding& finding, const Piece& in,
                                const MutablePiece& out, const Stream& stream) const {
  if (stage.step == EnhanceStep::clahe)
    clahe_make(problem_, stage, finding, {rows_of(in, out.rows()), out.first_row}, out, stream);
  else
    make_rows(k, stage, finding, in, out, stream);
}

/// `rows` of the image of maxima.
template <class T>
Between StepsCpu<T>::value_of(const EnhanceStage& stage, const Piece& in, Rows rows,
                              const Stream& stream) const {
  ImageInfo info = as_seen(problem_, stage).in;
  info.size.height = rows.count();
  Between made;
  made.memory = host_scratch(static_cast<std::size_t>(bytes_of(info)));
  const MutablePiece out{packed(made.memory.data(), info), rows.first};
  each_row(stage.in, info, in, out, stream, [&](int, const T* from, T* to) {
    value_.value(from, stage.in.size.channels, stage.in.size.width, to);
  });
  made.piece = {out.view, out.first_row};
  return made;
}

template <class T>
void StepsCpu<T>::apply_to_value(std::size_t k, const StageFinding& finding, const Piece& in,
                                 const MutablePiece& out, const Stream& stream) const {
  const EnhanceStage &stage = problem_.stages[k], seen = as_seen(problem_, stage);
  const Between value = value_of(stage, in, out.rows(), stream);
  Between made;
  made.memory = host_scratch(static_cast<std::size_t>(bytes_of(value.piece.view.info())));
  const AnyMutableView result = packed(made.memory.data(), value.piece.view.info());
  apply_plainly(k, seen, finding, value.piece, {result, out.first_row}, stream);
  made.piece = {result, out.first_row};
  const int width = stage.in.size.width, channels = stage.in.size.channels;
  for_pieces(out.rows(), piece_rows_, stage.in.size.planes, stream, [&](int plane, Rows piece) {
    const Scratch gathered = row_of(stage.in), waiting = row_of(stage.out);
    const bool same = stays(seen, finding, plane);
    for (int row = piece.first; row < piece.end; ++row) {
      const T* from = packed_row(in, plane, row, 0, width, gathered.as<T>());
      T* to = open_row(out, plane, row, 0, waiting.as<T>());
      if (same)
        std::copy_n(from, 1LL * width * channels, to);
      else
        value_.follow(from, channels, packed_row<T>(value.piece, plane, row, 0, width, nullptr),
                      packed_row<T>(made.piece, plane, row, 0, width, nullptr), width, to);
      put_row(out, plane, row, 0, width, to);
    }
  });
}

template <class T>
void StepsCpu<T>::each_row(const ImageInfo& before, const ImageInfo& after, const Piece& in,
                           const MutablePiece& out, const Stream& stream,
                           const std::function<void(int, const T*, T*)>& work) const {
  const int width = before.size.width;
  for_pieces(out.rows(), piece_rows_, before.size.planes, stream, [&](int plane, Rows piece) {
    const Scratch gathered = row_of(before), waiting = row_of(after);
    for (int row = piece.first; row < piece.end; ++row) {
      T* to = open_row(out, plane, row, 0, waiting.as<T>());
      work(plane, packed_row(in, plane, row, 0, width, gathered.as<T>()), to);
      put_row(out, plane, row, 0, width, to);
    }
  });
}

template class StepsCpu<std::uint8_t>;
template class StepsCpu<std::uint16_t>;
template class StepsCpu<float>;
template class StepsCpu<double>;

EnhanceRunnerPointer make_enhance_steps_cpu(const EnhanceProblem& problem) {
  return problem.floats() ? make_float_steps(problem) : make_integer_steps(problem);
}

}  // namespace tessera
