// SPDX-License-Identifier: Apache-2.0
// The plan: check, choose, run.
#include "tessera/enhance.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/check.hpp"
#include "core/plan_impl.hpp"
#include "core/refuse.hpp"
#include "ops/enhance/enhance_check.hpp"
#include "ops/enhance/enhance_state.hpp"
#include "tessera/border.hpp"
#include "tessera/kept_plans.hpp"

namespace tessera {
namespace {

constexpr const char* kName = "enhance";

/// Without rows outside the image, which no step counts.
Piece inside_image(const Piece& piece, int height) {
  const Rows held = piece.rows();
  const int first = std::clamp(held.first, 0, height), end = std::clamp(held.end, first, height);
  return {AnyView(piece.view.rows(first - held.first, end - first)), first};
}

void check_holds(const Piece& piece, Rows needed) {
  const Rows held = piece.rows();
  if (held.first <= needed.first && needed.end <= held.end) return;
  refuse(
      "enhance",
      fmt::format("the piece holds rows {} to {}, but rows {} to {} are needed; give it all rows "
                  "that needs() and look_needs() name",
                  held.first, held.end, needed.first, needed.end));
}

struct EnhancePlan final : ImagePlanOf<EnhanceProblem, EnhanceRunner> {
  using ImagePlanOf::ImagePlanOf;
  std::string problem_text() const override {
    std::string text = "enhance " + image_text(problem.image);
    for (const EnhanceStage& stage : problem.stages)
      text += fmt::format(", {}", name_of(stage.step));
    return text;
  }
  void check_state(const EnhanceState& state) const {
    if (state.impl().problem.get() != &problem)
      refuse("enhance", "the state was started by another plan; make it with plan.start()");
  }
};

}  // namespace

Enhance::Enhance(const ImageInfo& image, const EnhanceOptions& options, AnyView weights)
    : ImagePlan(std::make_shared<const EnhancePlan>(
          kName, make_enhance_problem(image, options, weights), enhance_methods(), options)) {}

Rows Enhance::needs(Rows out) const {
  const EnhanceProblem& p = impl<EnhancePlan>().problem;
  return p.reads(out, p.stages.size());
}
int Enhance::source_row(int row) const {
  return border_index(row, input().size.height, Border::inside);
}
int Enhance::sweeps() const { return impl<EnhancePlan>().problem.sweeps(); }

void Enhance::operator()(AnyView in, AnyMutableView out) const {
  Stream& stream = thread_stream(*this);
  (*this)(in, out, stream);
  stream.wait();
}

void Enhance::operator()(AnyView in, AnyMutableView out, Stream& stream) const {
  check_call(kName, {in, 0}, {out, 0}, input(), output(), stream, device());
  check_whole(kName, "input", in.info(), input());
  check_whole(kName, "output", out.info(), output());
  if (!out.size.empty()) impl<EnhancePlan>().runner->run(in, out, nullptr, stream);
}

EnhanceState Enhance::start() const {
  auto state = std::make_shared<EnhanceState::Impl>();
  state->problem = {shared_impl(), &impl<EnhancePlan>().problem};
  start_sweeps(*state->problem, *state);
  return EnhanceState(std::move(state));
}

Rows Enhance::look_needs(int sweep, Rows rows) const {
  if (sweep < 0 || sweep >= sweeps())
    refuse("enhance",
           fmt::format("sweep {} is asked for; there are {}, counted from 0", sweep, sweeps()));
  const EnhanceProblem& p = impl<EnhancePlan>().problem;
  return p.reads(rows, stage_of_sweep(p, sweep));
}

void Enhance::look(EnhanceState& state, const Piece& in, Rows rows, Stream& stream) const {
  const auto& plan = impl<EnhancePlan>();
  plan.check_state(state);
  check_piece(kName, "input", in.view.info(), input());
  check_stream(kName, stream, device());
  const int height = input().size.height;
  if (rows.first < 0 || rows.end > height || rows.first > rows.end)
    refuse("enhance", fmt::format("rows {} to {} are to be looked at; the image has rows 0 to {}",
                                  rows.first, rows.end, height));
  const Rows needed = look_needs(state.sweep(), rows);
  if (rows.count() == 0 || input().size.empty()) return;
  const Piece piece = inside_image(in, height);
  check_holds(piece, needed);
  plan.runner->look(state.impl(), piece, rows, state.impl().counts, stream);
}

void Enhance::add_counts(EnhanceState& state, std::span<const std::uint64_t> counts) const {
  const auto& plan = impl<EnhancePlan>();
  plan.check_state(state);
  const std::size_t own = state.impl().counts.values.size();
  if (counts.size() != own)
    refuse("enhance", fmt::format("{} numbers are to be added to the {} of sweep {}; they must be "
                                  "those of the same sweep",
                                  counts.size(), own, state.sweep()));
  if (own > 0) tessera::add_counts(plan.problem, state.impl(), counts);
}

void Enhance::finish_sweep(EnhanceState& state) const {
  const auto& plan = impl<EnhancePlan>();
  plan.check_state(state);
  if (state.sweep() >= sweeps())
    refuse("enhance", fmt::format("all {} sweeps are finished; none is left to finish", sweeps()));
  tessera::finish_sweep(plan.problem, state.impl());
}

void Enhance::operator()(const EnhanceState& state, const Piece& in, const MutablePiece& out,
                         Stream& stream) const {
  const auto& plan = impl<EnhancePlan>();
  plan.check_state(state);
  if (state.sweep() < sweeps())
    refuse("enhance", fmt::format("{} of {} sweeps are finished; rows can be made after the last",
                                  state.sweep(), sweeps()));
  check_call(kName, in, out, input(), output(), stream, device());
  if (out.view.size.empty()) return;
  const Piece piece = inside_image(in, input().size.height);
  check_holds(piece, needs(out.rows()));
  plan.runner->make(state.impl(), piece, out, stream);
}

EnhanceState Enhance::examine(AnyView in, Stream& stream) const {
  check_whole(kName, "input", in.info(), input());
  EnhanceState state = start();
  for (int sweep = 0; sweep < sweeps(); ++sweep) {
    look(state, {in, 0}, {0, in.size.height}, stream);
    finish_sweep(state);
  }
  return state;
}

Image enhance(AnyView in, const EnhanceOptions& options) {
  const auto plan = kept_plan<Enhance>(in.info(), options);
  Image out(plan.output());
  plan(in, out.view());
  return out;
}

std::vector<EnhanceFinding> histogram(AnyView in, ChannelCurves channels) {
  const EnhanceOptions options{.steps = "histogram", .channels = channels};
  const auto plan = kept_plan<Enhance>(in.info(), options);
  return plan.examine(in, thread_stream(plan)).findings();
}

}  // namespace tessera
