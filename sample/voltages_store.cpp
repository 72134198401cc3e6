// SPDX-License-Identifier: Apache-2.0
#include "sample/voltages_store.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace tessera {
namespace {

/// The nearest level with that many bits; counts values outside.
int level_of(float value, int bits, long long& saturated) {
  const auto top = static_cast<float>((1 << (bits - 1)) - 1), bottom = -top - 1;
  const float nearest = std::floor(value + 0.5F);
  saturated += nearest > top || nearest < bottom;
  return static_cast<int>(std::clamp(nearest, bottom, top));
}

template <class T>
void put(T value, unsigned char* to) {
  std::memcpy(to, &value, sizeof value);
}

template <class T>
long long put_levels(float re, float im, long long imaginary, unsigned char* to) {
  long long saturated = 0;
  put(static_cast<T>(level_of(re, 8 * sizeof(T), saturated)), to);
  put(static_cast<T>(level_of(im, 8 * sizeof(T), saturated)), to + imaginary);
  return saturated;
}

/// The real part is the high half of the byte.
long long put_halves(float re, float im, unsigned char* to) {
  long long saturated = 0;
  const int high = level_of(re, 4, saturated), low = level_of(im, 4, saturated);
  *to = static_cast<unsigned char>((high & 15) << 4 | (low & 15));
  return saturated;
}

}  // namespace

long long store_voltages(SampleType type, const VoltageLayout& layout, long long first,
                         long long count, const float* re, const float* im, unsigned char* to) {
  long long saturated = 0;
  for (long long k = 0; k < count; ++k) {
    const long long t = first + k;
    unsigned char* const at =
        to + t / layout.group * layout.group_step + t % layout.group * layout.time;
    if (type == SampleType::ci8) {
      saturated += put_levels<std::int8_t>(re[k], im[k], layout.imaginary, at);
    } else if (type == SampleType::ci16) {
      saturated += put_levels<std::int16_t>(re[k], im[k], layout.imaginary, at);
    } else if (type == SampleType::ci4) {
      saturated += put_halves(re[k], im[k], at);
    } else {
      put(re[k], at);
      put(im[k], at + layout.imaginary);
    }
  }
  return saturated;
}

}  // namespace tessera
