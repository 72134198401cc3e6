// SPDX-License-Identifier: Apache-2.0
#include "io/npy_samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr bool kLittle = std::endian::native == std::endian::little;

template <class T>
void swap_bytes(unsigned char* samples, long long count) {
  for (long long i = 0; i < count; ++i)
    std::reverse(samples + i * sizeof(T), samples + (i + 1) * sizeof(T));
}

void swap_items(int bytes, unsigned char* samples, long long count) {
  if (bytes == 2) swap_bytes<uint16_t>(samples, count);
  if (bytes == 4) swap_bytes<uint32_t>(samples, count);
  if (bytes == 8) swap_bytes<uint64_t>(samples, count);
}

// Every half is a float: 5 bits of exponent and 10 of fraction widen to 8 and 23.
float float_of_half(uint16_t half) {
  const uint32_t sign = uint32_t{half} >> 15 << 31, exponent = half >> 10 & 31,
                 fraction = half & 1023;
  if (exponent == 0) {
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
    return sign ? -magnitude : magnitude;
  }
  const uint32_t wide_exponent = exponent == 31 ? 255 : exponent + (127 - 15);
  return std::bit_cast<float>(sign | wide_exponent << 23 | fraction << 13);
}

void decode_halves(const unsigned char* raw, bool swapped, unsigned char* samples,
                   long long count) {
  for (long long i = 0; i < count; ++i) {
    const int first = raw[2 * i], second = raw[2 * i + 1];
    const bool low_first = kLittle != swapped;
    const auto half = static_cast<uint16_t>(low_first ? first | second << 8 : second | first << 8);
    const float value = float_of_half(half);
    std::memcpy(samples + 4 * i, &value, sizeof value);
  }
}

struct KnownItem {
  const char* name;  ///< kind and bytes per item
  Type type;
};
constexpr KnownItem kKnownItems[] = {{"u1", Type::u8},  {"b1", Type::u8},  {"u2", Type::u16},
                                     {"f2", Type::f32}, {"f4", Type::f32}, {"f8", Type::f64}};

// Names are short; a longer text of a damaged file must not fill a terminal.
std::string quotable(const std::string& text) {
  std::string shown;
  for (const char letter : text.substr(0, 32)) shown += letter < ' ' || letter > '~' ? '?' : letter;
  return text.size() > 32 ? shown + "…" : shown;
}

}  // namespace

NpyItem npy_item(const std::string& path, const std::string& descr) {
  const char order = descr.empty() ? ' ' : descr[0];
  const bool ordered = order == '<' || order == '>' || order == '=' || order == '|';
  const std::string name = ordered ? descr.substr(1) : descr;
  for (const KnownItem& known : kKnownItems)
    if (name == known.name) {
      const int bytes = name[1] - '0';
      const bool swapped = bytes > 1 && order == (kLittle ? '>' : '<');
      return {known.type, bytes, swapped, name[0] == 'b'};
    }
  throw Error(
      ErrorKind::input,
      fmt::format("{}: its items are '{}'; they can be uint8, uint16, float32 or float64, and "
                  "bool (read as u8) or float16 (read as f32)",
                  path, quotable(descr)));
}

void decode_npy(const NpyItem& item, const unsigned char* raw, unsigned char* samples,
                long long count) {
  if (item.boolean) {
    for (long long i = 0; i < count; ++i) samples[i] = raw[i] != 0;
  } else if (item.plain()) {
    if (raw != samples) std::memcpy(samples, raw, static_cast<size_t>(count) * item.bytes);
    if (item.swapped) swap_items(item.bytes, samples, count);
  } else {
    decode_halves(raw, item.swapped, samples, count);
  }
}

}  // namespace tessera
