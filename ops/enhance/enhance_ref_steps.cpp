// SPDX-License-Identifier: Apache-2.0
// The definition, step by step and pixel by pixel. If it and a fast path differ in a byte, the fast
// path is wrong.
#include "ops/enhance/enhance_ref_steps.hpp"

#include <cmath>

#include "core/samples.hpp"
#include "ops/enhance/clahe/enhance_clahe.hpp"
#include "ops/enhance/enhance_state.hpp"
#include "tessera/convolve.hpp"

namespace tessera {

void ReferenceSteps::run(AnyView in, AnyMutableView out, EnhanceState::Impl* found,
                         Stream& stream) const {
  EnhanceState::Impl own;
  EnhanceState::Impl& state = found ? *found : own;
  start_sweeps(problem_, state);
  while (state.sweep < problem_.sweeps()) {
    look(state, {in, 0}, {0, in.size.height}, state.counts, stream);
    finish_sweep(problem_, state);
  }
  make(state, {in, 0}, {out, 0}, stream);
}

void ReferenceSteps::look(const EnhanceState::Impl& state, const Piece& in, Rows rows,
                          SweepCounts& counts, Stream& stream) const {
  const std::size_t k = stage_of_sweep(problem_, state.sweep);
  const EnhanceStage &stage = problem_.stages[k], seen = as_seen(problem_, stage);
  Held before = after(state, in, rows, k, stream);
  if (by_value(problem_, stage)) before = value_of(stage, before);
  const int sweep = state.sweep - stage.first_sweep;
  if (stage.step == EnhanceStep::clahe)
    clahe_look(problem_, seen, state.findings[k], sweep, before.piece(), rows, counts, stream);
  else
    count(seen, state.findings[k], sweep, before.image.view(), counts);
}

void ReferenceSteps::make(const EnhanceState::Impl& state, const Piece& in, const MutablePiece& out,
                          Stream& stream) const {
  const Held made = after(state, in, out.rows(), problem_.stages.size(), stream);
  copy_samples(made.image.view(), out.view);
}

/// `rows` of the image after `steps` steps.
Held ReferenceSteps::after(const EnhanceState::Impl& state, const Piece& in, Rows rows,
                           std::size_t steps, Stream& stream) const {
  if (steps == 0)
    return {copy(AnyView(in.view.rows(rows.first - in.first_row, rows.count()))), rows};
  const EnhanceStage& stage = problem_.stages[steps - 1];
  const Held before = after(state, in, problem_.reads_by(stage, rows), steps - 1, stream);
  ImageInfo info = stage.out;
  info.size.height = rows.count();
  Held result{Image(info), rows};
  const StageFinding& finding = state.findings[steps - 1];
  if (!by_value(problem_, stage) || stage.step == EnhanceStep::histogram) {
    apply(stage, finding, before, result, stream);
    return result;
  }
  const Held value = value_of(stage, before);
  Held made{Image(value.image.info()), rows};
  apply(as_seen(problem_, stage), finding, value, made, stream);
  follow(stage, finding, before, value, made, result);
  return result;
}

void ReferenceSteps::apply(const EnhanceStage& stage, const StageFinding& finding,
                           const Held& before, Held& result, Stream& stream) const {
  const bool grey_already = stage.step == EnhanceStep::grey && stage.in == stage.out;
  if (stage.step == EnhanceStep::histogram || grey_already)
    return copy_samples(before.image.view(), result.image.view());
  if (stage.step == EnhanceStep::smooth && !problem_.smoothing.exact())
    return smooth_by_floats(stage, before, result, stream);
  if (stage.step != EnhanceStep::clahe) return change(stage, finding, before, result);
  // The definition takes whole images; pieces know only the findings of the sweeps.
  const MutablePiece out{result.image.view(), result.rows.first};
  if (result.image.info() == stage.out)
    clahe_reference(problem_, stage, before.image.view(), out.view);
  else
    clahe_make(problem_, stage, finding, before.piece(), out, stream);
}

Held ReferenceSteps::value_of(const EnhanceStage& stage, const Held& colours) const {
  ImageInfo info = as_seen(problem_, stage).in;
  info.size.height = colours.rows.count();
  Held made{Image(info), colours.rows};
  const AnyView from = colours.image.view();
  for_pixels(info.size, [&](int x, int y, int plane) {
    double most = sample_at(from, x, y, 0, plane);
    for (const int c : {1, 2}) {
      const double v = sample_at(from, x, y, c, plane);
      if (v > most || std::isnan(v)) most = std::isnan(most) ? most : v;
    }
    store_sample(made.image.view(), x, y, 0, plane, most);
  });
  return made;
}

void ReferenceSteps::follow(const EnhanceStage& stage, const StageFinding& finding,
                            const Held& before, const Held& value, const Held& made,
                            Held& result) const {
  const AnyView from = before.image.view(), old = value.image.view(), fresh = made.image.view();
  copy_samples(from, result.image.view());  // alpha
  for_pixels(result.image.info().size, [&](int x, int y, int plane) {
    // A plane that stays as it is keeps its colours to the bit.
    if (problem_.floats() && finding.limits[static_cast<std::size_t>(plane)].none) return;
    for (int c = 0; c < colours_of(stage.in); ++c)
      store_sample(result.image.view(), x, y, c, plane,
                   followed(sample_at(from, x, y, c, plane), sample_at(old, x, y, 0, plane),
                            sample_at(fresh, x, y, 0, plane)));
  });
}

/// The colours alone: alpha is kept.
void ReferenceSteps::smooth_by_floats(const EnhanceStage& stage, const Held& before, Held& result,
                                      Stream& stream) const {
  copy_samples(
      AnyView(before.image.view().rows(result.rows.first - before.rows.first, result.rows.count())),
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

EnhanceRunnerPointer make_enhance_reference(const EnhanceProblem& problem) {
  return problem.floats() ? make_float_reference(problem) : make_integer_reference(problem);
}

}  // namespace tessera
