// SPDX-License-Identifier: Apache-2.0
#include "io/ms/ms_plugin.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include "core/fork.hpp"
#include "core/one_thread_at_loading.hpp"
#include "io/plugin.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

const TesseraMsPlugin* open_plugin(const std::string& path, std::string& reason) {
  const OneThreadAtLoading one;  // casacore is linked with LAPACK, which writing does not use
  void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    reason = fmt::format("{} cannot be opened: {}; install casacore", path, ::dlerror());
    return nullptr;
  }
  const auto functions =
      reinterpret_cast<decltype(&tessera_ms_plugin)>(::dlsym(library, "tessera_ms_plugin"));
  const TesseraMsPlugin* const plugin = functions ? functions() : nullptr;
  if (plugin && plugin->interface == TESSERA_MS_INTERFACE &&
      plugin->version == std::string(TESSERA_VERSION))
    return plugin;
  reason = fmt::format("{} belongs to another version of Tessera; install both of {}", path,
                       TESSERA_VERSION);
  return nullptr;
}

const TesseraMsPlugin* find_plugin(std::string& reason) {
  static ForkMutex mutex;
  static const TesseraMsPlugin* plugin = nullptr;
  const std::lock_guard lock(mutex);
  if (plugin) return plugin;
  const std::string path = plugin_library("casacore");
  if (path.empty())
    reason =
        "Measurement Sets need libtessera_casacore.so, which is not installed; install the package "
        "tessera-casacore (or build where casacore-dev is), or write UVFITS";
  else
    plugin = open_plugin(path, reason);
  return plugin;
}

}  // namespace

const TesseraMsPlugin& ms_plugin(const std::string& what) {
  std::string reason;
  const TesseraMsPlugin* const plugin = find_plugin(reason);
  if (!plugin) throw Error(ErrorKind::failure, what + ": " + reason);
  return *plugin;
}

}  // namespace tessera
