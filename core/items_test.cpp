// SPDX-License-Identifier: Apache-2.0
// Elements become samples and come back, in both byte orders.
#include "core/items.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace tessera {
namespace {

template <class Sample, class Element>
std::vector<Sample> decoded(const Items& items, std::vector<Element> elements) {
  auto* bytes = reinterpret_cast<unsigned char*>(elements.data());
  if (items.swapped)
    for (std::size_t i = 0; i < elements.size(); ++i)
      std::reverse(bytes + i * sizeof(Element), bytes + (i + 1) * sizeof(Element));
  std::vector<Sample> samples(elements.size());
  decode_items(items, bytes, reinterpret_cast<unsigned char*>(samples.data()),
               std::ssize(elements));
  return samples;
}

template <class Element, class Sample>
std::vector<Element> encoded(const Items& items, const std::vector<Sample>& samples) {
  std::vector<Element> elements(samples.size());
  auto* bytes = reinterpret_cast<unsigned char*>(elements.data());
  encode_items(items, reinterpret_cast<const unsigned char*>(samples.data()), bytes,
               std::ssize(samples));
  if (items.swapped)
    for (std::size_t i = 0; i < elements.size(); ++i)
      std::reverse(bytes + i * sizeof(Element), bytes + (i + 1) * sizeof(Element));
  return elements;
}

/// Both byte orders: there and back gives the same elements.
template <class Element, class Sample, class Value>
void expect_values(ItemKind kind, ItemUse use, const std::vector<Element>& elements, Value value) {
  for (const bool swapped : {false, true}) {
    const Items items = *items_of(kind, sizeof(Element), swapped, use);
    const auto samples = decoded<Sample>(items, elements);
    for (std::size_t i = 0; i < elements.size(); ++i)
      ASSERT_EQ(samples[i], value(elements[i])) << elements[i] << (swapped ? " swapped" : "");
    EXPECT_EQ((encoded<Element>(items, samples)), elements) << swapped;
  }
}

template <class Integer>
std::vector<Integer> integers() {
  using Limits = std::numeric_limits<Integer>;
  std::vector<Integer> list;
  for (int i = 0; i < 100; ++i) {
    list.push_back(static_cast<Integer>(Limits::min() + i));
    list.push_back(static_cast<Integer>(Limits::max() - i));
    list.push_back(static_cast<Integer>(i - 50));
  }
  return list;
}

TEST(Items, SignedIntegersHaveTheirValues) {
  const auto same = [](auto element) { return element; };
  expect_values<std::int8_t, float>(ItemKind::with_sign, ItemUse::values, integers<std::int8_t>(),
                                    same);
  expect_values<std::int16_t, float>(ItemKind::with_sign, ItemUse::values, integers<std::int16_t>(),
                                     same);
  expect_values<std::int32_t, double>(ItemKind::with_sign, ItemUse::values,
                                      integers<std::int32_t>(), same);
  expect_values<std::uint32_t, double>(ItemKind::whole, ItemUse::values, integers<std::uint32_t>(),
                                       same);
}

TEST(Items, SignedIntegersInOrderAreUnsigned) {
  expect_values<std::int8_t, std::uint8_t>(ItemKind::with_sign, ItemUse::order,
                                           integers<std::int8_t>(),
                                           [](int element) { return element + 128; });
  expect_values<std::int16_t, std::uint16_t>(ItemKind::with_sign, ItemUse::order,
                                             integers<std::int16_t>(),
                                             [](int element) { return element + 32768; });
  EXPECT_EQ(items_of(ItemKind::with_sign, 2, false, ItemUse::order)->offset(), 32768);
  EXPECT_EQ(items_of(ItemKind::with_sign, 4, false, ItemUse::order)->offset(), 0);
}

TEST(Items, PlainSamplesAreCopied) {
  const auto same = [](auto element) { return element; };
  expect_values<std::uint16_t, std::uint16_t>(ItemKind::whole, ItemUse::order,
                                              integers<std::uint16_t>(), same);
  expect_values<float, float>(ItemKind::floating, ItemUse::values, {1.5f, -0.25f, 1e30f}, same);
  expect_values<double, double>(ItemKind::floating, ItemUse::values, {1.5, -0.25, 1e300}, same);
  for (const Type type : {Type::u8, Type::u16, Type::f32, Type::f64, Type::i16, Type::i32})
    EXPECT_TRUE(items_of(type).plain());
}

TEST(Items, BooleansAreZeroAndOne) {
  const Items items = *items_of(ItemKind::boolean, 1, false, ItemUse::values);
  EXPECT_EQ((decoded<std::uint8_t>(items, std::vector<std::uint8_t>{0, 1, 7})),
            (std::vector<std::uint8_t>{0, 1, 1}));
  EXPECT_EQ((encoded<std::uint8_t>(items, std::vector<std::uint8_t>{0, 1, 255})),
            (std::vector<std::uint8_t>{0, 1, 1}));
}

// The value by the definition of the format.
float value_of_half(int half) {
  const int exponent = half >> 10 & 31, fraction = half & 1023;
  const double magnitude = exponent == 31  ? (fraction ? NAN : INFINITY)
                           : exponent == 0 ? std::ldexp(fraction, -24)
                                           : std::ldexp(1024 + fraction, exponent - 25);
  return static_cast<float>(half >> 15 ? -magnitude : magnitude);
}

TEST(Items, AllHalvesAreExact) {
  std::vector<std::uint16_t> halves(65536);
  for (std::size_t i = 0; i < halves.size(); ++i) halves[i] = static_cast<std::uint16_t>(i);
  for (const bool swapped : {false, true}) {
    const Items items = *items_of(ItemKind::floating, 2, swapped, ItemUse::values);
    const auto floats = decoded<float>(items, halves);
    const auto back = encoded<std::uint16_t>(items, floats);
    for (int i = 0; i < 65536; ++i) {
      const float wanted = value_of_half(i);
      if (std::isnan(wanted)) {
        ASSERT_TRUE(std::isnan(floats[i]) && (back[i] & 0x7FFF) == 0x7E00) << i;
        continue;
      }
      ASSERT_EQ(std::bit_cast<std::uint32_t>(floats[i]), std::bit_cast<std::uint32_t>(wanted)) << i;
      ASSERT_EQ(back[i], i);
    }
  }
}

// Between two halves the nearer is taken, and of two at the same distance the even one.
TEST(Items, FloatsAreRoundedToHalves) {
  const Items items = *items_of(ItemKind::floating, 2, false, ItemUse::values);
  for (int i = 0; i < 0x7BFF; ++i) {
    const float low = value_of_half(i), high = value_of_half(i + 1), middle = (low + high) / 2;
    const auto made =
        encoded<std::uint16_t>(items, std::vector<float>{std::nextafter(middle, low), middle,
                                                         std::nextafter(middle, high), -middle});
    ASSERT_EQ(made[0], i);
    ASSERT_EQ(made[1], i + i % 2);
    ASSERT_EQ(made[2], i + 1);
    ASSERT_EQ(made[3], 0x8000 + i + i % 2);
  }
  EXPECT_EQ((encoded<std::uint16_t>(items, std::vector<float>{65519.0f, 65520.0f, 1e30f})),
            (std::vector<std::uint16_t>{0x7BFF, 0x7C00, 0x7C00}));
}

TEST(Items, IntegersAreRoundedAndSaturated) {
  const std::vector<float> values{-1e9f, -32768.5f, -2.5f, -1.5f,    -0.5f,    0.5f,
                                  1.5f,  2.5f,      3.7f,  32767.5f, INFINITY, NAN};
  EXPECT_EQ(
      (encoded<std::int16_t>(*items_of(ItemKind::with_sign, 2, false, ItemUse::values), values)),
      (std::vector<std::int16_t>{-32768, -32768, -2, -2, 0, 0, 2, 2, 4, 32767, 32767, 0}));
  EXPECT_EQ((encoded<std::int32_t>(*items_of(ItemKind::with_sign, 4, false, ItemUse::values),
                                   std::vector<double>{-1e10, -2.5, 2147483646.5, 1e10, NAN})),
            (std::vector<std::int32_t>{INT32_MIN, -2, 2147483646, INT32_MAX, 0}));
}

TEST(Items, LongIntegersHaveNoType) {
  EXPECT_FALSE(items_of(ItemKind::with_sign, 8, false, ItemUse::values));
  EXPECT_FALSE(items_of(ItemKind::whole, 8, false, ItemUse::order));
  EXPECT_FALSE(items_of(ItemKind::floating, 16, false, ItemUse::values));
}

}  // namespace
}  // namespace tessera
