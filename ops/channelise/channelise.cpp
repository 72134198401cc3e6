// SPDX-License-Identifier: Apache-2.0
// The plan: check, choose, run.
#include "tessera/channelise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/check.hpp"
#include "core/plan_impl.hpp"
#include "ops/channelise/channelise_check.hpp"
#include "ops/channelise/channelise_problem.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr const char* kChannelise = "channelise";

struct ChannelisePlan final : PlanOf<ChanneliseProblem, ChanneliseRunner> {
  using PlanOf::PlanOf;
  std::string problem_text() const override {
    const ChanneliseOptions& o = problem.options;
    return fmt::format("{} {}x{} inputs, {} to {} channels, {}{} to {}, {} taps{}{}", kChannelise,
                       problem.shape.antennas, problem.shape.polarisations, problem.shape.channels,
                       problem.outputs(), o.real ? "real " : "", name_of(o.samples),
                       name_of(o.output_type), o.taps, o.oversample == "1" ? "" : ", oversampled ",
                       o.oversample == "1" ? "" : o.oversample);
  }
};

}  // namespace

struct ChanneliseState::Impl {
  std::shared_ptr<const Plan::Impl> plan;  ///< that made it
  std::unique_ptr<ChanneliseTally> tally;
};

namespace {

ChanneliseTally& own_tally(const ChanneliseState& state, const void* plan) {
  if (state.impl().plan.get() != plan)
    throw Error(ErrorKind::usage,
                fmt::format("{}: the state belongs to another plan; make it with start() of this "
                            "one",
                            kChannelise));
  return *state.impl().tally;
}

}  // namespace

Channelise::Channelise(const XEngineShape& recording, const ChanneliseOptions& options,
                       const ChanneliseTables& tables)
    : Plan(std::make_shared<const ChannelisePlan>(
          kChannelise, make_channelise_problem(recording, options, tables), channelise_methods(),
          options)) {}

const XEngineShape& Channelise::input() const { return impl<ChannelisePlan>().problem.shape; }
XEngineShape Channelise::output() const {
  XEngineShape shape = input();
  shape.channels = impl<ChannelisePlan>().problem.outputs();
  return shape;
}
const ChanneliseOptions& Channelise::options() const {
  return impl<ChannelisePlan>().problem.options;
}
long long Channelise::hop() const { return impl<ChannelisePlan>().problem.hop; }
long long Channelise::length() const { return impl<ChannelisePlan>().problem.length(); }
int Channelise::transform() const { return impl<ChannelisePlan>().problem.transform; }
std::span<const float> Channelise::coefficients() const {
  return impl<ChannelisePlan>().problem.filter;
}

double Channelise::frequency(int channel) const {
  const ChanneliseProblem& p = impl<ChannelisePlan>().problem;
  return static_cast<double>(p.first_channel() + channel % p.channels()) / p.transform;
}

long long Channelise::spectra(long long samples) const {
  return samples < length() ? 0 : (samples - length()) / hop() + 1;
}

SampleRange Channelise::needs(long long first, long long count) const {
  return {first * hop(), count > 0 ? (count - 1) * hop() + length() : 0};
}

VoltageLayout Channelise::layout(long long spectra) const {
  // Tensor cores take groups of 16 bytes fastest; other methods take time side by side.
  const SampleType type = options().output_type;
  const bool grouped = backend() == Backend::cuda && type == SampleType::ci8 && spectra % 16 == 0;
  return voltage_layout(grouped ? "tcc" : "cit", output(), type, spectra);
}

long long Channelise::bytes(long long spectra) const {
  return spectra * input().inputs() * output().channels * bytes_of(options().output_type);
}

ChanneliseState Channelise::start() const {
  auto state = std::make_shared<ChanneliseState::Impl>();
  state->plan = shared_impl();
  state->tally = impl<ChannelisePlan>().runner->start();
  return ChanneliseState(std::move(state));
}

void Channelise::operator()(ChanneliseState& state, const RawVoltages& in, const SpectraBlock& out,
                            Stream& stream) const {
  ChanneliseTally& tally = own_tally(state, shared_impl().get());
  const ChanneliseProblem& p = impl<ChannelisePlan>().problem;
  check_channelise_call(p, in, out, device());
  check_stream(kChannelise, stream, device());
  if (out.spectra == 0) return;
  const bool missing = mark_missing_spectra(p, in, out);
  impl<ChannelisePlan>().runner->run(tally, {in, out, missing ? out.valid.data() : nullptr},
                                     stream);
}

ChanneliseCounts Channelise::take_counts(ChanneliseState& state, Stream& stream) const {
  ChanneliseTally& tally = own_tally(state, shared_impl().get());
  check_stream(kChannelise, stream, device());
  return impl<ChannelisePlan>().runner->take(tally, stream);
}

}  // namespace tessera
