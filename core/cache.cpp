// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <string_view>

#include "core/kernel.hpp"

namespace tessera {

std::string cache_folder() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value ? value : "");
  };
  if (const std::string own = variable("TESSERA_CACHE"); !own.empty()) return own;
  if (const std::string xdg = variable("XDG_CACHE_HOME"); !xdg.empty()) return xdg + "/tessera";
  // Not in a folder others may write to: kernels from it are run.
  const std::string home = variable("HOME");
  return home.empty() ? "" : home + "/.cache/tessera";
}

bool force_run_time_kernels() {
  const char* value = std::getenv("TESSERA_KERNELS");
  return value && std::string_view(value) == "run-time";
}

}  // namespace tessera
