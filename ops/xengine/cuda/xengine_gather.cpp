// SPDX-License-Identifier: Apache-2.0
#include "ops/xengine/cuda/xengine_gather.hpp"

#include <algorithm>

namespace tessera {

long long piece_samples(const VoltageLayout& layout, long long samples, long long first,
                        long long most) {
  const long long group = layout.group, rest = samples - first;
  if (group > most) return std::min({most, rest, group - first % group});
  return std::min(most, rest) >= group ? std::min(most, rest) / group * group : rest;
}

XEngineGather::XEngineGather(const XEngineShape& shape, SampleType type, const VoltageBlock& block,
                             long long first, long long count)
    : layout_(block.layout), item_(type == SampleType::ci4 ? 1 : bytes_of(type) / 2) {
  VoltageLayout& l = layout_;
  from_ = static_cast<const unsigned char*>(block.data) + first / l.group * l.group_step +
          first % l.group * l.time;
  l.group = static_cast<int>(std::min<long long>(l.group, count));
  axes_ = {{shape.channels, l.channel},
           {shape.antennas, l.antenna},
           {shape.polarisations, l.polarisation},
           {l.group, l.time},
           {count / l.group, l.group_step}};
  if (type != SampleType::ci4) axes_.push_back({2, l.imaginary});
  bytes_ = static_cast<std::size_t>(pack_axes(axes_, item_));
  long long* const steps[] = {&l.channel, &l.antenna,    &l.polarisation,
                              &l.time,    &l.group_step, &l.imaginary};
  for (std::size_t i = 0; i < axes_.size(); ++i) *steps[i] = axes_[i].to;
}

void XEngineGather::copy(void* to, int threads) const {
  copy_strided(axes_, item_, from_, to, threads);
}

const void* XEngineGather::in_place() const {
  const bool same = std::ranges::all_of(
      axes_, [](const CopyAxis& axis) { return axis.count == 1 || axis.from == axis.to; });
  return same ? from_ : nullptr;
}

}  // namespace tessera
