// SPDX-License-Identifier: Apache-2.0
#include "jobs/xengine/voltage_copy.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/pools.hpp"
#include "core/strided_copy.hpp"

namespace tessera {
namespace {

/// Reading has its own thread; the others multiply.
constexpr int kThreads = 1;

enum { kChannel, kAntenna, kPolarisation, kTime, kGroup, kPart, kAxes };
using Axes = std::array<CopyAxis, kAxes>;

Axes axes_of(const VoltageLayout& l, const XEngineShape& shape, SampleType type, long long samples,
             long long group) {
  Axes axes;
  axes[kChannel] = {shape.channels, l.channel};
  axes[kAntenna] = {shape.antennas, l.antenna};
  axes[kPolarisation] = {shape.polarisations, l.polarisation};
  axes[kTime] = {group, l.time};
  axes[kGroup] = {(samples + group - 1) / group, l.group_step};
  axes[kPart] = {type == SampleType::ci4 ? 1 : 2, l.imaginary};
  return axes;
}

}  // namespace

KeptVoltages keep_voltages(const VoltageBlock& block, Scratch owner) {
  KeptVoltages kept{block, std::move(owner), {block.valid.begin(), block.valid.end()}};
  kept.block.valid = kept.valid;
  return kept;
}

// Samples after the last complete group are copied separately: the memory ends after them.
KeptVoltages keep_voltages(const VoltageBlock& block, const XEngineShape& shape, SampleType type) {
  const VoltageLayout& l = block.layout;
  const long long item = type == SampleType::ci4 ? 1 : bytes_of(type) / 2;
  // A group may be longer than the block: no memory is taken for samples that do not exist.
  const int group = static_cast<int>(std::clamp<long long>(block.samples, 1, l.group));
  Axes axes = axes_of(l, shape, type, block.samples, group);
  KeptVoltages kept{block,
                    host_scratch(static_cast<std::size_t>(pack_axes(axes, item))),
                    {block.valid.begin(), block.valid.end()}};
  const auto* from = static_cast<const unsigned char*>(block.data);
  auto* to = kept.memory.as<unsigned char>();
  const long long whole = block.samples / group, rest = block.samples % group;
  axes[kGroup].count = whole;
  if (whole > 0) copy_strided(axes, item, from, to, kThreads);
  if (rest > 0) {
    Axes tail = axes;
    tail[kGroup].count = 1;
    tail[kTime].count = rest;
    copy_strided(tail, item, from + whole * l.group_step, to + whole * axes[kGroup].to, kThreads);
  }
  kept.block.data = to;
  kept.block.valid = kept.valid;
  kept.block.layout = {
      axes[kChannel].to, axes[kAntenna].to, axes[kPolarisation].to, axes[kTime].to, group,
      axes[kGroup].to,   axes[kPart].to};
  if (type == SampleType::ci4) kept.block.layout.imaginary = 0;
  return kept;
}

}  // namespace tessera
