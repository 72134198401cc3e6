// SPDX-License-Identifier: Apache-2.0
#include "io/tiff/tiff_samples.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/items.hpp"

namespace tessera {
namespace {

bool is_spread(int bits) { return bits == 1 || bits == 2 || bits == 4; }

/// Samples of up to 16 bits, the highest bit first, not aligned to bytes.
class BitReader {
 public:
  explicit BitReader(const unsigned char* from) : from_(from) {}
  unsigned next(int bits) {
    while (held_ < bits) {
      window_ = window_ << 8 | *from_++;
      held_ += 8;
    }
    held_ -= bits;
    return window_ >> held_ & ((1u << bits) - 1);
  }

 private:
  const unsigned char* from_;
  unsigned window_ = 0;
  int held_ = 0;
};

template <class To, class Value>
void unpack(int bits, const unsigned char* stored, unsigned char* samples, long long count,
            const Value& value) {
  BitReader reader(stored);
  auto* to = reinterpret_cast<To*>(samples);
  for (long long i = 0; i < count; ++i) to[i] = static_cast<To>(value(reader.next(bits)));
}

// One bit of sign, 7 of exponent, 16 of fraction.
float from_24_bits(unsigned bits) {
  const int exponent = static_cast<int>(bits >> 16 & 127);
  const unsigned fraction = bits & 0xffff;
  float value = 0;
  if (exponent == 127)
    value = fraction == 0 ? std::numeric_limits<float>::infinity()
                          : std::numeric_limits<float>::quiet_NaN();
  else if (exponent == 0)
    value = std::ldexp(static_cast<float>(fraction), -62 - 16);
  else
    value = std::ldexp(static_cast<float>(fraction | 0x10000), exponent - 63 - 16);
  return bits >> 23 & 1 ? -value : value;
}

void decode_24_bits(bool swapped, const unsigned char* stored, unsigned char* samples,
                    long long count) {
  const bool little = swapped != (std::endian::native == std::endian::little);
  for (long long i = 0; i < count; ++i, stored += 3) {
    const unsigned bits = little ? stored[0] | stored[1] << 8 | stored[2] << 16
                                 : stored[2] | stored[1] << 8 | stored[0] << 16;
    reinterpret_cast<float*>(samples)[i] = from_24_bits(bits);
  }
}

template <class To>
void decode_palette(const TiffCoding& coding, bool swapped, const unsigned char* stored,
                    unsigned char* samples, long long count) {
  const size_t colours = coding.colours.size() / 3;
  auto* to = reinterpret_cast<To*>(samples);
  BitReader reader(stored);
  for (long long i = 0; i < count; ++i) {
    size_t index = reader.next(coding.bits);
    // Bits are read from the highest byte down, which is wrong for samples of 16 bits in
    // little-endian order.
    const bool little = swapped != (std::endian::native == std::endian::little);
    if (coding.bits == 16 && little) index = (index & 255) << 8 | index >> 8;
    for (size_t c = 0; c < 3; ++c) *to++ = static_cast<To>(coding.colours[c * colours + index]);
  }
}

ItemKind kind_of(TiffFormat format) {
  return format == TiffFormat::whole       ? ItemKind::whole
         : format == TiffFormat::with_sign ? ItemKind::with_sign
                                           : ItemKind::floating;
}

void decode_packed(const TiffCoding& coding, const unsigned char* stored, unsigned char* samples,
                   long long count) {
  const unsigned most = (1u << coding.bits) - 1;
  if (is_spread(coding.bits))
    return unpack<unsigned char>(coding.bits, stored, samples, count,
                                 [&](unsigned v) { return v * (255 / most); });
  unpack<unsigned short>(coding.bits, stored, samples, count, [](unsigned v) { return v; });
}

}  // namespace

std::optional<Type> TiffCoding::type() const {
  if (!colours.empty()) return colour_type;
  if (format == TiffFormat::floating) {
    if (bits == 16 || bits == 24 || bits == 32) return Type::f32;
    return bits == 64 ? std::optional(Type::f64) : std::nullopt;
  }
  if (bits == 32) return Type::f64;
  if (format == TiffFormat::with_sign)
    return bits == 8 || bits == 16 ? std::optional(Type::f32) : std::nullopt;
  if (bits < 1 || bits > 16) return std::nullopt;
  return bits == 8 || is_spread(bits) ? Type::u8 : Type::u16;
}

bool TiffCoding::plain() const {
  return colours.empty() && format != TiffFormat::with_sign && type() &&
         bits == 8 * bytes_of(*type());
}

void TiffCoding::narrow_colours() {
  const auto all = [&](auto test) { return std::ranges::all_of(colours, test); };
  colour_type = Type::u8;
  if (all([](int v) { return v < 256; })) return;
  if (all([](int v) { return v % 257 == 0; }) || all([](int v) { return v % 256 == 0; }))
    for (unsigned short& colour : colours) colour = static_cast<unsigned short>(colour >> 8);
  else
    colour_type = Type::u16;
}

void decode_tiff(const TiffCoding& coding, bool swapped, const unsigned char* stored,
                 unsigned char* samples, long long count) {
  const int bits = coding.bits;
  if (!coding.colours.empty()) {
    return coding.colour_type == Type::u8
               ? decode_palette<unsigned char>(coding, swapped, stored, samples, count)
               : decode_palette<unsigned short>(coding, swapped, stored, samples, count);
  }
  if (coding.format == TiffFormat::floating && bits == 24)
    return decode_24_bits(swapped, stored, samples, count);
  if (coding.format == TiffFormat::whole && bits != 8 && bits != 16 && bits != 32)
    return decode_packed(coding, stored, samples, count);
  decode_items({*coding.type(), bits / 8, swapped, kind_of(coding.format)}, stored, samples, count);
}

}  // namespace tessera
