// SPDX-License-Identifier: Apache-2.0
/// Random numbers that are the same on every machine. They depend on a position, not on earlier
/// numbers: values of a cell or a row depend only on its coordinates, so strips and threads do not
/// matter.
#pragma once

#include <cstdint>
#include <initializer_list>

namespace tessera {

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014): every bit depends on every bit.
constexpr std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

class Random {
 public:
  /// A separate stream for every list of keys.
  constexpr explicit Random(std::initializer_list<std::uint64_t> keys) {
    for (const std::uint64_t key : keys) state_ = mixed(state_ ^ mixed(key));
  }

  constexpr std::uint64_t next() { return mixed(state_ += 0x9e3779b97f4a7c15); }
  /// In [0, 1).
  constexpr double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  constexpr double between(double low, double high) { return low + (high - low) * unit(); }
  /// In [0, count).
  constexpr int below(int count) { return static_cast<int>(unit() * count); }

 private:
  std::uint64_t state_ = 0;
};

}  // namespace tessera
