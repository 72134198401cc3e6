// SPDX-License-Identifier: Apache-2.0
/// The values of samples: offset binary, half bytes and half floats decoded.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "tessera/xengine.hpp"

namespace tessera {

template <class T>
struct Sample {
  T re, im;
};

/// A half-precision number of IEEE 754 as a float: always exact.
inline float float_of_half(std::uint16_t half) {
  const std::uint32_t sign = (half & 0x8000u) << 16, rest = half & 0x7fffu;
  if (rest < 0x0400u) {  // below the smallest normal number: steps of 2^-24
    const float size = static_cast<float>(rest) * 0x1p-24f;
    return sign ? -size : size;
  }
  const std::uint32_t bias =
      rest >= 0x7c00u ? 0x70000000u : 0x38000000u;  // infinity, NaN: 31 to 255
  return std::bit_cast<float>(sign | ((rest << 13) + bias));
}

/// Reads samples of one type; made once for a loop.
template <SampleType kType>
class SampleReader {
 public:
  SampleReader(const XEngineOptions& options, const VoltageLayout& layout)
      : imaginary_(layout.imaginary),
        flip_(options.offset_binary ? flipped_bits() : 0),
        real_low_(options.real_low) {}

  /// Integers as int, floats as float.
  auto operator()(const unsigned char* at) const {
    if constexpr (kType == SampleType::ci4) {
      const int byte = *at ^ flip_, high = nibble(byte >> 4), low = nibble(byte);
      return real_low_ ? Sample<int>{low, high} : Sample<int>{high, low};
    } else if constexpr (kType == SampleType::ci8) {
      return Sample<int>{static_cast<std::int8_t>(*at ^ flip_),
                         static_cast<std::int8_t>(at[imaginary_] ^ flip_)};
    } else if constexpr (kType == SampleType::ci16) {
      return Sample<int>{static_cast<std::int16_t>(load<std::uint16_t>(at) ^ flip_),
                         static_cast<std::int16_t>(load<std::uint16_t>(at + imaginary_) ^ flip_)};
    } else if constexpr (kType == SampleType::cf16) {
      return Sample<float>{float_of_half(load<std::uint16_t>(at)),
                           float_of_half(load<std::uint16_t>(at + imaginary_))};
    } else {
      return Sample<float>{load<float>(at), load<float>(at + imaginary_)};
    }
  }

 private:
  /// The highest bit of every part.
  static constexpr int flipped_bits() {
    return kType == SampleType::ci4 ? 0x88 : kType == SampleType::ci8 ? 0x80 : 0x8000;
  }
  static int nibble(int bits) { return ((bits & 15) ^ 8) - 8; }
  template <class T>
  static T load(const unsigned char* at) {  // steps may be odd
    T value;
    std::memcpy(&value, at, sizeof(T));
    return value;
  }

  long long imaginary_;
  int flip_;
  bool real_low_;
};

/// Calls use(reader) with the reader of the options' type.
template <class Use>
auto with_reader(const XEngineOptions& options, const VoltageLayout& layout, Use use) {
  switch (options.samples) {
    case SampleType::ci4:
      return use(SampleReader<SampleType::ci4>(options, layout));
    case SampleType::ci8:
      return use(SampleReader<SampleType::ci8>(options, layout));
    case SampleType::ci16:
      return use(SampleReader<SampleType::ci16>(options, layout));
    case SampleType::cf16:
      return use(SampleReader<SampleType::cf16>(options, layout));
    case SampleType::cf32:
      break;
  }
  return use(SampleReader<SampleType::cf32>(options, layout));
}

}  // namespace tessera
