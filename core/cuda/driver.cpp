// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/driver.hpp"

#include <fmt/format.h>

#include <map>
#include <mutex>

#include "core/cuda/libraries.hpp"
#include "core/fork.hpp"
#include "tessera/error.hpp"

namespace tessera::cuda {
namespace {

constexpr const char* kAfterFork =
    "a forked process cannot use CUDA if its parent did before; use the spawn start method";

// Never destroyed: static objects may free device memory while the process ends.
struct OpenDriver {
  Library library{"the NVIDIA driver", {"libcuda.so.1"}};
  Driver table;
  std::string reason;  // empty when it works
  const int depth = fork_depth();

  OpenDriver() { reason = open(); }

  std::string open() {
    if (!library)
      return library.missing() ? "no NVIDIA driver (libcuda.so.1) found" : library.reason();
#define TESSERA_EXPANDED_NAME(name) #name
#define TESSERA_DRIVER_LOAD(name) \
  if (!library.load(TESSERA_EXPANDED_NAME(name), table.name)) return library.reason();
    TESSERA_DRIVER_FUNCTIONS(TESSERA_DRIVER_LOAD)
#undef TESSERA_DRIVER_LOAD
#undef TESSERA_EXPANDED_NAME
    const CUresult result = table.cuInit(0);
    if (result == CUDA_ERROR_NO_DEVICE) return "the NVIDIA driver sees no device";
    if (result == CUDA_SUCCESS) return "";
    const char* text = nullptr;
    table.cuGetErrorString(result, &text);
    return fmt::format("the NVIDIA driver does not start: {}{}", text ? text : "unknown error",
                       depth > 0 ? fmt::format(" ({})", kAfterFork) : "");
  }
};

const OpenDriver& open_driver() {
  static const OpenDriver* const opened = new OpenDriver;
  return *opened;
}

/// The names of contexts, for messages. Never destroyed, see OpenDriver.
struct ContextNames {
  std::mutex mutex;
  std::map<CUcontext, std::string> names;
};
ContextNames& context_names() {
  static auto& names = *new ContextNames;
  return names;
}

/// "device 1 (NVIDIA H200): " before what was done there, unless the text says so itself.
std::string place_of_failure(std::string_view doing) {
  CUcontext current = nullptr;
  if (driver().cuCtxGetCurrent(&current) != CUDA_SUCCESS) return "";
  auto& [mutex, names] = context_names();
  const std::lock_guard lock(mutex);
  const auto found = names.find(current);
  if (found == names.end() || doing.find(found->second) != std::string_view::npos) return "";
  return found->second + ": ";
}

bool device_failed(CUresult result) {
  switch (result) {
    case CUDA_ERROR_OUT_OF_MEMORY:
    case CUDA_ERROR_NO_DEVICE:
    case CUDA_ERROR_INVALID_DEVICE:
    case CUDA_ERROR_DEVICE_UNAVAILABLE:
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_SYSTEM_NOT_READY:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::string why_not_after_fork() {
  const OpenDriver& opened = open_driver();
  return opened.depth == fork_depth() || !opened.reason.empty() ? "" : kAfterFork;
}

const Driver* find_driver(std::string& reason) {
  const OpenDriver& opened = open_driver();
  reason = opened.reason.empty() ? why_not_after_fork() : opened.reason;
  return reason.empty() ? &opened.table : nullptr;
}

const Driver& driver() {
  const OpenDriver& opened = open_driver();
  if (!opened.reason.empty())
    throw Error(ErrorKind::resources, fmt::format("device: {}; give backend cpu", opened.reason));
  return opened.table;
}

std::string error_text(CUresult result) {
  const char *name = nullptr, *text = nullptr;
  driver().cuGetErrorName(result, &name);
  driver().cuGetErrorString(result, &text);
  return fmt::format("{}, {}", name ? name : fmt::format("error {}", static_cast<int>(result)),
                     text ? text : "unknown");
}

void check(CUresult result, std::string_view doing) {
  if (result == CUDA_SUCCESS) return;
  if (const std::string reason = why_not_after_fork(); !reason.empty())
    throw Error(ErrorKind::resources, fmt::format("{}: {}; or give backend cpu", doing, reason));
  throw Error(device_failed(result) ? ErrorKind::resources : ErrorKind::failure,
              fmt::format("{}{}: the CUDA driver says {}", place_of_failure(doing), doing,
                          error_text(result)));
}

void name_context(CUcontext context, const std::string& name) {
  auto& [mutex, names] = context_names();
  const std::lock_guard lock(mutex);
  names[context] = name;
}

CurrentContext::CurrentContext(CUcontext context) {
  CUcontext current = nullptr;
  if (driver().cuCtxGetCurrent(&current) == CUDA_SUCCESS && current == context) return;
  check(driver().cuCtxPushCurrent(context), "device: making its context current");
  pushed_ = true;
}

CurrentContext::~CurrentContext() {
  CUcontext popped = nullptr;
  if (pushed_) driver().cuCtxPopCurrent(&popped);
}

}  // namespace tessera::cuda
