// SPDX-License-Identifier: Apache-2.0
/// Compiled kernels on disk.
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

/// An image kept on disk. A file that is missing, truncated or changed counts as missing.
bool read_cubin(const std::string& path, std::string& image);

/// Written under another name first, so that no reader sees half a file. A folder that cannot be
/// written to is not an error: the next run compiles again.
void write_cubin(const std::string& path, const std::string& image);

}  // namespace tessera::cuda
