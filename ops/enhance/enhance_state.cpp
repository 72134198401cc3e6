// SPDX-License-Identifier: Apache-2.0
// Findings of sweeps: counts become findings, and findings become curves.
#include "ops/enhance/enhance_state.hpp"

#include <algorithm>

#include "ops/enhance/clahe/enhance_clahe.hpp"
#include "ops/enhance/enhance_floats.hpp"

namespace tessera {
namespace {

std::size_t groups_and_planes(const EnhanceProblem& p, const EnhanceStage& stage) {
  return static_cast<std::size_t>(groups_of(p, stage.in)) *
         static_cast<std::size_t>(stage.in.size.planes);
}

void make_room(const EnhanceProblem& p, EnhanceState::Impl& state) {
  state.counts.values.clear();
  if (state.sweep >= p.sweeps()) return;
  const EnhanceStage& stage = p.stages[stage_of_sweep(p, state.sweep)];
  const int sweep = state.sweep - stage.first_sweep;
  const std::size_t each = stage.step == EnhanceStep::clahe
                               ? clahe_values(p, as_seen(p, stage), sweep)
                           : p.floats() ? float_contrast_values(sweep)
                                        : static_cast<std::size_t>(p.levels());
  state.counts.values.assign(groups_and_planes(p, stage) * each, 0);
}

void find_float_limits(const EnhanceProblem& p, const EnhanceStage& stage, int sweep,
                       const SweepCounts& counts, StageFinding& finding) {
  finding.limits.resize(groups_and_planes(p, stage));
  const std::uint64_t* own = counts.values.data();
  for (FloatLimits& limits : finding.limits) {
    narrow_limits(p, sweep, own, limits);
    own += float_contrast_values(sweep);
  }
}

void make_curves(const EnhanceProblem& p, const EnhanceStage& stage, StageFinding& finding) {
  const auto levels = static_cast<std::size_t>(p.levels());
  const std::size_t count = groups_and_planes(p, stage);
  finding.curve.resize(count * levels);
  const bool contrast = stage.step == EnhanceStep::contrast;
  if (contrast) finding.low = finding.high = std::vector<int>(count, -1);
  for (std::size_t k = 0; k < count; ++k) {
    const std::uint64_t* counts = finding.counts.data() + k * levels;
    std::uint16_t* curve = finding.curve.data() + k * levels;
    if (contrast)
      make_contrast_curve(p, counts, curve, finding.low[k], finding.high[k]);
    else
      make_equalise_curve(p, counts, curve);
  }
}

/// The finding of one plane and group.
EnhanceFinding public_finding(const EnhanceProblem& p, const EnhanceStage& stage,
                              const StageFinding& found, int plane, int group) {
  const int index = plane * groups_of(p, stage.in) + group;
  const long long first = 1LL * index * p.levels(), end = first + p.levels();
  EnhanceFinding finding{.step = stage.step, .plane = plane};
  if (!p.together) finding.channel = group;
  if (p.floats()) {
    const FloatLimits& limits = found.limits[static_cast<std::size_t>(index)];
    if (limits.none) return finding;
    finding.low = limits.low;
    finding.high = limits.high;
    return finding;
  }
  finding.counts.assign(found.counts.begin() + first, found.counts.begin() + end);
  if (!found.curve.empty())
    finding.curve.assign(found.curve.begin() + first, found.curve.begin() + end);
  const auto k = static_cast<std::size_t>(index);
  if (stage.step == EnhanceStep::contrast && found.low[k] >= 0) {
    finding.low = found.low[k];
    finding.high = found.high[k];
  }
  return finding;
}

}  // namespace

std::size_t stage_of_sweep(const EnhanceProblem& p, int sweep) {
  std::size_t k = 0;
  while (sweep >= p.stages[k].first_sweep + p.stages[k].sweeps) ++k;
  return k;
}

void start_sweeps(const EnhanceProblem& p, EnhanceState::Impl& state) {
  state.sweep = 0;
  state.findings.assign(p.stages.size(), {});
  make_room(p, state);
}

void add_counts(const EnhanceProblem& p, EnhanceState::Impl& state,
                std::span<const std::uint64_t> counts) {
  const EnhanceStage& stage = p.stages[stage_of_sweep(p, state.sweep)];
  const bool range = stage.step == EnhanceStep::clahe && p.floats() &&
                     clahe_measures_range(p, as_seen(p, stage), state.sweep - stage.first_sweep);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    std::uint64_t& own = state.counts.values[i];
    own = range ? std::max(own, counts[i]) : own + counts[i];
  }
}

void finish_sweep(const EnhanceProblem& p, EnhanceState::Impl& state, int threads) {
  const std::size_t k = stage_of_sweep(p, state.sweep);
  const EnhanceStage& stage = p.stages[k];
  StageFinding& finding = state.findings[k];
  if (stage.step == EnhanceStep::clahe) {
    finding.sweeps.push_back(std::move(state.counts));
    clahe_finish(p, as_seen(p, stage), state.sweep - stage.first_sweep, finding, threads);
  } else if (p.floats()) {
    find_float_limits(p, stage, state.sweep - stage.first_sweep, state.counts, finding);
  } else {
    finding.counts = std::move(state.counts.values);
    if (stage.step != EnhanceStep::histogram) make_curves(p, stage, finding);
  }
  ++state.sweep;
  make_room(p, state);
}

int EnhanceState::sweep() const { return impl_->sweep; }

std::vector<std::uint64_t> EnhanceState::counts() const { return impl_->counts.values; }

std::vector<EnhanceFinding> EnhanceState::findings() const {
  const EnhanceProblem& p = *impl_->problem;
  std::vector<EnhanceFinding> findings;
  for (std::size_t k = 0; k < p.stages.size(); ++k) {
    const EnhanceStage& stage = p.stages[k];
    const bool counts = stage.sweeps > 0 && stage.step != EnhanceStep::clahe;
    if (!counts || stage.first_sweep + stage.sweeps > impl_->sweep) continue;
    for (int plane = 0; plane < stage.in.size.planes; ++plane)
      for (int group = 0; group < groups_of(p, stage.in); ++group)
        findings.push_back(public_finding(p, stage, impl_->findings[k], plane, group));
  }
  return findings;
}

}  // namespace tessera
