// SPDX-License-Identifier: Apache-2.0
/// Tells whether bytes are still those that were written. It finds damage, not forgery.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace tessera {

/// 64 bits over words of 8 bytes: each is multiplied in, and the halves of the product are joined.
/// The kernel cache's FNV-1a takes one byte at a time, which is too slow for large outputs.
class Digest {
 public:
  /// How the bytes are divided among calls does not matter.
  Digest& add(const void* bytes, std::size_t count);
  std::string text() const;  ///< 16 hexadecimal digits

 private:
  std::uint64_t value_ = 0x243f6a8885a308d3u, length_ = 0;
  unsigned char rest_[8] = {};  ///< the last length_ % 8 bytes
};

}  // namespace tessera
