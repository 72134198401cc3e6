// SPDX-License-Identifier: Apache-2.0
/// SHA-256 (FIPS 180-4) and HMAC (RFC 2104): seals of files that are run.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace tessera {

class Sha256 {
 public:
  using Digest = std::array<unsigned char, 32>;

  Sha256& add(std::string_view bytes);
  /// Ends the message; nothing may be added afterwards.
  Digest finish();

 private:
  void add_block(const unsigned char* block);

  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> rest_{};
  std::uint64_t bytes_ = 0;
};

Sha256::Digest hmac_sha256(std::string_view key, std::string_view message);

/// 64 hexadecimal digits.
std::string hex_text(const Sha256::Digest& digest);

}  // namespace tessera
