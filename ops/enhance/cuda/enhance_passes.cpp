// SPDX-License-Identifier: Apache-2.0
#include "ops/enhance/cuda/enhance_pass.hpp"
#include "tessera/image.hpp"

namespace tessera {
namespace {

bool finds_curve(EnhanceStep step) {
  return step == EnhanceStep::contrast || step == EnhanceStep::equalise;
}
bool counts_values(EnhanceStep step) { return step == EnhanceStep::histogram || finds_curve(step); }

/// A result must be written even if no step changes it.
void add_copy(const EnhanceProblem& p, EnhancePasses& passes) {
  for (const EnhancePass& pass : passes.list)
    if (pass.writes) return;
  passes.list.push_back({.in = p.output, .out = p.output});
}

void add_step(const EnhanceStage& stage, int k, std::vector<EnhancePass>& list) {
  EnhancePass pass{.in = stage.in, .out = stage.out};
  if (counts_values(stage.step)) {
    pass.counts = k;
    pass.writes = false;
    list.push_back(pass);
    if (!finds_curve(stage.step)) return;
    pass = {.in = stage.in, .out = stage.out, .curve = k};
  }
  if (stage.step == EnhanceStep::grey && stage.in == stage.out) return;
  pass.grey = stage.step == EnhanceStep::grey;
  if (stage.step == EnhanceStep::smooth) pass.smooth = k;
  if (stage.step == EnhanceStep::clahe) pass.clahe = k;
  list.push_back(pass);
}

}  // namespace

EnhancePasses passes_of_steps(const EnhanceProblem& p) {
  EnhancePasses passes;
  for (int k = 0; k < std::ssize(p.stages); ++k) {
    add_step(p.stages[static_cast<std::size_t>(k)], k, passes.list);
    passes.counted_with.push_back(k);
  }
  add_copy(p, passes);
  return passes;
}

/// Grey and counts, then curve and smoothing. A histogram and the contrast after it see the same
/// image.
EnhancePasses fused_passes(const EnhanceProblem& p) {
  EnhancePass first{.in = p.image, .out = p.output, .writes = p.image != p.output},
      second{.in = p.output, .out = p.output};
  first.grey = first.writes;
  for (int k = 0; k < std::ssize(p.stages); ++k) {
    const EnhanceStep step = p.stages[static_cast<std::size_t>(k)].step;
    if (counts_values(step)) first.counts = k;
    if (finds_curve(step)) second.curve = k;
    if (step == EnhanceStep::smooth) second.smooth = k;
  }
  EnhancePasses passes;
  if (first.writes || first.counts >= 0) passes.list.push_back(first);
  if (second.curve >= 0 || second.smooth >= 0) passes.list.push_back(second);
  passes.counted_with.assign(p.stages.size(), first.counts);
  add_copy(p, passes);
  return passes;
}

Rows reads_by(const EnhanceProblem& p, const EnhancePass& pass, Rows rows) {
  if (pass.smooth < 0) return rows;
  return p.reads_by(p.stages[static_cast<std::size_t>(pass.smooth)], rows);
}

DeviceRows EnhancePassCuda::room(const Piece&, Rows rows, Stream& stream) const {
  ImageInfo info = pass_.out;
  info.size.height = rows.count();
  info.device = stream.device();
  DeviceRows made;
  made.memory = stream.scratch(static_cast<std::size_t>(bytes_of(info)));
  made.view = packed(made.memory.data(), info);
  made.piece = {made.view, rows.first};
  return made;
}

EnhancePassPointer make_pass(const EnhanceProblem& p, const EnhancePass& pass) {
  if (pass.clahe >= 0) return make_clahe_pass(p, pass);
  if (pass.smooth >= 0 && !p.smoothing.exact()) return make_float_pass(p, pass);
  if (pass.smooth >= 0) return make_smooth_pass(p, pass);
  return make_point_pass(p, pass);
}

}  // namespace tessera
