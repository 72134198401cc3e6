// SPDX-License-Identifier: Apache-2.0
#include "io/fits/fits_sum.hpp"

#include <array>
#include <bit>
#include <cstring>

namespace tessera {
namespace {

std::uint64_t folded(std::uint64_t sum) {
  while (sum >> 32) sum = (sum & 0xffffffff) + (sum >> 32);
  return sum;
}

std::uint32_t big_endian(const unsigned char* bytes) {
  std::uint32_t word;
  std::memcpy(&word, bytes, 4);
  return std::endian::native == std::endian::little ? __builtin_bswap32(word) : word;
}

bool is_letter_or_digit(int c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

// Four characters that add up to four times '0' plus `byte`. Pairs are shifted in opposite
// directions until all are letters or digits.
std::array<int, 4> spread(int byte) {
  const int part = byte / 4 + '0';
  std::array<int, 4> four{part + byte % 4, part, part, part};
  const auto odd = [&](size_t i) { return !is_letter_or_digit(four[i]); };
  for (const size_t pair : {0, 2})
    while (odd(pair) || odd(pair + 1)) {
      ++four[pair];
      --four[pair + 1];
    }
  return four;
}

}  // namespace

void FitsSum::add(std::uint32_t words) { sum_ = folded(sum_ + words); }

void FitsSum::add(long long position, const void* bytes, long long count) {
  const auto* at = static_cast<const unsigned char*>(bytes);
  const auto* const end = at + count;
  std::uint64_t sum = 0;
  const auto one = [&] { sum += std::uint64_t{*at++} << (8 * (3 - position++ % 4)); };
  while (at < end && position % 4 != 0) one();
  for (; end - at >= 4; at += 4) sum += big_endian(at);
  position = 0;  // the rest begins a word
  while (at < end) one();
  sum_ = folded(sum_ + folded(sum));
}

std::uint32_t FitsSum::value() const { return static_cast<std::uint32_t>(sum_); }

std::string fits_sum_text(std::uint32_t complement) {
  std::string text(16, '0');
  for (size_t byte = 0; byte < 4; ++byte) {
    const auto four = spread(static_cast<int>(complement >> (24 - 8 * byte) & 0xff));
    // The value begins at the last byte of a word, hence the shift by one.
    for (size_t i = 0; i < 4; ++i) text[(4 * i + byte + 1) % 16] = static_cast<char>(four[i]);
  }
  return text;
}

}  // namespace tessera
