// SPDX-License-Identifier: Apache-2.0
#include "io/voltages/voltage_gather.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace tessera {
namespace {

/// How a sample is copied.
struct Copy {
  int part = 1;            ///< bytes per part; 0: ci4
  unsigned char flip = 0;  ///< for the highest byte of a part
  bool swap_halves = false;
  long long from_imaginary = 0, to_imaginary = 0;
};

void copy_sample(const Copy& copy, const unsigned char* from, unsigned char* to) {
  if (copy.part == 0) {
    const auto value = static_cast<unsigned char>(*from ^ copy.flip);
    *to = copy.swap_halves ? static_cast<unsigned char>(value << 4 | value >> 4) : value;
    return;
  }
  const auto bytes = static_cast<std::size_t>(copy.part);
  std::memcpy(to, from, bytes);
  std::memcpy(to + copy.to_imaginary, from + copy.from_imaginary, bytes);
  to[copy.part - 1] ^= copy.flip;
  to[copy.to_imaginary + copy.part - 1] ^= copy.flip;
}

void clear_sample(const Copy& copy, unsigned char* to) {
  const auto bytes = static_cast<std::size_t>(copy.part == 0 ? 1 : copy.part);
  std::memset(to, 0, bytes);
  if (copy.part > 0) std::memset(to + copy.to_imaginary, 0, bytes);
}

long long time_place(const VoltageLayout& layout, long long t) {
  return t / layout.group * layout.group_step + t % layout.group * layout.time;
}

/// The samples of a tile of times stay in the caches while inputs and channels change places.
constexpr long long kTileTimes = 64;

/// Samples T whose parts lie side by side, as they are.
template <class T>
void copy_tiles(const XEngineShape& shape, const VoltageBlock& block, const VoltageLayout& to,
                unsigned char* out) {
  const VoltageLayout& from = block.layout;
  const auto* const in = static_cast<const unsigned char*>(block.data);
  for (long long first = 0; first < block.samples; first += kTileTimes) {
    const long long count = std::min(kTileTimes, block.samples - first);
    for (int c = 0; c < shape.channels; ++c)
      for (int i = 0; i < shape.inputs(); ++i) {
        const int a = i / shape.polarisations, p = i % shape.polarisations;
        const unsigned char* source = in + c * from.channel + a * from.antenna +
                                      p * from.polarisation + first * from.group_step;
        unsigned char* target =
            out + c * to.channel + a * to.antenna + p * to.polarisation + first * to.group_step;
        for (long long t = 0; t < count; ++t, source += from.group_step, target += to.group_step)
          std::memcpy(target, source, sizeof(T));
      }
  }
}

/// Whether samples of `bytes` bytes are copied as they are, with one step in time.
bool copies_plainly(const VoltageBlock& block, const VoltageLayout& to, bool changes, int bytes) {
  const VoltageLayout& from = block.layout;
  return !changes && block.valid.empty() && from.group == 1 && to.group == 1 &&
         (bytes == 1 || (from.imaginary == bytes / 2 && to.imaginary == bytes / 2));
}

}  // namespace

void gather_voltages(const VoltageInfo& info, const VoltageBlock& block, const VoltageLayout& to,
                     unsigned char* out) {
  const bool halves = info.samples == SampleType::ci4;
  const bool flips = info.offset_binary && is_integer(info.samples);
  const Copy copy{halves ? 0 : bytes_of(info.samples) / 2,
                  static_cast<unsigned char>(!flips   ? 0
                                             : halves ? 0x88
                                                      : 0x80),
                  info.real_low, block.layout.imaginary, to.imaginary};
  const int bytes = bytes_of(info.samples);
  if (copies_plainly(block, to, flips || (halves && info.real_low), bytes)) {
    if (bytes == 1) return copy_tiles<std::uint8_t>(info.shape, block, to, out);
    if (bytes == 2) return copy_tiles<std::uint16_t>(info.shape, block, to, out);
    if (bytes == 4) return copy_tiles<std::uint32_t>(info.shape, block, to, out);
    return copy_tiles<std::uint64_t>(info.shape, block, to, out);
  }
  const VoltageLayout& from = block.layout;
  const auto* const in = static_cast<const unsigned char*>(block.data);
  const int inputs = info.shape.inputs();
  for (long long t = 0; t < block.samples; ++t)
    for (int i = 0; i < inputs; ++i) {
      const int a = i / info.shape.polarisations, p = i % info.shape.polarisations;
      const bool valid =
          block.valid.empty() ||
          block.valid[static_cast<std::size_t>(t / block.valid_samples * inputs + i)] != 0;
      const unsigned char* const source =
          in + time_place(from, t) + a * from.antenna + p * from.polarisation;
      unsigned char* const target = out + time_place(to, t) + a * to.antenna + p * to.polarisation;
      for (int c = 0; c < info.shape.channels; ++c)
        if (valid)
          copy_sample(copy, source + c * from.channel, target + c * to.channel);
        else
          clear_sample(copy, target + c * to.channel);
    }
}

}  // namespace tessera
