// SPDX-License-Identifier: Apache-2.0
#include "core/environment.hpp"
#include "core/kernel.hpp"

namespace tessera {

std::string cache_folder() {
  if (const std::string own = environment("TESSERA_CACHE"); !own.empty()) return own;
  if (const std::string xdg = environment("XDG_CACHE_HOME"); !xdg.empty()) return xdg + "/tessera";
  // Not in a folder that others may write to: kernels from it are run.
  const std::string home = environment("HOME");
  return home.empty() ? "" : home + "/.cache/tessera";
}

bool force_run_time_kernels() { return environment("TESSERA_KERNELS") == "run-time"; }

}  // namespace tessera
