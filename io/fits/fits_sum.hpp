// SPDX-License-Identifier: Apache-2.0
/// The checksum of FITS: big-endian words of 32 bits, added in ones' complement. Rows may come in
/// any order, because the order of the words does not matter.
#pragma once

#include <cstdint>
#include <string>

namespace tessera {

class FitsSum {
 public:
  /// Adds bytes at `position` of the data.
  void add(long long position, const void* bytes, long long count);
  void add(std::uint32_t words);
  std::uint32_t value() const;

 private:
  std::uint64_t sum_ = 0;
};

/// The 16 letters and digits of a CHECKSUM card that add `complement` to the sum of a header.
std::string fits_sum_text(std::uint32_t complement);

}  // namespace tessera
