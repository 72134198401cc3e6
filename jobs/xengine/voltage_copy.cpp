// SPDX-License-Identifier: Apache-2.0
#include "jobs/xengine/voltage_copy.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <span>
#include <vector>

#include "core/pools.hpp"

namespace tessera {
namespace {

struct Axis {
  long long count = 1, step = 0, packed = 0;
};
enum { kChannel, kAntenna, kPolarisation, kGroup, kTime, kPart, kAxes };
using Axes = std::array<Axis, kAxes>;

Axes axes_of(const VoltageLayout& l, const XEngineShape& shape, SampleType type, long long samples,
             long long group) {
  Axes axes;
  axes[kChannel] = {shape.channels, l.channel};
  axes[kAntenna] = {shape.antennas, l.antenna};
  axes[kPolarisation] = {shape.polarisations, l.polarisation};
  axes[kGroup] = {(samples + group - 1) / group, l.group_step};
  axes[kTime] = {group, l.time};
  axes[kPart] = {type == SampleType::ci4 ? 1 : 2, l.imaginary};
  return axes;
}

/// The same order of axes without gaps; returns the bytes of all.
long long pack(Axes& axes, long long item) {
  std::array<Axis*, kAxes> sorted{};
  for (std::size_t i = 0; i < kAxes; ++i) sorted[i] = &axes[i];
  std::ranges::stable_sort(
      sorted, {}, [](const Axis* axis) { return axis->count > 1 ? std::llabs(axis->step) : 0; });
  long long bytes = item;
  for (Axis* axis : sorted) {
    axis->packed = bytes;
    bytes *= axis->count;
  }
  return bytes;
}

void copy_runs(std::span<const Axis> axes, long long run, const unsigned char* from,
               unsigned char* to) {
  if (axes.empty()) {
    std::memcpy(to, from, static_cast<std::size_t>(run));
    return;
  }
  for (long long i = 0; i < axes.front().count; ++i)
    copy_runs(axes.subspan(1), run, from + i * axes.front().step, to + i * axes.front().packed);
}

/// From the longest packed step to the shortest; in whole runs where nothing lies between.
void copy_packed(const Axes& axes, long long item, const unsigned char* from, unsigned char* to) {
  std::vector<Axis> loops;
  for (const Axis& axis : axes)
    if (axis.count > 1) loops.push_back(axis);
  std::ranges::sort(loops, std::greater<>(), &Axis::packed);
  for (; !loops.empty() && loops.back().step == item && loops.back().packed == item;
       loops.pop_back())
    item *= loops.back().count;
  copy_runs(loops, item, from, to);
}

}  // namespace

// Samples after the last whole group are copied by themselves: nothing lies behind them.
KeptVoltages keep_voltages(const VoltageBlock& block, const XEngineShape& shape, SampleType type) {
  const VoltageLayout& l = block.layout;
  const long long item = type == SampleType::ci4 ? 1 : bytes_of(type) / 2;
  // A group may be longer than the block: no memory for what is not there.
  const int group = static_cast<int>(std::clamp<long long>(block.samples, 1, l.group));
  Axes axes = axes_of(l, shape, type, block.samples, group);
  KeptVoltages kept{block,
                    host_scratch(static_cast<std::size_t>(pack(axes, item))),
                    {block.valid.begin(), block.valid.end()}};
  const auto* from = static_cast<const unsigned char*>(block.data);
  auto* to = kept.memory.as<unsigned char>();
  const long long whole = block.samples / group, rest = block.samples % group;
  axes[kGroup].count = whole;
  if (whole > 0) copy_packed(axes, item, from, to);
  if (rest > 0) {
    Axes tail = axes;
    tail[kGroup].count = 1;
    tail[kTime].count = rest;
    copy_packed(tail, item, from + whole * l.group_step, to + whole * axes[kGroup].packed);
  }
  kept.block.data = to;
  kept.block.valid = kept.valid;
  kept.block.layout = {axes[kChannel].packed,
                       axes[kAntenna].packed,
                       axes[kPolarisation].packed,
                       axes[kTime].packed,
                       group,
                       axes[kGroup].packed,
                       axes[kPart].packed};
  if (type == SampleType::ci4) kept.block.layout.imaginary = 0;
  return kept;
}

}  // namespace tessera
