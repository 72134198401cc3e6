// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/libraries.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/environment.hpp"
#include "core/text_parts.hpp"

namespace tessera::cuda {
namespace {

std::vector<std::string> user_folders() {
  std::vector<std::string> folders;
  const std::string list = environment("TESSERA_CUDA_LIBRARY_PATH");
  for (const std::string_view folder : parts_of(list, ':'))
    if (!folder.empty()) folders.emplace_back(folder);
  return folders;
}

// A library that exists but cannot be opened (a missing dependency, a wrong architecture) gives
// its reason; its absence from a folder does not.
void* open_in(const std::string& folder, const std::string& name, std::string& trouble) {
  const std::string path = folder.empty() ? name : folder + "/" + name;
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle) return handle;
  const char* text = dlerror();
  const std::string why = text ? text : "";
  if (why.find("cannot open shared object file: No such file") == std::string::npos) trouble = why;
  return nullptr;
}

}  // namespace

std::vector<std::string> library_folders() {
  std::vector<std::string> folders = user_folders();
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const std::string root = environment(variable); !root.empty())
      folders.push_back(root + "/lib64");
  folders.emplace_back("/usr/local/cuda/lib64");
  return folders;
}

Library::Library(const std::string& what, const std::vector<std::string>& names) : what_(what) {
  std::vector<std::string> folders = library_folders();
  folders.insert(folders.begin() + static_cast<std::ptrdiff_t>(user_folders().size()), "");
  std::string trouble;
  for (const std::string& folder : folders)
    for (const std::string& name : names) {
      handle_ = open_in(folder, name, trouble);
      if (handle_) return;
    }
  missing_ = trouble.empty();
  reason_ = missing_ ? fmt::format(
                           "{} ({}) is not found; install it or name its folder in "
                           "TESSERA_CUDA_LIBRARY_PATH",
                           what, fmt::join(names, ", "))
                     : fmt::format("{} could not be opened: {}", what, trouble);
}

void* Library::symbol(const char* name) {
  void* address = handle_ ? dlsym(handle_, name) : nullptr;
  if (!address && reason_.empty()) reason_ = fmt::format("{} is too old: it lacks {}", what_, name);
  return address;
}

}  // namespace tessera::cuda
