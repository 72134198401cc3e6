// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>
#include <vector>

namespace tessera::testing {

/// For sweeps: case k takes value k of every list while it lasts, so each is met at least once;
/// then at random.
class Picker {
 public:
  explicit Picker(int k) : k_(k), random_(static_cast<unsigned>(k) + 1) {}
  template <class T>
  T pick(const std::vector<T>& list) {
    const auto index = static_cast<std::size_t>(k_);
    return index < list.size() ? list[index] : list[random_() % list.size()];
  }

 private:
  int k_;
  std::mt19937 random_;
};

}  // namespace tessera::testing
