// SPDX-License-Identifier: Apache-2.0
#include "io/voltages/voltage_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace tessera {
namespace {

long long stored_bytes(const VoltageOrder& order) {
  return order.real ? bytes_of(order.type) / 2 : bytes_of(order.type);
}
/// Bytes of the unit that no axis divides.
long long item_bytes(const VoltageOrder& order) {
  const bool parts = order.type != SampleType::ci4 && order.axes.find('C') != std::string::npos;
  return parts ? stored_bytes(order) / 2 : stored_bytes(order);
}

long long extent(const VoltageOrder& order, char axis) {
  switch (axis) {
    case 'A':
      return order.shape.antennas;
    case 'F':
      return order.shape.channels;
    case 'P':
      return order.shape.polarisations;
    default:
      return 2;  // C
  }
}

/// Bytes of everything that varies faster than an axis of the file; T counts only for the heap.
struct Steps {
  long long outer = 1;  ///< how often time starts again
  long long group = 0;  ///< bytes of a heap (of one sample if there are no heaps)
};
Steps steps_of(const VoltageOrder& order) {
  Steps steps{1, item_bytes(order)};
  bool before_time = true;
  for (const char axis : order.axes) {
    if (axis == 'T') {
      before_time = false;
      continue;
    }
    (before_time ? steps.outer : steps.group) *= extent(order, axis);
  }
  steps.group *= order.heap;
  return steps;
}

}  // namespace

long long VoltageOrder::bytes_a_sample() const {
  return stored_bytes(*this) * shape.inputs() * shape.channels;
}

bool VoltageOrder::time_first() const { return steps_of(*this).outer == 1; }

VoltageLayout VoltageOrder::layout(long long samples) const {
  VoltageLayout layout;
  long long step = item_bytes(*this);
  layout.imaginary = type == SampleType::ci4 ? 0 : step / 2;
  bool heap_left = std::ranges::count(axes, 'T') > 1;
  layout.group = static_cast<int>(heap);
  for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
    if (*axis == 'T' && heap_left) {
      layout.time = step;
      step *= heap;
      heap_left = false;
      continue;
    }
    if (*axis == 'T') layout.group_step = step;
    if (*axis == 'A') layout.antenna = step;
    if (*axis == 'F') layout.channel = step;
    if (*axis == 'P') layout.polarisation = step;
    if (*axis == 'C') layout.imaginary = step;
    step *= *axis == 'T' ? (samples + heap - 1) / heap : extent(*this, *axis);
  }
  if (heap == 1) layout.time = layout.group_step;
  if (!real) return layout;
  for (long long* const value :
       {&layout.channel, &layout.antenna, &layout.polarisation, &layout.time, &layout.group_step})
    *value *= 2;
  layout.imaginary = stored_bytes(*this);
  return layout;
}

std::string why_not_axes(const VoltageOrder& order) {
  for (const char axis : order.axes)
    if (std::string("AFPTC").find(axis) == std::string::npos)
      return fmt::format(
          "{} has '{}'; T, F, P and A (time, channels, polarisations, antennas) are "
          "known",
          order.axes, axis);
  for (const char axis : std::string("AFP"))
    if (const auto times = std::ranges::count(order.axes, axis);
        times > 1 || (times == 0 && extent(order, axis) > 1))
      return fmt::format("{} has {} {} times; the length of that axis is {}", order.axes, axis,
                         times, extent(order, axis));
  const auto parts = std::ranges::count(order.axes, 'C');
  const bool apart = !order.real && order.type != SampleType::ci4;
  if (parts > (apart ? 1 : 0))
    return fmt::format("{} has C {} times; {}", order.axes, parts,
                       apart ? "it can be there at most once"
                             : "these samples have no parts that can be separate");
  const auto times = std::ranges::count(order.axes, 'T');
  if (times < 1 || times > 2 || (times == 1 && order.heap != 1))
    return fmt::format("{} has T {} times; it must be there once, or twice if there are heaps",
                       order.axes, times);
  return "";
}

