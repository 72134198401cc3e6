// SPDX-License-Identifier: Apache-2.0
#include "ops/enhance/cuda/enhance_tables_cuda.hpp"

#include "core/device.hpp"
#include "core/piece_launch.hpp"
#include "ops/enhance/cuda/enhance_args.cuh"

namespace tessera {
namespace {

bool counts_values(const EnhanceStage& stage) {
  return stage.sweeps > 0 && stage.step != EnhanceStep::clahe;
}
bool finds_curve(const EnhanceStage& stage) {
  return counts_values(stage) && stage.step != EnhanceStep::histogram;
}

void copy_down(const void* from, void* to, std::size_t row_bytes, int rows, Stream& stream) {
  const Size size{static_cast<int>(row_bytes), rows};
  device_stream(stream).copy(packed(static_cast<const unsigned char*>(from), size, stream.device()),
                             packed(static_cast<unsigned char*>(to), size));
}

}  // namespace

EnhanceCurveKernels::EnhanceCurveKernels(const EnhanceProblem& p)
    : clear(find_kernel(p.device,
                        {"enhance_levels", "enhance_clear_counts",
                         force_run_time_kernels() ? "enhance_clear" : "", "EnhanceClearArgs"})),
      curves(find_kernel(p.device,
                         {"enhance_levels", "enhance_make_curves",
                          force_run_time_kernels() ? "enhance_curves" : "", "EnhanceCurveArgs"})) {}

EnhanceTables::EnhanceTables(const EnhanceProblem& problem, const std::vector<int>& counted_with,
                             Stream& stream)
    : problem_(problem), counted_with_(counted_with), places_(problem.stages.size()) {
  const auto levels = static_cast<std::size_t>(problem.levels());
  std::size_t bytes = 0;
  const auto take = [&](std::size_t wanted) {
    const std::size_t begin = bytes;
    bytes += (wanted + 255) / 256 * 256;
    return begin;
  };
  for (std::size_t k = 0; k < places_.size(); ++k) {
    const EnhanceStage& stage = problem.stages[k];
    if (!counts_values(stage)) continue;
    places_[k].groups = groups_of(problem, stage.in) * stage.in.size.planes;
    places_[k].counts = take(static_cast<std::size_t>(places_[k].groups) * levels * 8);
  }
  counts_bytes_ = bytes;
  for (Place& place : places_) {
    place.curve = take(static_cast<std::size_t>(place.groups) * levels * 2);
    place.limits = take(static_cast<std::size_t>(place.groups) * 2 * sizeof(int));
  }
  memory_ = stream.scratch(bytes);
}

std::uint64_t* EnhanceTables::counts(int stage) const {
  const int with = counted_with_[static_cast<std::size_t>(stage)];
  return reinterpret_cast<std::uint64_t*>(at(place(with).counts));
}
std::uint16_t* EnhanceTables::curve(int stage) const {
  return reinterpret_cast<std::uint16_t*>(at(place(stage).curve));
}
int* EnhanceTables::limits(int stage) const {
  return reinterpret_cast<int*>(at(place(stage).limits));
}

void EnhanceTables::clear(const EnhanceCurveKernels& kernels, Stream& stream) {
  counting_ = true;
  if (counts_bytes_ == 0) return;
  const EnhanceClearArgs args{memory_.as<unsigned long long>(),
                              static_cast<long long>(counts_bytes_ / 8)};
  kernels.clear.launch(stream, {blocks_for(args.count, kPointThreads)}, {kPointThreads}, 0, args);
}

void EnhanceTables::make_curves(const EnhanceCurveKernels& kernels, int stage,
                                Stream& stream) const {
  for (int k = 0; k < std::ssize(places_); ++k) {
    const EnhanceStage& one = problem_.stages[static_cast<std::size_t>(k)];
    if (!finds_curve(one) || counted_with_[static_cast<std::size_t>(k)] != stage) continue;
    EnhanceCurveArgs args{};
    args.counts = reinterpret_cast<unsigned long long*>(counts(k));
    args.curve = curve(k);
    args.limits = limits(k);
    args.levels = problem_.levels();
    args.equalise = one.step == EnhanceStep::equalise;
    args.by_threshold = problem_.rule == ContrastRule::threshold;
    args.low = problem_.low;
    args.high = problem_.high;
    args.threshold = problem_.threshold;
    kernels.curves.launch(stream, {static_cast<unsigned>(place(k).groups)}, {kCurveThreads}, 0,
                          args);
  }
}

void EnhanceTables::upload(const EnhanceState::Impl& state, Stream& stream) {
  known_ = &state;
  for (int k = 0; k < std::ssize(places_); ++k) {
    const StageFinding& finding = state.findings[static_cast<std::size_t>(k)];
    if (place(k).groups == 0 || finding.curve.empty()) continue;
    const Size size{problem_.levels(), place(k).groups};
    device_stream(stream).copy(packed(finding.curve.data(), size),
                               packed(curve(k), size, stream.device()));
  }
}

void EnhanceTables::add_counts(int stage, SweepCounts& counts_so_far, Stream& stream) const {
  std::vector<std::uint64_t> more(counts_so_far.values.size());
  copy_down(counts(stage), more.data(), static_cast<std::size_t>(problem_.levels()) * 8,
            place(stage).groups, stream);
  stream.wait();
  for (std::size_t k = 0; k < more.size(); ++k) counts_so_far.values[k] += more[k];
}

void EnhanceTables::download(std::vector<StageFinding>& findings, Stream& stream) const {
  const auto levels = static_cast<std::size_t>(problem_.levels());
  std::vector<std::vector<int>> pairs(places_.size());
  for (std::size_t k = 0; k < places_.size(); ++k) {
    const int groups = places_[k].groups, stage = static_cast<int>(k);
    if (groups == 0) continue;
    StageFinding& finding = findings[k];
    finding.counts.resize(static_cast<std::size_t>(groups) * levels);
    copy_down(counts(stage), finding.counts.data(), levels * 8, groups, stream);
    if (!finds_curve(problem_.stages[k])) continue;
    finding.curve.resize(finding.counts.size());
    copy_down(curve(stage), finding.curve.data(), levels * 2, groups, stream);
    if (problem_.stages[k].step != EnhanceStep::contrast) continue;
    pairs[k].resize(2 * static_cast<std::size_t>(groups));
    copy_down(limits(stage), pairs[k].data(), 2 * sizeof(int), groups, stream);
  }
  stream.wait();
  for (std::size_t k = 0; k < pairs.size(); ++k)
    for (std::size_t n = 0; n < pairs[k].size(); n += 2) {
      findings[k].low.push_back(pairs[k][n]);
      findings[k].high.push_back(pairs[k][n + 1]);
    }
}

}  // namespace tessera
