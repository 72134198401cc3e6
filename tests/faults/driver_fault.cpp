// SPDX-License-Identifier: Apache-2.0
// A CUDA driver whose calls fail, found by the tool through TESSERA_CUDA_LIBRARY_PATH:
//   TESSERA_FAULT_DRIVER=K:ERROR       the K-th call returns the CUresult ERROR (a number)
//   TESSERA_FAULT_DRIVER=K+:ERROR      the K-th and all after it: the device is lost
//   TESSERA_FAULT_REAL_DRIVER=FILE     calls that do not fail go to this driver; without it they go
//                                      to a device that is only played: its memory is the host's,
//                                      zeroed, and kernels do nothing
//   TESSERA_FAULT_DRIVER_REPORT=FILE          one line per call
//   TESSERA_FAULT_DEVICES=N            that many devices are played (4 at most); streams, events,
//                                      kernels and memory belong to the one whose context was
//                                      current when they were made, and no other takes them
//   TESSERA_FAULT_MEET=N               the first launch on each waits for one on N devices
//   TESSERA_FAULT_LAUNCHES=D:ERROR     launches on the played device D return this CUresult
#include <cuda.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "tests/faults/fault_start.hpp"

namespace {

struct Settings {
  long long number = 0;
  bool on = false;
  int error = 0;
  void* real = nullptr;
  int devices = 1, meet = 1;
  int broken_device = -1, broken_error = 0;

  Settings() {
    if (const char* count = getenv("TESSERA_FAULT_DEVICES")) devices = atoi(count);
    if (const char* count = getenv("TESSERA_FAULT_MEET")) meet = atoi(count);
    if (const char* broken = getenv("TESSERA_FAULT_LAUNCHES"))
      sscanf(broken, "%d:%d", &broken_device, &broken_error);
    if (const char* path = getenv("TESSERA_FAULT_REAL_DRIVER"))
      real = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const char* text = getenv("TESSERA_FAULT_DRIVER");
    if (!text) return;
    on = sscanf(text, "%lld+:%d", &number, &error) == 2;
    if (!on) sscanf(text, "%lld:%d", &number, &error);
  }
};

const Settings& settings() {
  static const Settings all;
  return all;
}

std::atomic<long long> calls{0};

CUresult fault(const char* call) {
  tessera::faults::report("TESSERA_FAULT_DRIVER_REPORT", call, 0);
  const long long number = ++calls;
  const bool now = number == settings().number || (settings().on && number > settings().number);
  return static_cast<CUresult>(now ? settings().error : 0);
}

template <class Function>
Function* real(Function*, const char* name) {
  return settings().real ? reinterpret_cast<Function*>(dlsym(settings().real, name)) : nullptr;
}

constexpr std::size_t kMemory = std::size_t{1} << 30;

int attribute(CUdevice_attribute which) {
  switch (which) {
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
      return 9;
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
      return 4;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
      return 232448;
    case CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED:
      return 1;
    case CU_DEVICE_ATTRIBUTE_MAX_PITCH:
      return 0x7fffffff;
    case CU_DEVICE_ATTRIBUTE_CLOCK_RATE:
    case CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE:
      return 1000000;
    case CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH:
      return 512;
    default:
      return 0;
  }
}

constexpr std::size_t kMostDevices = 4, kHandles = std::size_t{1} << 16;

/// A handle is a place that says its device.
char places[kMostDevices][kHandles];

/// The contexts that a thread has pushed. A driver throws nothing, so no memory is asked for.
class Contexts {
 public:
  bool empty() const { return count_ == 0; }
  CUcontext back() const { return pushed_[count_ - 1]; }
  void push_back(CUcontext context) { pushed_.at(count_++) = context; }
  void pop_back() { --count_; }

