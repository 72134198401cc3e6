// SPDX-License-Identifier: Apache-2.0
#include "core/items.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/samples.hpp"

namespace tessera {
namespace {

template <class Bits>
Bits swapped_bytes(Bits bits) {
  if constexpr (sizeof(Bits) == 2) return __builtin_bswap16(bits);
  if constexpr (sizeof(Bits) == 4) return __builtin_bswap32(bits);
  if constexpr (sizeof(Bits) == 8) return __builtin_bswap64(bits);
  return bits;
}

/// turn(element) for each, from one packed row to another; both may be the same.
template <class From, class To, class Turn>
void turn_each(const unsigned char* from, unsigned char* to, long long count, Turn turn) {
  for (long long i = 0; i < count; ++i) {
    From element;
    std::memcpy(&element, from + i * static_cast<long long>(sizeof(From)), sizeof(From));
    const To made = turn(element);
    std::memcpy(to + i * static_cast<long long>(sizeof(To)), &made, sizeof(To));
  }
}

// The byte order is asked once per row: a loop without a branch runs in vectors.
template <class Bits, class Sample, class Turn>
void decode(bool swapped, const unsigned char* raw, unsigned char* samples, long long count,
            Turn turn) {
  if (swapped)
    turn_each<Bits, Sample>(raw, samples, count,
                            [=](Bits bits) { return turn(swapped_bytes(bits)); });
  else
    turn_each<Bits, Sample>(raw, samples, count, turn);
}
template <class Bits, class Sample, class Turn>
void encode(bool swapped, const unsigned char* samples, unsigned char* raw, long long count,
            Turn turn) {
  if (swapped)
    turn_each<Sample, Bits>(samples, raw, count,
                            [=](Sample sample) { return swapped_bytes<Bits>(turn(sample)); });
  else
    turn_each<Sample, Bits>(samples, raw, count, turn);
}

// 5 bits of exponent and 10 of fraction widen to 8 and 23. The factor moves the bias of the
// exponent, which also makes the smallest halves normal.
float float_of_half(std::uint16_t half) {
  const std::uint32_t wide = (half & 0x7FFFu) << 13, sign = (half & 0x8000u) << 16;
  const auto finite = std::bit_cast<std::uint32_t>(std::bit_cast<float>(wide) * 0x1p112f);
  return std::bit_cast<float>(sign | ((half & 0x7C00u) == 0x7C00u ? wide | 0x7F800000u : finite));
}

// Rounded to nearest even. Adding 0.5 puts the last bit of the smallest halves at the end of a
// float.
std::uint16_t half_of_float(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & 0x7FFFFFFFu, sign = bits >> 16 & 0x8000u;
  const std::uint32_t tiny =
      std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - 0x3F000000u;
  const std::uint32_t normal =
      ((magnitude + 0xFFFu + (magnitude >> 13 & 1u)) >> 13) - ((127u - 15u) << 10);
  const std::uint32_t finite = magnitude < 0x38800000u ? tiny : normal;
  const std::uint32_t half = finite < 0x7C00u ? finite : 0x7C00u;
  return static_cast<std::uint16_t>(sign | (magnitude > 0x7F800000u ? 0x7E00u : half));
}

/// Integers of `Bits` and the floats that hold them.
template <class Integer, class Real>
struct Widened {
  using Bits = std::make_unsigned_t<Integer>;
  static void decode(bool swapped, const unsigned char* raw, unsigned char* samples,
                     long long count) {
    tessera::decode<Bits, Real>(swapped, raw, samples, count, [](Bits bits) {
      return static_cast<Real>(static_cast<Integer>(bits));
    });
  }
  static void encode(bool swapped, const unsigned char* samples, unsigned char* raw,
                     long long count) {
    tessera::encode<Bits, Real>(swapped, samples, raw, count, [](Real sample) {
      return static_cast<Bits>(rounded<Integer>(static_cast<double>(sample)));
    });
  }
};

/// The same bits, in one byte order or the other, then with some of them turned over.
template <class Bits>
void copy_bits(bool swapped, const unsigned char* from, unsigned char* to, long long count,
               Bits turned = 0) {
  decode<Bits, Bits>(swapped, from, to, count,
                     [=](Bits bits) { return static_cast<Bits>(bits ^ turned); });
}

void copy_plain(const Items& items, const unsigned char* from, unsigned char* to, long long count) {
  if (!items.swapped || items.bytes == 1) {
    if (from != to) std::memcpy(to, from, static_cast<std::size_t>(count) * items.bytes);
  } else if (items.bytes == 2) {
    copy_bits<std::uint16_t>(true, from, to, count);
  } else if (items.bytes == 4) {
    copy_bits<std::uint32_t>(true, from, to, count);
  } else {
    copy_bits<std::uint64_t>(true, from, to, count);
  }
}

bool is_shifted(const Items& items) {
  return items.kind == ItemKind::with_sign && (items.type == Type::u8 || items.type == Type::u16);
}

/// The highest bit turned over is the offset; `sign` is where it lies in the bytes made.
void copy_shifted(const Items& items, const unsigned char* from, unsigned char* to, long long count,
                  std::uint16_t sign) {
  if (items.bytes == 1) return copy_bits<std::uint8_t>(false, from, to, count, 0x80);
  copy_bits<std::uint16_t>(items.swapped, from, to, count, sign);
}

}  // namespace

bool Items::plain() const {
  return bytes == bytes_of(type) && kind != ItemKind::boolean && !is_shifted(*this);
}
double Items::offset() const { return !is_shifted(*this) ? 0 : bytes == 1 ? 0x80 : 0x8000; }

Items items_of(Type type, bool swapped) {
  return {type, bytes_of(type), swapped && bytes_of(type) > 1,
          is_signed_integer(type) ? ItemKind::with_sign
          : is_integer(type)      ? ItemKind::whole
                                  : ItemKind::floating};
}

std::optional<Items> items_of(ItemKind kind, int bytes, bool swapped, ItemUse use) {
  struct Known {
    ItemKind kind;
    int bytes;
    Type values, order;
  };
  constexpr Known kKnown[] = {{ItemKind::boolean, 1, Type::u8, Type::u8},
                              {ItemKind::whole, 1, Type::u8, Type::u8},
                              {ItemKind::whole, 2, Type::u16, Type::u16},
                              {ItemKind::whole, 4, Type::f64, Type::f64},
                              {ItemKind::with_sign, 1, Type::f32, Type::u8},
                              {ItemKind::with_sign, 2, Type::f32, Type::u16},
                              {ItemKind::with_sign, 4, Type::f64, Type::f64},
                              {ItemKind::floating, 2, Type::f32, Type::f32},
                              {ItemKind::floating, 4, Type::f32, Type::f32},
                              {ItemKind::floating, 8, Type::f64, Type::f64}};
  for (const Known& known : kKnown)
    if (known.kind == kind && known.bytes == bytes)
      return Items{use == ItemUse::order ? known.order : known.values, bytes, swapped && bytes > 1,
                   kind};
  return std::nullopt;
}

void decode_items(const Items& items, const unsigned char* raw, unsigned char* samples,
                  long long count) {
  const bool swapped = items.swapped;
  if (items.plain()) return copy_plain(items, raw, samples, count);
  if (is_shifted(items)) return copy_shifted(items, raw, samples, count, 0x8000);
  if (items.kind == ItemKind::boolean)
    return turn_each<std::uint8_t, std::uint8_t>(
        raw, samples, count, [](std::uint8_t bits) { return std::uint8_t(bits != 0); });
  if (items.kind == ItemKind::floating)
    return decode<std::uint16_t, float>(swapped, raw, samples, count, float_of_half);
  if (items.kind == ItemKind::whole)
    return Widened<std::uint32_t, double>::decode(swapped, raw, samples, count);
  if (items.bytes == 1) return Widened<std::int8_t, float>::decode(swapped, raw, samples, count);
  if (items.bytes == 2) return Widened<std::int16_t, float>::decode(swapped, raw, samples, count);
  Widened<std::int32_t, double>::decode(swapped, raw, samples, count);
}

void encode_items(const Items& items, const unsigned char* samples, unsigned char* raw,
                  long long count) {
  const bool swapped = items.swapped;
  if (items.plain()) return copy_plain(items, samples, raw, count);
  if (is_shifted(items)) return copy_shifted(items, samples, raw, count, swapped ? 0x80 : 0x8000);
  if (items.kind == ItemKind::boolean)
    return turn_each<std::uint8_t, std::uint8_t>(
        samples, raw, count, [](std::uint8_t sample) { return std::uint8_t(sample != 0); });
  if (items.kind == ItemKind::floating)
    return encode<std::uint16_t, float>(swapped, samples, raw, count, half_of_float);
  if (items.kind == ItemKind::whole)
    return Widened<std::uint32_t, double>::encode(swapped, samples, raw, count);
  if (items.bytes == 1) return Widened<std::int8_t, float>::encode(swapped, samples, raw, count);
  if (items.bytes == 2) return Widened<std::int16_t, float>::encode(swapped, samples, raw, count);
  Widened<std::int32_t, double>::encode(swapped, samples, raw, count);
}

}  // namespace tessera
