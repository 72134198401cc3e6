// SPDX-License-Identifier: Apache-2.0
// The plan: check, choose, run.
#include "tessera/xengine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/check.hpp"
#include "core/plan_impl.hpp"
#include "ops/xengine/xengine_check.hpp"
#include "ops/xengine/xengine_counts.hpp"
#include "ops/xengine/xengine_order.hpp"
#include "ops/xengine/xengine_problem.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr const char* kName = "xengine";
/// Numbers of samples beyond it could overflow, times the channels averaged.
constexpr long long kMostMissing = 1LL << 53;

VisibilityType output_type(const XEngineOptions& options) {
  if (options.output_type != VisibilityType::automatic) return options.output_type;
  return is_integer(options.samples) ? VisibilityType::i64 : VisibilityType::f64;
}

XEngineProblem make_problem(const XEngineShape& shape, const XEngineOptions& options) {
  check_xengine_shape(shape, options.samples);
  check_xengine_options(shape, options);
  const VisibilityInfo output{shape.channels / options.average, values_of(options.order, shape),
                              output_type(options), options.order};
  return {shape, options, output, options.device};
}

struct XEnginePlan final : PlanOf<XEngineProblem, XEngineRunner> {
  using PlanOf::PlanOf;
  std::string problem_text() const override {
    return fmt::format("{} {}x{} inputs, {} channels, {}", kName, problem.shape.antennas,
                       problem.shape.polarisations, problem.shape.channels,
                       name_of(problem.options.samples));
  }
};

}  // namespace

struct XEngineState::Impl {
  std::shared_ptr<const Plan::Impl> plan;  ///< that made it
  std::unique_ptr<XEngineSums> sums;
  long long samples = 0;
  XEngineCounts counts;

  void begin_again() {
    sums->touched = false;
    samples = 0;
    counts.clear();
  }
};

long long XEngineState::samples() const { return impl_->samples; }

XEngine::XEngine(const XEngineShape& shape, const XEngineOptions& options)
    : Plan(std::make_shared<const XEnginePlan>(kName, make_problem(shape, options),
                                               xengine_methods(), options)) {}

const XEngineShape& XEngine::shape() const { return impl<XEnginePlan>().problem.shape; }
const XEngineOptions& XEngine::options() const { return impl<XEnginePlan>().problem.options; }
const VisibilityInfo& XEngine::output() const { return impl<XEnginePlan>().problem.output; }

namespace {

/// The state's parts, if this plan made it.
XEngineState::Impl& own(const XEngineState& state, const void* plan) {
  if (state.impl().plan.get() != plan)
    throw Error(ErrorKind::usage,
                fmt::format("{}: the state belongs to another plan; make it with start() of this "
                            "one",
                            kName));
  return state.impl();
}

void check_whole(const XEngineSums& sums) {
  if (sums.touched)
    throw Error(ErrorKind::resources,
                fmt::format("{}: the last block was added only in part, so the sums are not whole; "
                            "clear the state and begin again",
                            kName));
}

}  // namespace

XEngineState XEngine::start() const {
  auto state = std::make_shared<XEngineState::Impl>();
  state->plan = shared_impl();
  state->sums = impl<XEnginePlan>().runner->start();
  return XEngineState(std::move(state));
}

void XEngine::add(XEngineState& state, const VoltageBlock& block, Stream& stream) const {
  XEngineState::Impl& s = own(state, shared_impl().get());
  check_block(shape(), options().samples, block, device());
  check_stream(kName, stream, device());
  check_whole(*s.sums);
  if (block.samples == 0) return;
  if (!block.valid.empty() && std::ranges::all_of(block.valid, [](auto v) { return v == 0; }))
    return add_missing(state, block.samples);
  s.sums->position = s.samples;
  impl<XEnginePlan>().runner->add(*s.sums, block, stream);
  s.counts.add(block, shape().inputs(), stream.threads());
  s.samples += block.samples;
  s.sums->touched = false;
}

void XEngine::add_missing(XEngineState& state, long long samples) const {
  XEngineState::Impl& s = own(state, shared_impl().get());
  if (samples < 0 || samples > kMostMissing - s.samples)
    throw Error(ErrorKind::usage, fmt::format("{}: {} samples are missing after {}; there can be 0 "
                                              "or more, and {} in all",
                                              kName, samples, s.samples, kMostMissing));
  check_whole(*s.sums);
  if (samples > 0) s.counts.add_missing(shape().inputs());
  s.samples += samples;
}

XEngineDump XEngine::dump(XEngineState& state, VisibilityView out, Stream& stream) const {
  XEngineState::Impl& s = own(state, shared_impl().get());
  check_visibilities(out, device());
  check_stream(kName, stream, device());
  check_whole(*s.sums);
  XEngineDump dump;
  dump.samples = s.samples;
  dump.valid = s.counts.values(shape(), options().order, options().average);
  dump.saturated = impl<XEnginePlan>().runner->dump(*s.sums, out, stream);
  s.begin_again();
  return dump;
}

void XEngine::clear(XEngineState& state, Stream& stream) const {
  XEngineState::Impl& s = own(state, shared_impl().get());
  check_stream(kName, stream, device());
  impl<XEnginePlan>().runner->clear(*s.sums, stream);
  s.begin_again();
}

}  // namespace tessera
