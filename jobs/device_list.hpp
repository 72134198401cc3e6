// SPDX-License-Identifier: Apache-2.0
/// The devices that a command may use, as users name them: "0", "0,1" or "all".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tessera/options.hpp"

namespace tessera {

struct DeviceList {
  static constexpr const char* kHint = "N|N,N|all";
  static constexpr const char* kHelp =
      "which GPU, counted from 0; several, such as 0,1 or all, share the work of --backend cuda "
      "(docs/scale.md)";
  std::vector<int> named{0};  ///< empty: all

  bool several() const { return named.size() != 1; }
  /// The device of work that cannot be shared, and of a rank among those of its machine.
  int of_rank(int rank) const {
    return named.empty() ? rank : named[static_cast<std::size_t>(rank) % named.size()];
  }
  /// Those of this machine. Throws Error(usage) if one of them is not there, with those that are.
  std::vector<int> found() const;
};
/// Whether an option, or TESSERA_BACKEND if it is auto, asks for CUDA by name: a choice made by
/// cost is for one device.
bool asks_for_cuda(Backend option);

std::string to_text(const DeviceList& list);
/// Throws Error(usage) for anything else than a list, with the devices of this machine.
void from_text(std::string_view what, std::string_view text, DeviceList& list);

}  // namespace tessera
