// SPDX-License-Identifier: Apache-2.0
/// The name of a compiled kernel on disk.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tessera::cuda {

/// FNV-1a over texts and their ends, in 128 bits.
class Hash {
 public:
  Hash& add(std::string_view text);
  std::string text() const;  ///< 32 hexadecimal digits

 private:
  void add_byte(unsigned char byte);
  unsigned __int128 value_ =
      (static_cast<unsigned __int128>(0x6c62272e07bb0142u) << 64) | 0x62b821756295c58du;
};

}  // namespace tessera::cuda
