// SPDX-License-Identifier: Apache-2.0
#include "core/digest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace tessera {
namespace {

std::uint64_t with_word(std::uint64_t value, std::uint64_t word) {
  const auto product = static_cast<unsigned __int128>(value ^ word) * 0x9e3779b97f4a7c15u;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

std::uint64_t with_bytes(std::uint64_t value, const unsigned char* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return with_word(value, word);
}

}  // namespace

Digest& Digest::add(const void* bytes, std::size_t count) {
  const auto* at = static_cast<const unsigned char*>(bytes);
  const auto* const end = at + count;
  if (const std::size_t held = length_ % 8; held > 0) {
    const std::size_t part = std::min(8 - held, count);
    std::copy_n(at, part, rest_ + held);
    at += part;
    if (held + part == 8) value_ = with_bytes(value_, rest_);
  }
  for (; end - at >= 8; at += 8) value_ = with_bytes(value_, at);
  length_ += count;
  if (length_ % 8 > 0 && at < end) std::copy(at, end, rest_);
  return *this;
}

std::string Digest::text() const {
  unsigned char last[8] = {};
  std::copy_n(rest_, length_ % 8, last);
  return fmt::format("{:016x}", with_word(with_word(with_bytes(value_, last), length_), ~0u));
}

}  // namespace tessera