 private:
  std::array<CUcontext, 16> pushed_{};
  std::size_t count_ = 0;
};
Contexts& contexts() {
  thread_local Contexts pushed;
  return pushed;
}
/// -1 if no device's context is current.
int device_of(const void* handle) {
  const auto place = static_cast<const char*>(handle) - &places[0][0];
  const bool known = place >= 0 && place < static_cast<std::ptrdiff_t>(sizeof places);
  return known ? static_cast<int>(place / static_cast<std::ptrdiff_t>(kHandles)) : -1;
}
int current_device() { return contexts().empty() ? -1 : device_of(contexts().back()); }
bool is_here(const void* handle) { return !handle || device_of(handle) == current_device(); }

/// The first place of a device is its context.
template <class Handle>
void make_handle(Handle* to) {
  static std::atomic<std::size_t> used{0};
  const int device = current_device() < 0 ? 0 : current_device();
  *to = reinterpret_cast<Handle>(&places[device][1 + ++used % (kHandles - 1)]);
}

CUresult make_memory(void** to, std::size_t bytes) {
  *to = bytes > kMemory ? nullptr : calloc(bytes + 1, 1);
  return *to ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

/// Blocks of devices by their ends, and whose they are.
struct DeviceMemory {
  std::mutex mutex;
  std::map<CUdeviceptr, std::pair<CUdeviceptr, int>> blocks;
};
DeviceMemory& device_memory() {
  static auto& memory = *new DeviceMemory;
  return memory;
}

CUresult make_device_memory(CUdeviceptr* to, std::size_t bytes) {
  const CUresult made = make_memory(reinterpret_cast<void**>(to), bytes);
  auto& [mutex, blocks] = device_memory();
  const std::lock_guard lock(mutex);
  if (made == CUDA_SUCCESS) blocks[*to + bytes + 1] = {*to, current_device()};
  return made;
}
CUresult free_device_memory(CUdeviceptr address) {
  auto& [mutex, blocks] = device_memory();
  {
    const std::lock_guard lock(mutex);
    const auto block = blocks.upper_bound(address);
    if (block == blocks.end() || block->second != std::pair{address, current_device()})
      return CUDA_ERROR_INVALID_VALUE;
    blocks.erase(block);
  }
  free(reinterpret_cast<void*>(address));
  return CUDA_SUCCESS;
}
bool is_memory_here(CUdeviceptr address) {
  auto& [mutex, blocks] = device_memory();
  const std::lock_guard lock(mutex);
  const auto block = blocks.upper_bound(address);
  return block != blocks.end() && block->second.first <= address &&
         block->second.second == current_device();
}

CUresult copy(CUdeviceptr on_device, CUstream stream, void* to, const void* from,
              std::size_t bytes) {
  if (!is_memory_here(on_device) || !is_here(stream)) return CUDA_ERROR_INVALID_VALUE;
  memmove(to, from, bytes);
  return CUDA_SUCCESS;
}

/// Notes a launch on the current device; true if enough others have had one, or have had the time.
bool have_all_launched() {
  constexpr std::chrono::seconds kPatience{10};
  static std::mutex mutex;
  static std::set<int> launched;
  static const auto begun = std::chrono::steady_clock::now();
  const std::lock_guard lock(mutex);
  launched.insert(current_device());
  return std::ssize(launched) >= settings().meet ||
         std::chrono::steady_clock::now() - begun > kPatience;
}

CUresult launch(CUfunction function, CUstream stream) {
  const int device = current_device();
  if (device < 0 || !is_here(function) || !is_here(stream)) return CUDA_ERROR_INVALID_HANDLE;
  const bool broken = device == settings().broken_device;
  while (!have_all_launched() && !broken) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return static_cast<CUresult>(broken ? settings().broken_error : 0);
}

const char* bytes_at(CUdeviceptr address) { return reinterpret_cast<const char*>(address); }

CUresult copy_2d(const CUDA_MEMCPY2D& plan, CUstream stream) {
  for (const auto& [type, address] : {std::pair{plan.srcMemoryType, plan.srcDevice},
                                      std::pair{plan.dstMemoryType, plan.dstDevice}})
    if (type != CU_MEMORYTYPE_HOST && !is_memory_here(address)) return CUDA_ERROR_INVALID_VALUE;
  if (!is_here(stream)) return CUDA_ERROR_INVALID_HANDLE;
  const bool from_host = plan.srcMemoryType == CU_MEMORYTYPE_HOST;
  const char* from = from_host ? static_cast<const char*>(plan.srcHost) : bytes_at(plan.srcDevice);
  char* to = plan.dstMemoryType == CU_MEMORYTYPE_HOST ? static_cast<char*>(plan.dstHost)
                                                      : reinterpret_cast<char*>(plan.dstDevice);
  for (std::size_t y = 0; y < plan.Height; ++y)
    memcpy(to + y * plan.dstPitch, from + y * plan.srcPitch, plan.WidthInBytes);
  return CUDA_SUCCESS;
}

}  // namespace

// cuda.h renames some functions by macros; the name in quotes is the one that the library exports.
#define TESSERA_TEXT(name) #name
#define TESSERA_CALL(name, parameters, arguments, ...)                                  \
  [[gnu::visibility("default")]] CUresult CUDAAPI name parameters {                     \
    if (const CUresult error = fault(TESSERA_TEXT(name))) return error;                 \
    if (const auto driver = real(&::name, TESSERA_TEXT(name))) return driver arguments; \
    __VA_ARGS__;                                                                        \
    return CUDA_SUCCESS;                                                                \
  }

// NOLINTBEGIN(misc-definitions-in-headers,readability-identifier-naming)
extern "C" {

// Texts are asked for after a failure and never fail.
[[gnu::visibility("default")]] CUresult CUDAAPI cuGetErrorName(CUresult, const char** text) {
  *text = "CUDA_ERROR_PLAYED";
  return CUDA_SUCCESS;
}
[[gnu::visibility("default")]] CUresult CUDAAPI cuGetErrorString(CUresult, const char** text) {
  *text = "a failure that is only played";
  return CUDA_SUCCESS;
}

TESSERA_CALL(cuInit, (unsigned flags), (flags))
TESSERA_CALL(cuDriverGetVersion, (int* version), (version), *version = CUDA_VERSION)
TESSERA_CALL(cuDeviceGetCount, (int* count), (count), *count = settings().devices)
TESSERA_CALL(cuDeviceGet, (CUdevice * device, int index), (device, index), *device = index)
TESSERA_CALL(cuDeviceGetName, (char* name, int length, CUdevice device), (name, length, device),
             snprintf(name, static_cast<std::size_t>(length), "played device"))
TESSERA_CALL(cuDeviceTotalMem, (std::size_t * bytes, CUdevice device), (bytes, device),
             *bytes = kMemory)
TESSERA_CALL(cuDeviceGetAttribute, (int* value, CUdevice_attribute which, CUdevice device),
             (value, which, device), *value = attribute(which))
TESSERA_CALL(cuDeviceGetPCIBusId, (char* text, int length, CUdevice device), (text, length, device),
             snprintf(text, static_cast<std::size_t>(length), "0:0:0"))
TESSERA_CALL(cuDeviceGetDefaultMemPool, (CUmemoryPool * pool, CUdevice device), (pool, device),
             make_handle(pool))
TESSERA_CALL(cuDevicePrimaryCtxRetain, (CUcontext * context, CUdevice device), (context, device),
             *context = reinterpret_cast<CUcontext>(places[device]))
TESSERA_CALL(cuCtxPushCurrent, (CUcontext context), (context), contexts().push_back(context))
TESSERA_CALL(cuCtxPopCurrent, (CUcontext * context), (context), *context = contexts().back();
             contexts().pop_back())
TESSERA_CALL(cuCtxGetCurrent, (CUcontext * context), (context),
             *context = contexts().empty() ? nullptr : contexts().back())
TESSERA_CALL(cuMemGetInfo, (std::size_t * free, std::size_t* total), (free, total),
             *free = *total = kMemory)
TESSERA_CALL(cuMemHostAlloc, (void** to, std::size_t bytes, unsigned flags), (to, bytes, flags),
             return make_memory(to, bytes))
TESSERA_CALL(cuMemFreeHost, (void* memory), (memory), free(memory))
TESSERA_CALL(cuMemAlloc, (CUdeviceptr * to, std::size_t bytes), (to, bytes),
             return make_device_memory(to, bytes))
TESSERA_CALL(cuMemFree, (CUdeviceptr memory), (memory), return free_device_memory(memory))
TESSERA_CALL(cuMemAllocAsync, (CUdeviceptr * to, std::size_t bytes, CUstream stream),
             (to, bytes, stream), return make_device_memory(to, bytes))
TESSERA_CALL(cuMemFreeAsync, (CUdeviceptr memory, CUstream stream), (memory, stream),
             return free_device_memory(memory))
TESSERA_CALL(cuMemPoolSetAttribute, (CUmemoryPool pool, CUmemPool_attribute which, void* value),
             (pool, which, value))
TESSERA_CALL(cuMemPoolGetAttribute, (CUmemoryPool pool, CUmemPool_attribute which, void* value),
             (pool, which, value), *static_cast<cuuint64_t*>(value) = 0)
TESSERA_CALL(cuMemPoolTrimTo, (CUmemoryPool pool, std::size_t bytes), (pool, bytes))
TESSERA_CALL(cuPointerGetAttributes,
             (unsigned count, CUpointer_attribute* which, void** answers, CUdeviceptr memory),
             (count, which, answers, memory))
TESSERA_CALL(cuMemcpyHtoDAsync,
             (CUdeviceptr to, const void* from, std::size_t bytes, CUstream stream),
             (to, from, bytes, stream),
             return copy(to, stream, reinterpret_cast<void*>(to), from, bytes))
TESSERA_CALL(cuMemcpyDtoHAsync, (void* to, CUdeviceptr from, std::size_t bytes, CUstream stream),
             (to, from, bytes, stream), return copy(from, stream, to, bytes_at(from), bytes))
TESSERA_CALL(cuMemcpyDtoDAsync,
             (CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream),
             (to, from, bytes, stream),
             return copy(from, stream, reinterpret_cast<void*>(to), bytes_at(from), bytes))
TESSERA_CALL(cuMemcpy2DAsync, (const CUDA_MEMCPY2D* plan, CUstream stream), (plan, stream),
             return copy_2d(*plan, stream))
TESSERA_CALL(cuMemsetD8Async,
             (CUdeviceptr to, unsigned char value, std::size_t bytes, CUstream stream),
             (to, value, bytes, stream), memset(reinterpret_cast<void*>(to), value, bytes))
TESSERA_CALL(cuStreamCreate, (CUstream * stream, unsigned flags), (stream, flags),
             make_handle(stream))
TESSERA_CALL(cuStreamDestroy, (CUstream stream), (stream))
TESSERA_CALL(cuStreamSynchronize, (CUstream stream), (stream))
TESSERA_CALL(cuStreamWaitEvent, (CUstream stream, CUevent event, unsigned flags),
             (stream, event, flags))
TESSERA_CALL(cuStreamWaitValue32,
             (CUstream stream, CUdeviceptr word, cuuint32_t value, unsigned flags),
             (stream, word, value, flags))
TESSERA_CALL(cuEventCreate, (CUevent * event, unsigned flags), (event, flags), make_handle(event))
TESSERA_CALL(cuEventDestroy, (CUevent event), (event))
TESSERA_CALL(cuEventRecord, (CUevent event, CUstream stream), (event, stream),
             if (!is_here(event) || !is_here(stream)) return CUDA_ERROR_INVALID_HANDLE)
TESSERA_CALL(cuEventQuery, (CUevent event), (event))
TESSERA_CALL(cuEventSynchronize, (CUevent event), (event))
TESSERA_CALL(cuEventElapsedTime, (float* milliseconds, CUevent start, CUevent end),
             (milliseconds, start, end), *milliseconds = 1)
TESSERA_CALL(cuModuleLoadData, (CUmodule * module, const void* image), (module, image),
             make_handle(module))
TESSERA_CALL(cuModuleGetFunction, (CUfunction * function, CUmodule module, const char* name),
             (function, module, name), make_handle(function))
TESSERA_CALL(cuFuncGetAttribute, (int* value, CUfunction_attribute which, CUfunction function),
             (value, which, function),
             *value = which == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK ? 1024 : 0)
TESSERA_CALL(cuFuncSetAttribute, (CUfunction function, CUfunction_attribute which, int value),
             (function, which, value))
TESSERA_CALL(cuOccupancyMaxActiveBlocksPerMultiprocessor,
             (int* blocks, CUfunction function, int threads, std::size_t shared),
             (blocks, function, threads, shared), *blocks = 1)
TESSERA_CALL(cuLaunchKernel,
             (CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
              unsigned bz, unsigned shared, CUstream stream, void** arguments, void** extra),
             (function, gx, gy, gz, bx, by, bz, shared, stream, arguments, extra),
             return launch(function, stream))
TESSERA_CALL(cuLaunchCooperativeKernel,
             (CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
              unsigned bz, unsigned shared, CUstream stream, void** arguments),
             (function, gx, gy, gz, bx, by, bz, shared, stream, arguments),
             return launch(function, stream))
TESSERA_CALL(cuTexObjectCreate,
             (CUtexObject * texture, const CUDA_RESOURCE_DESC* memory,
              const CUDA_TEXTURE_DESC* reading, const CUDA_RESOURCE_VIEW_DESC* view),
             (texture, memory, reading, view), *texture = 1)
TESSERA_CALL(cuTexObjectDestroy, (CUtexObject texture), (texture))
}
// NOLINTEND(misc-definitions-in-headers,readability-identifier-naming)