bool find_named_order(const std::string& name, VoltageOrder& order) {
  const int part_bits = order.type == SampleType::ci4 ? 4 : 4 * bytes_of(order.type);
  order.heap = 1;
  if (name == "tci")
    order.axes = "TFAP";
  else if (name == "cti")
    order.axes = "FTAP";
  else if (name == "cit")
    order.axes = "FAPT";
  else if (name == "act")
    order.axes = "AFTP";
  else if (name == "tcc")
    order.axes = "FTAPT", order.heap = 128 / part_bits;
  else if (name == "dp4a" && order.type == SampleType::ci8)
    order.axes = "TFAPCT", order.heap = 4;
  else
    return false;
  return true;
}

/// Whether a row has a wanted channel, if channels are slower than time.
bool OrderedVoltages::is_wanted(long long row) const {
  const auto time = order_.axes.find('T'), channels = order_.axes.find('F');
  if (wanted_.count == 0 || channels == std::string::npos || channels > time) return true;
  long long inner = 1;  // rows of one channel
  for (auto k = channels + 1; k < time; ++k) inner *= extent(order_, order_.axes[k]);
  const long long channel = row / inner % order_.shape.channels;
  return channel >= wanted_.first && channel < wanted_.first + wanted_.count;
}

/// Groups that follow each other in the file; of each only the wanted channels, if these are the
/// slowest axis in it and their bytes are worth a call.
void OrderedVoltages::read_row(VoltageInput& input, long long offset, unsigned char* to,
                               long long groups, long long group) {
  constexpr long long kWorthACall = 4096;
  const long long channel = group / order_.shape.channels, first = channel * wanted_.first,
                  bytes = channel * wanted_.count;
  const auto time = order_.axes.find('T');
  const bool slowest = order_.axes.find('F', time) == time + 1;
  if (!slowest || bytes < kWorthACall || bytes == group || input.is_pipe())
    return input.read_all(offset, to, groups * group);
  for (long long k = 0; k < groups; ++k)
    input.read_all(offset + k * group + first, to + k * group + first, bytes);
}

// [outer][time / heap][heap and all faster axes]: whole heaps are read.
VoltageBlock OrderedVoltages::read(VoltageInput& input, long long from, long long count) {
  const auto [outer, group] = steps_of(order_);
  const long long first = from / order_.heap, inside = from % order_.heap;
  const long long groups = std::min((inside + count + order_.heap - 1) / order_.heap,
                                    inside > 0 ? 1 : total_ / order_.heap - first);
  const long long bytes = outer * groups * group, all = total_ / order_.heap;
  const auto needed = static_cast<std::size_t>(order_.real ? 2 * bytes : bytes);
  if (bytes_.size() < needed) bytes_.resize(needed);
  if (groups == all && wanted_.count == 0)
    input.read_all(offset_, bytes_.data(), bytes);
  else
    for (long long row = 0; row < outer; ++row)
      if (is_wanted(row))
        read_row(input, offset_ + (row * all + first) * group, bytes_.data() + row * groups * group,
                 groups, group);
  if (order_.real) add_imaginary_parts(bytes);
  VoltageBlock block;
  block.layout = order_.layout(groups * order_.heap);
  block.data = bytes_.data() + inside * block.layout.time;
  block.samples = std::min(count, groups * order_.heap - inside);
  return block;
}

// From the end, so that nothing is overwritten before it has moved.
void OrderedVoltages::add_imaginary_parts(long long bytes) {
  const long long part = stored_bytes(order_);
  for (long long at = bytes - part; at >= 0; at -= part) {
    unsigned char value[4];
    std::memcpy(value, bytes_.data() + at, static_cast<std::size_t>(part));
    if (order_.offset_binary) value[part - 1] ^= 0x80;  // the highest byte
    std::memset(bytes_.data() + 2 * at, 0, static_cast<std::size_t>(2 * part));
    std::memcpy(bytes_.data() + 2 * at, value, static_cast<std::size_t>(part));
  }
}

}  // namespace tessera
