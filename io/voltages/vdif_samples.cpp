// SPDX-License-Identifier: Apache-2.0
#include "io/voltages/vdif_samples.hpp"

#include <array>
#include <cstdint>
#include <cstring>

namespace tessera {
namespace {

constexpr double kFourBitUnit = 2.95, kEightBitUnit = 35.5;
constexpr std::array<float, 4> kTwoBitLevels{-3.316505f, -1.0f, 1.0f, 3.316505f};

/// Calls put(part number, value) for every value of `bits` bits.
template <class Put>
void for_each_value(const VdifHeader& header, const unsigned char* payload, Put put) {
  const int in_a_byte = 8 / header.bits, mask = (1 << header.bits) - 1;
  long long number = 0;
  for (long long at = 0; at < header.payload_bytes(); ++at)
    for (int k = 0; k < in_a_byte; ++k) put(number++, payload[at] >> k * header.bits & mask);
}

/// Values of type T, contiguous if samples are complex, otherwise with a zero after each.
template <class T, class Convert>
void decode_to(const VdifHeader& header, const unsigned char* payload, unsigned char* out,
               Convert convert) {
  for_each_value(header, payload, [&](long long number, int raw) {
    const T pair[2] = {static_cast<T>(convert(raw)), T(0)};
    if (header.complex)
      std::memcpy(out + number * static_cast<long long>(sizeof(T)), pair, sizeof(T));
    else
      std::memcpy(out + number * static_cast<long long>(sizeof pair), pair, sizeof pair);
  });
}

bool stays(const VdifHeader& header, bool half_steps) {
  return header.complex && header.bits >= 4 && !(header.bits == 8 && half_steps);
}

void decode_sixteen(const VdifHeader& header, const unsigned char* payload, unsigned char* out) {
  for (long long at = 0; at < header.payload_bytes(); at += 2) {
    const std::array<unsigned char, 4> sample{
        payload[at], static_cast<unsigned char>(payload[at + 1] ^ 0x80), 0, 0};
    std::memcpy(out + 2 * at, sample.data(), sample.size());
  }
}

}  // namespace

VdifSamples vdif_samples(const VdifHeader& header, bool half_steps) {
  VdifSamples samples;
  samples.offset_binary = stays(header, half_steps);
  switch (header.bits) {
    case 1:
      break;
    case 2:
      samples.type = SampleType::cf32;
      break;
    case 4:
      if (header.complex) samples.type = SampleType::ci4;
      samples.real_low = header.complex;
      samples.scale = 1 / kFourBitUnit;
      break;
    case 8:
      if (half_steps) samples.type = SampleType::ci16;
      samples.scale = 1 / (half_steps ? 2 * kEightBitUnit : kEightBitUnit);
      samples.offset = half_steps ? 0 : 0.5;
      break;
    default:
      samples.type = SampleType::ci16;
  }
  return samples;
}

void decode_vdif(const VdifHeader& header, bool half_steps, const unsigned char* payload,
                 unsigned char* out) {
  if (stays(header, half_steps)) {
    std::memcpy(out, payload, static_cast<std::size_t>(header.payload_bytes()));
    return;
  }
  switch (header.bits) {
    case 1:
      return decode_to<std::int8_t>(header, payload, out, [](int raw) { return 2 * raw - 1; });
    case 2:
      return decode_to<float>(header, payload, out,
                              [](int raw) { return kTwoBitLevels[static_cast<std::size_t>(raw)]; });
    case 4:
      return decode_to<std::int8_t>(header, payload, out, [](int raw) { return raw - 8; });
    case 8:
      if (half_steps)
        return decode_to<std::int16_t>(header, payload, out, [](int raw) { return 2 * raw - 255; });
      return decode_to<std::int8_t>(header, payload, out, [](int raw) { return raw - 128; });
    default:
      return decode_sixteen(header, payload, out);
  }
}

}  // namespace tessera
