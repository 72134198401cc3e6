// SPDX-License-Identifier: Apache-2.0
/// Reads compressed tiles bit by bit.
#pragma once

#include <bit>
#include <span>

namespace tessera {

/// Bits in the order from the highest of each byte to the lowest.
class BitWalk {
 public:
  explicit BitWalk(std::span<const unsigned char> bytes) : bytes_(bytes) {}

  bool skip(long long bits) {
    at_ += bits;
    return at_ <= end();
  }
  /// The next few bits, at most 8, as a number; -1 past the end.
  int take(int bits) {
    if (at_ + bits > end()) return -1;
    int value = 0;
    for (int i = 0; i < bits; ++i, ++at_)
      value = value << 1 | (bytes_[static_cast<size_t>(at_ / 8)] >> (7 - at_ % 8) & 1);
    return value;
  }
  /// Whole bytes that were not looked at.
  long long bytes_left() const { return std::ssize(bytes_) - (at_ + 7) / 8; }
  void to_next_byte() { at_ = (at_ + 7) / 8 * 8; }
  /// Skips to just after the next bit that is set.
  bool skip_unary() {
    while (at_ < end()) {
      const auto rest =
          static_cast<unsigned char>(bytes_[static_cast<size_t>(at_ / 8)] << (at_ % 8));
      if (rest != 0) return skip(std::countl_zero(rest) + 1);
      at_ += 8 - at_ % 8;
    }
    return false;
  }

 private:
  long long end() const { return 8 * std::ssize(bytes_); }

  std::span<const unsigned char> bytes_;
  long long at_ = 0;
};

}  // namespace tessera
