// SPDX-License-Identifier: Apache-2.0
// The gain of integer spectra of a recording.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/pools.hpp"
#include "jobs/bank/channel_powers.hpp"
#include "jobs/bank/channelised_voltages.hpp"
#include "report/json.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// Samples from which gains are measured.
constexpr long long kMeasuredBytes = 64 << 20;
constexpr long long kMostMeasured = 1024;

std::string spectra_text(long long count) {
  return fmt::format("{} {}", count, count == 1 ? "spectrum" : "spectra");
}

}  // namespace

// From the first spectrum that an input has until none has one, of at most as many samples as fit
// in a bounded memory: the same number for any blocks, threads, limits of memory and containers.
// The samples stay, for spectra are made from them again.
std::vector<double> ChannelisedVoltages::measure_powers(const Channelise& plan, long long wanted,
                                                        long long at_once) {
  ChanneliseState state = plan.start();
  ChannelPowers powers(plan.output());
  const long long hop = plan.hop(), inputs = plan.input().inputs();
  gain_first_ = next_;
  while (gain_spectra_ < wanted) {
    const long long at = gain_first_ + gain_spectra_;
    const SampleRange all = plan.needs(at, std::min(at_once, wanted - gain_spectra_)),
                      one = plan.needs(at, 1);
    fill(all.first + all.count, gain_first_ * hop);
    if (window_.end() < one.first + one.count) {
      if (gap_ == 0 || gain_spectra_ > 0) break;
      window_.begin_again(window_.end() + std::exchange(gap_, 0));
      gain_first_ = (window_.begin() + hop - 1) / hop;
      continue;
    }
    const long long count =
        std::min(plan.spectra(window_.end()), at + std::min(at_once, wanted - gain_spectra_)) - at;
    const VoltageBlock block = transform(plan, state, at, count);
    const auto is_there = [&](long long m) {
      if (block.valid.empty()) return true;
      const auto mask = block.valid.subspan(static_cast<std::size_t>(m * inputs),
                                            static_cast<std::size_t>(inputs));
      return std::ranges::find_if(mask, [](auto v) { return v != 0; }) != mask.end();
    };
    long long first = 0;
    while (gain_spectra_ == 0 && first < count && !is_there(first)) ++first;
    gain_first_ += first;
    long long end = first;
    while (end < count && is_there(end)) ++end;
    powers.add(block, first, end);
    gain_spectra_ += end - first;
    if (end < count) break;
  }
  return powers.means();
}

// The channel of median power counts, so that a transmitter saturates its own channels and does not
// hide the others.
void ChannelisedVoltages::measure_gain(long long limit) {
  if (!gains_.empty() || !is_integer(plan_->options().output_type)) return;
  ChanneliseOptions floats = plan_->options();
  floats.output_type = SampleType::cf32;
  const Channelise plan(plan_->input(), floats, {tables_.coefficients, {}});
  const VoltageInfo& in = source_.info();
  const long long wanted =
      std::clamp(kMeasuredBytes / (plan.hop() * window_.sample_bytes()), 1LL, kMostMeasured);
  const long long length = in.length.value_or(in.expected_length),
                  all = plan.needs(0, wanted).count;
  const long long samples = length > 0 ? std::min(length, all) : all;
  const long long sums = 16LL * plan.output().channels * plan.output().inputs();
  const long long held = samples * window_.sample_bytes() + sums, one = plan.bytes(1);
  if (held + one > limit)
    throw Error(ErrorKind::resources,
                fmt::format("channelise: an automatic gain is measured over {}, which take {}, but "
                            "--memory-limit is {}; give more memory, or --gain NUMBER",
                            spectra_text(plan.spectra(samples)),
                            bytes_text(static_cast<double>(held + one)),
                            bytes_text(static_cast<double>(limit))));
  window_.reserve(samples);
  set_gain(measure_powers(plan, wanted,
                          std::clamp((limit - held) / one, 1LL, std::max(1LL, kBlockBytes / one))));
}

void ChannelisedVoltages::set_gain(const std::vector<double>& means) {
  const long long all = std::min(gain_first_, plan_->spectra(window_.end()));
  if (gain_spectra_ == 0 && all == 0) return;  // there is not even one
  if (gain_spectra_ == 0)
    throw Error(ErrorKind::usage,
                fmt::format("channelise: its {} have no data to measure a gain from; give --gain "
                            "NUMBER",
                            spectra_text(all)));
  if (means.empty())
    throw Error(ErrorKind::usage,
                fmt::format("channelise: {} to measure a gain from are not numbers; give --gain "
                            "NUMBER",
                            measured_text()));
  no_power_ = std::ranges::all_of(means, [](double mean) { return mean == 0; });
  gains_ = {automatic_gain(means, plan_->options().output_type)};
  if (!std::isfinite(gains_[0]))
    throw Error(ErrorKind::usage,
                "channelise: the spectra are too weak for an automatic gain; give --output-type "
                "cf32 (of xengine: --channelise-type cf32) or --gain NUMBER");
  tables_.gains = gains_;
  plan_.emplace(plan_->input(), plan_->options(), tables_);
  state_.emplace(plan_->start());
}

/// "the first 4 spectra", "4 spectra from spectrum 9 on".
std::string ChannelisedVoltages::measured_text() const {
  if (gain_first_ == 0) return "the first " + spectra_text(gain_spectra_);
  return fmt::format("{} from spectrum {} on", spectra_text(gain_spectra_), gain_first_);
}

/// A number, one per channel, or a list per channel with one per input.
std::string ChannelisedVoltages::gains_text() const {
  if (gains_.size() == 1) return Json(gains_[0]).dump();
  const auto channels = static_cast<std::size_t>(info_.shape.channels);
  if (gains_.size() == channels) return Json(gains_).dump();
  const auto inputs = static_cast<std::ptrdiff_t>(gains_.size() / channels);
  Json all = Json::array();
  for (auto at = gains_.begin(); at != gains_.end(); at += inputs)
    all.push_back(std::vector<float>(at, at + inputs));
  return all.dump();
}

}  // namespace tessera
