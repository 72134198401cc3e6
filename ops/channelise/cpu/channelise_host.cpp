// SPDX-License-Identifier: Apache-2.0
#include "ops/channelise/cpu/channelise_host.hpp"

#include "core/parallel.hpp"

namespace tessera {

void ChanneliseHostRunner::run(ChanneliseTally& tally, const ChanneliseCall& call,
                               Stream& stream) const {
  auto& counts = static_cast<ChanneliseHostTally&>(tally);
  const long long units = (call.out.spectra + unit_ - 1) / unit_;
  const int lines = problem_.shape.inputs() * problem_.shape.channels;
  // Inputs first: samples of neighbouring inputs may share cache lines.
  constexpr long long kAtOnce = 1 << 24;
  for (long long first = 0; first < units * lines; first += kAtOnce) {
    const auto here = static_cast<int>(std::min(kAtOnce, units * lines - first));
    parallel_for(here, stream.threads(), [&](int index) {
      const long long at = first + index, group = at / lines * unit_;
      const auto line = static_cast<int>(at % lines);
      const ChanneliseUnit unit{
          line / problem_.shape.inputs(), line % problem_.shape.inputs(), group,
          static_cast<int>(std::min<long long>(unit_, call.out.spectra - group))};
      ChanneliseTallies own{};
      make(call, unit, own);
      counts.add(own);
    });
  }
}

ChanneliseCounts ChanneliseHostRunner::take(ChanneliseTally& tally, Stream&) const {
  auto& counts = static_cast<ChanneliseHostTally&>(tally);
  return {counts.saturated.exchange(0), counts.not_a_number.exchange(0)};
}

}  // namespace tessera
