// SPDX-License-Identifier: Apache-2.0
#include "io/plugin.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <vector>

#include "core/environment.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// The folder of the program or Python module that this code is in.
fs::path own_folder() {
  Dl_info info{};
  if (::dladdr(reinterpret_cast<const void*>(&plugin_library), &info) == 0 || !info.dli_fname)
    return {};
  return fs::path(info.dli_fname).parent_path();
}

}  // namespace

// Next to the tool in a build folder, or where packages put it: a Python module may be anywhere.
std::string plugin_library(const std::string& name) {
  std::error_code ignored;
  const fs::path tool = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  std::vector<fs::path> folders{tool,
                                tool / "../lib/tessera",
                                own_folder(),
                                TESSERA_PLUGIN_FOLDER,
                                "/usr/local/lib/tessera",
                                "/usr/lib/tessera"};
  if (const std::string asked = environment("TESSERA_PLUGINS"); !asked.empty())
    folders.insert(folders.begin(), asked);
  for (const fs::path& folder : folders) {
    const fs::path file = folder / ("libtessera_" + name + ".so");
    if (!folder.empty() && fs::is_regular_file(file, ignored)) return file;
  }
  return "";
}

}  // namespace tessera
