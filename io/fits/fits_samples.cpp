// SPDX-License-Identifier: Apache-2.0
#include "io/fits/fits_samples.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace tessera {
namespace {

template <class T>
T swapped(T value) {
  if constexpr (sizeof(T) == 2) return static_cast<T>(__builtin_bswap16(value));
  if constexpr (sizeof(T) == 4) return static_cast<T>(__builtin_bswap32(value));
  if constexpr (sizeof(T) == 8) return static_cast<T>(__builtin_bswap64(value));
  return value;
}

template <class Bits>
Bits load(const unsigned char* raw, bool swap) {
  Bits bits;
  std::memcpy(&bits, raw, sizeof bits);
  return swap ? swapped(bits) : bits;
}

template <class T>
void store(unsigned char* to, T value) {
  std::memcpy(to, &value, sizeof value);
}

// The bits are copied: a NaN keeps its payload.
template <class Bits>
void copy_bits(const unsigned char* raw, bool swap, Bits flipped, unsigned char* samples,
               long long count) {
  for (long long i = 0; i < count; ++i) {
    const auto at = i * static_cast<long long>(sizeof(Bits));
    store(samples + at, static_cast<Bits>(load<Bits>(raw + at, swap) ^ flipped));
  }
}

template <class Real>
struct Scaling {
  explicit Scaling(const FitsNumbers& numbers)
      : scale(static_cast<Real>(numbers.scale)), zero(static_cast<Real>(numbers.zero)) {}
  Real operator()(Real value) const {
    if (scale != 1) value *= scale;
    if (zero != 0) value += zero;
    return value;
  }
  Real scale, zero;
};

template <class Bits, class Real>
void scale_reals(const FitsNumbers& numbers, const unsigned char* raw, bool swap,
                 unsigned char* samples, long long count) {
  if (!numbers.scaled()) return copy_bits<Bits>(raw, swap, 0, samples, count);
  const Scaling<Real> scaling(numbers);
  for (long long i = 0; i < count; ++i) {
    const auto at = i * static_cast<long long>(sizeof(Real));
    store(samples + at, scaling(std::bit_cast<Real>(load<Bits>(raw + at, swap))));
  }
}

template <class Integer, class Real>
void scale_integers(const FitsNumbers& numbers, const unsigned char* raw, bool swap,
                    unsigned char* samples, long long count) {
  using Bits = std::make_unsigned_t<Integer>;
  const Scaling<Real> scaling(numbers);
  // Adding 2^63 in double would round twice.
  const bool unsigned64 = sizeof(Integer) == 8 && numbers.scale == 1 && numbers.zero == 0x1p63;
  for (long long i = 0; i < count; ++i) {
    const auto bits = load<Bits>(raw + i * static_cast<long long>(sizeof(Bits)), swap);
    const auto number = static_cast<Integer>(bits);
    Real value = scaling(static_cast<Real>(number));
    if (unsigned64) value = static_cast<Real>(std::uint64_t{bits} ^ std::uint64_t{1} << 63);
    if (numbers.blank && number == *numbers.blank) value = std::numeric_limits<Real>::quiet_NaN();
    store(samples + i * static_cast<long long>(sizeof(Real)), value);
  }
}

template <class Bits>
void encode(const unsigned char* samples, long long step, Bits flipped, unsigned char* raw,
            long long count) {
  constexpr bool kSwap = std::endian::native == std::endian::little;
  constexpr auto kBytes = static_cast<long long>(sizeof(Bits));
  for (long long i = 0; i < count; ++i) {
    const auto bits = static_cast<Bits>(load<Bits>(samples + i * step * kBytes, false) ^ flipped);
    store(raw + i * kBytes, kSwap ? swapped(bits) : bits);
  }
}

constexpr std::uint16_t kSign16 = 0x8000;

}  // namespace

Type FitsNumbers::type() const {
  if (bitpix == 8 && !scaled() && !blank) return Type::u8;
  if (bitpix == 16 && scale == 1 && zero == 32768 && !blank) return Type::u16;
  return bitpix == 8 || bitpix == 16 || bitpix == -32 ? Type::f32 : Type::f64;
}

void decode_fits(const FitsNumbers& numbers, const unsigned char* raw, bool native,
                 unsigned char* samples, long long count) {
  const bool swap = !native && std::endian::native == std::endian::little;
  if (numbers.type() == Type::u8) return copy_bits<std::uint8_t>(raw, false, 0, samples, count);
  if (numbers.type() == Type::u16)
    return copy_bits<std::uint16_t>(raw, swap, kSign16, samples, count);
  switch (numbers.bitpix) {
    case 8:
      return scale_integers<std::uint8_t, float>(numbers, raw, swap, samples, count);
    case 16:
      return scale_integers<std::int16_t, float>(numbers, raw, swap, samples, count);
    case 32:
      return scale_integers<std::int32_t, double>(numbers, raw, swap, samples, count);
    case 64:
      return scale_integers<std::int64_t, double>(numbers, raw, swap, samples, count);
    case -32:
      return scale_reals<std::uint32_t, float>(numbers, raw, swap, samples, count);
    default:
      return scale_reals<std::uint64_t, double>(numbers, raw, swap, samples, count);
  }
}

FitsNumbers fits_numbers(Type type) {
  switch (type) {
    case Type::u8:
      return {8};
    case Type::u16:
      return {16, 1, 32768};
    case Type::i16:
      return {16};
    case Type::i32:
      return {32};
    case Type::f32:
      return {-32};
    default:
      return {-64};
  }
}

void encode_fits(Type type, const unsigned char* samples, long long step, unsigned char* raw,
                 long long count) {
  switch (type) {
    case Type::u8:
      return encode<std::uint8_t>(samples, step, 0, raw, count);
    case Type::u16:
      return encode<std::uint16_t>(samples, step, kSign16, raw, count);
    case Type::i16:
      return encode<std::uint16_t>(samples, step, 0, raw, count);
    case Type::i32:
    case Type::f32:
      return encode<std::uint32_t>(samples, step, 0, raw, count);
    default:
      return encode<std::uint64_t>(samples, step, 0, raw, count);
  }
}

}  // namespace tessera
