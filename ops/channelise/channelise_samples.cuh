// SPDX-License-Identifier: Apache-2.0
// Samples of a recording and spectra in memory, whatever their type and layout, for host and
// device. Includes no third-party header.
#pragma once

#include "tessera/view.hpp"

namespace tessera {

/// The numbers of SampleType (tessera/voltage_blocks.hpp), which kernels cannot include.
inline constexpr int kChanneliseCi8 = 0, kChanneliseCi4 = 1, kChanneliseCi16 = 2,
                     kChanneliseCf16 = 3, kChanneliseCf32 = 4;

/// A VoltageLayout; `group` is large if time has one step.
struct ChannelisePlaces {
  long long channel, antenna, polarisation, time, group_step, imaginary;  ///< bytes
  int group, polarisations;

  TESSERA_BOTH long long input(int c, int i) const {
    return c * channel + i / polarisations * antenna + i % polarisations * polarisation;
  }
  TESSERA_BOTH long long at(long long t) const {
    return group == 1 ? t * group_step : t / group * group_step + t % group * time;
  }
};

/// A block of samples.
struct ChanneliseSamples {
  const unsigned char* data;
  ChannelisePlaces places;
  long long first, count;  ///< sample of the recording that is sample 0 of the block
  bool offset_binary, real_low;
};

struct ChanneliseValue {
  float re, im;
};

/// Bits of 2 or 4 bytes at any address: steps may be odd.
template <class Bits>
TESSERA_BOTH inline Bits channelise_bits_at(const unsigned char* at) {
  unsigned bits = 0;
  for (unsigned k = 0; k < sizeof(Bits); ++k) bits |= static_cast<unsigned>(at[k]) << 8 * k;
  return static_cast<Bits>(bits);
}

/// A half-precision number, exactly: its bits, read as those of a float, are 2^-112 times its
/// value.
TESSERA_BOTH inline float channelise_half(unsigned short half) {
  const unsigned sign = (half & 0x8000U) << 16, rest = (half & 0x7fffU) << 13;
  if (rest >= 0x7c00U << 13)  // infinite or NaN
    return __builtin_bit_cast(float, sign | 0x70000000U | rest);
  return __builtin_bit_cast(float, sign | rest) * 0x1p112F;
}

TESSERA_BOTH inline float channelise_nibble(unsigned bits) {
  return static_cast<float>(static_cast<int>((bits & 15U) ^ 8U) - 8);
}

/// The part at an address: the real one, or the imaginary one.
template <int kType>
TESSERA_BOTH inline float channelise_part(const unsigned char* at, bool offset_binary) {
  if constexpr (kType == kChanneliseCi8) {
    return static_cast<float>(
        static_cast<signed char>(offset_binary ? *at ^ 0x80U : static_cast<unsigned>(*at)));
  } else if constexpr (kType == kChanneliseCi16) {
    const unsigned bits = channelise_bits_at<unsigned short>(at);
    return static_cast<float>(static_cast<short>(offset_binary ? bits ^ 0x8000U : bits));
  } else if constexpr (kType == kChanneliseCf16) {
    return channelise_half(channelise_bits_at<unsigned short>(at));
  } else {
    return __builtin_bit_cast(float, channelise_bits_at<unsigned>(at));
  }
}

/// A sample; the imaginary part is 0 if only real parts are wanted.
template <int kType, bool kReal>
TESSERA_BOTH inline ChanneliseValue channelise_sample(const ChanneliseSamples& s,
                                                      const unsigned char* at) {
  if constexpr (kType == kChanneliseCi4) {
    const unsigned byte = s.offset_binary ? *at ^ 0x88U : static_cast<unsigned>(*at);
    const float high = channelise_nibble(byte >> 4), low = channelise_nibble(byte);
    return {s.real_low ? low : high, kReal ? 0 : s.real_low ? high : low};
  } else {
    return {channelise_part<kType>(at, s.offset_binary),
            kReal ? 0 : channelise_part<kType>(at + s.places.imaginary, s.offset_binary)};
  }
}

/// Counts of parts of one thread.
struct ChanneliseTallies {
  unsigned saturated, not_a_number;
};

/// A part of an integer output: gain * value, a float product, to the nearest integer, half to
/// even. `most` is 127 or 32767.
TESSERA_BOTH inline int channelise_quantise(float value, float gain, float most,
                                            ChanneliseTallies& counts) {
  const float scaled = gain * value;
  if (!(scaled == scaled)) {
    ++counts.not_a_number;
    return 0;
  }
  // A sum this large has no bits for fractions, so it is rounded as IEEE 754 says; numbers beyond
  // it are saturated anyway.
  constexpr float kLarge = 0x1.8p23F;
  const float size = scaled < 0 ? -scaled : scaled;
  const float nearest = size < 0x1p20F ? (scaled + kLarge) - kLarge : scaled;
  if (nearest > most || nearest < -most) {
    ++counts.saturated;
    return static_cast<int>(nearest > most ? most : -most);
  }
  return static_cast<int>(nearest);
}

}  // namespace tessera
