// SPDX-License-Identifier: Apache-2.0
/// The CUDA driver, opened at run time. Nothing here links to a CUDA library.
#pragma once

#include <cuda.h>

#include <string>
#include <string_view>

namespace tessera::cuda {

/// Every driver function in use, once. cuda.h renames some by macros (cuMemGetInfo is
/// cuMemGetInfo_v2); arguments are expanded before they are named, so the table follows.
// clang-format off
#define TESSERA_DRIVER_FUNCTIONS(X)                                                            \
  X(cuInit) X(cuDriverGetVersion) X(cuGetErrorName) X(cuGetErrorString)                        \
  X(cuDeviceGetCount) X(cuDeviceGet) X(cuDeviceGetName) X(cuDeviceTotalMem)                    \
  X(cuDeviceGetAttribute) X(cuDeviceGetPCIBusId) X(cuDeviceGetDefaultMemPool)                  \
  X(cuDevicePrimaryCtxRetain) X(cuCtxPushCurrent) X(cuCtxPopCurrent) X(cuCtxGetCurrent)        \
  X(cuMemGetInfo) X(cuMemHostAlloc) X(cuMemFreeHost) X(cuMemAllocAsync) X(cuMemFreeAsync)      \
  X(cuMemPoolSetAttribute) X(cuMemPoolGetAttribute) X(cuMemPoolTrimTo)                         \
  X(cuPointerGetAttributes) X(cuMemcpyHtoDAsync) X(cuMemcpyDtoHAsync) X(cuMemcpyDtoDAsync)     \
  X(cuMemcpy2DAsync) X(cuMemsetD8Async)                                                        \
  X(cuStreamCreate) X(cuStreamDestroy) X(cuStreamSynchronize)                                  \
  X(cuStreamWaitEvent) X(cuStreamWaitValue32) X(cuEventCreate) X(cuEventDestroy)               \
  X(cuEventRecord) X(cuEventQuery) X(cuEventSynchronize) X(cuEventElapsedTime)                 \
  X(cuModuleLoadData) X(cuModuleGetFunction) X(cuFuncGetAttribute) X(cuFuncSetAttribute)       \
  X(cuOccupancyMaxActiveBlocksPerMultiprocessor) X(cuLaunchCooperativeKernel)                 \
  X(cuLaunchKernel) X(cuTexObjectCreate) X(cuTexObjectDestroy) X(cuMemAlloc) X(cuMemFree)
// clang-format on

struct Driver {
#define TESSERA_DRIVER_MEMBER(name) decltype(&::name) name = nullptr;
  TESSERA_DRIVER_FUNCTIONS(TESSERA_DRIVER_MEMBER)
#undef TESSERA_DRIVER_MEMBER
};

/// A driver that worked before the process was forked does not work in the child: then a few words
/// that say so, otherwise empty.
std::string why_not_after_fork();

/// The driver, opened and initialised once; null if there is none, with a short `reason`.
const Driver* find_driver(std::string& reason);

/// As above, if a device is known to exist. Throws Error(resources) otherwise.
const Driver& driver();

/// "CUDA_ERROR_OUT_OF_MEMORY, out of memory"
std::string error_text(CUresult result);

/// Throws an error with the driver's message after "doing: ": Error(resources) if the device or its
/// memory failed, otherwise Error(failure).
void check(CUresult result, std::string_view doing);

/// The device that failures in a context are said to be on: "device 0 (NVIDIA H200)".
void name_context(CUcontext context, const std::string& name);

/// Makes a context current on this thread for a while; afterwards other users of the thread (CuPy,
/// torch) find theirs restored.
class CurrentContext {
 public:
  explicit CurrentContext(CUcontext context);
  ~CurrentContext();
  CurrentContext(const CurrentContext&) = delete;
  CurrentContext& operator=(const CurrentContext&) = delete;

 private:
  bool pushed_ = false;
};

}  // namespace tessera::cuda
