// SPDX-License-Identifier: Apache-2.0
#include "core/device_calls.hpp"

#include <algorithm>

namespace tessera {

std::size_t constant_copy_bytes(const DeviceCalls& calls) {
  const auto slower = [](const SmallCopy& copy) { return std::max(copy.up, copy.down); };
  constexpr double kStillConstant = 1.25;
  std::size_t bytes = 0;
  for (const SmallCopy& copy : calls.copies) {
    if (slower(copy) > kStillConstant * slower(calls.copies.front())) break;
    bytes = copy.bytes;
  }
  return bytes;
}

}  // namespace tessera
