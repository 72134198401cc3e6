// SPDX-License-Identifier: Apache-2.0
#include "ops/xengine/xengine_check.hpp"

#include <fmt/format.h>

#include "core/pools.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr int kMostAntennas = 1 << 20;
/// More than any machine has; smaller numbers of bytes fit long long.
constexpr double kMostBytes = 0x1p60;

template <class... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> text, Args&&... args) {
  throw Error(ErrorKind::usage, "xengine: " + fmt::format(text, std::forward<Args>(args)...));
}

std::string place(int device) {
  return device == kHost ? "the host" : fmt::format("device {}", device);
}

void check_place(const char* what, int given, int device) {
  if (given == kHost || given == device) return;
  if (device == kHost)
    refuse(
        "{} on {} and the plan runs on the host; copy to the host, or make the plan with "
        "backend cuda",
        what, place(given));
  refuse("{} on {} and the plan runs on {}; give memory of {} or of the host", what, place(given),
         place(device), place(device));
}

/// A step, which must be given if there is more than one of something.
void check_step(const char* what, long long step, long long count) {
  if (count > 1 && step == 0)
    refuse(
        "the layout's {} step is 0 bytes and there are {}; give steps, or make the layout with "
        "voltage_layout",
        what, count);
}

void check_layout(const XEngineShape& shape, SampleType type, const VoltageBlock& block) {
  const VoltageLayout& l = block.layout;
  if (l.group < 1) refuse("the layout's group is {} samples; it can be 1 or more", l.group);
  check_step("channel", l.channel, shape.channels);
  check_step("antenna", l.antenna, shape.antennas);
  check_step("polarisation", l.polarisation, shape.polarisations);
  check_step("time", l.time, std::min<long long>(block.samples, l.group));
  check_step("group", l.group_step, (block.samples + l.group - 1) / l.group);
  if (type != SampleType::ci4 && l.imaginary == 0)
    refuse("the layout's imaginary part lies 0 bytes behind the real one; it is {} of {} samples",
           bytes_of(type) / 2, name_of(type));
}

void check_mask(const XEngineShape& shape, const VoltageBlock& block) {
  if (block.valid.empty()) return;
  if (block.valid_samples < 1)
    refuse("stretches of the mask are {} samples long; they can be 1 or longer",
           block.valid_samples);
  const long long stretches = (block.samples - 1) / block.valid_samples + 1;
  if (std::ssize(block.valid) / shape.inputs() != stretches ||
      std::ssize(block.valid) % shape.inputs() != 0)
    refuse("the mask has {} bytes; {} samples in stretches of {} by {} inputs need {}",
           block.valid.size(), block.samples, block.valid_samples, shape.inputs(),
           stretches * shape.inputs());
}

}  // namespace

void check_xengine_shape(const XEngineShape& s, SampleType type) {
  if (s.antennas < 1 || s.polarisations < 1 || s.channels < 1)
    refuse("there are {} antennas of {} polarisations and {} channels; give at least one of each",
           s.antennas, s.polarisations, s.channels);
  if (s.polarisations > 4)
    refuse("there are {} polarisations; there can be 1 to 4", s.polarisations);
  if (s.antennas > kMostAntennas)
    refuse("there are {} antennas; there can be up to {}", s.antennas, kMostAntennas);
  const double bytes = 16.0 * static_cast<double>(s.values()) * s.channels;
  if (bytes > kMostBytes)
    throw Error(
        ErrorKind::resources,
        fmt::format("xengine: sums of {}x{} inputs and {} channels of {} need {}; give "
                    "fewer",
                    s.antennas, s.polarisations, s.channels, name_of(type), bytes_text(bytes)));
}

void check_xengine_options(const XEngineShape& shape, const XEngineOptions& o) {
  check_ranges("xengine", o);
  if (shape.channels % o.average != 0)
    refuse("average is {} and there are {} channels; it must divide them", o.average,
           shape.channels);
  if (o.order == VisibilityOrder::register_tile && shape.antennas % 2 != 0)
    refuse(
        "order register-tile has tiles of 2 by 2 antennas and there are {}; give an even number "
        "of antennas, or another order",
        shape.antennas);
  const bool to_integer =
      o.output_type == VisibilityType::i64 || o.output_type == VisibilityType::i32;
  if (!is_integer(o.samples) && to_integer)
    refuse("output type is {} and samples are {}; floats need f64 or f32", name_of(o.output_type),
           name_of(o.samples));
  if (!is_integer(o.samples) && o.offset_binary)
    refuse("offset-binary is for integers and samples are {}; leave it out", name_of(o.samples));
  if (o.samples != SampleType::ci4 && o.real_low)
    refuse("real-low is for ci4 and samples are {}; leave it out", name_of(o.samples));
}

void check_samples(const XEngineShape& shape, SampleType type, long long samples) {
  if (samples < 0) refuse("the block has {} samples; it can have 0 or more", samples);
  const double bytes =
      1.0 * shape.inputs() * shape.channels * bytes_of(type) * static_cast<double>(samples);
  if (bytes > kMostBytes)
    refuse("{} samples of {} inputs and {} channels are {}; give fewer at a time", samples,
           shape.inputs(), shape.channels, bytes_text(bytes));
}

void check_block(const XEngineShape& shape, SampleType type, const VoltageBlock& block,
                 int device) {
  check_samples(shape, type, block.samples);
  if (block.samples == 0) return;
  if (!block.data)
    refuse("the block has {} samples and no data; give their address", block.samples);
  check_place("the block is", block.device, device);
  check_layout(shape, type, block);
  check_mask(shape, block);
}

void check_visibilities(const VisibilityView& out, int device) {
  if (!out.data) refuse("there is no memory for the visibilities; give as much as output() says");
  check_place("the visibilities are", out.device, device);
}

}  // namespace tessera
