// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/text_hash.hpp"

#include <fmt/format.h>

namespace tessera::cuda {

void Hash::add_byte(unsigned char byte) {
  const unsigned __int128 prime = (static_cast<unsigned __int128>(1) << 88) + 0x13b;
  value_ = (value_ ^ byte) * prime;
}

Hash& Hash::add(std::string_view text) {
  for (const char c : text) add_byte(static_cast<unsigned char>(c));
  for (std::uint64_t length = text.size(), i = 0; i < 8; ++i, length >>= 8)
    add_byte(static_cast<unsigned char>(length));
  return *this;
}

std::string Hash::text() const {
  return fmt::format("{:016x}{:016x}", static_cast<std::uint64_t>(value_ >> 64),
                     static_cast<std::uint64_t>(value_));
}

}  // namespace tessera::cuda
