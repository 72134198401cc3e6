// SPDX-License-Identifier: Apache-2.0
// NPP's description of a stream and its device.
#pragma once

#include <cuda_runtime.h>
#include <npp.h>

inline NppStreamContext context_of(cudaStream_t stream) {
  NppStreamContext context{};
  cudaDeviceProp properties;
  context.hStream = stream;
  cudaGetDevice(&context.nCudaDeviceId);
  cudaGetDeviceProperties(&properties, context.nCudaDeviceId);
  context.nMultiProcessorCount = properties.multiProcessorCount;
  context.nMaxThreadsPerMultiProcessor = properties.maxThreadsPerMultiProcessor;
  context.nMaxThreadsPerBlock = properties.maxThreadsPerBlock;
  context.nSharedMemPerBlock = properties.sharedMemPerBlock;
  context.nCudaDevAttrComputeCapabilityMajor = properties.major;
  context.nCudaDevAttrComputeCapabilityMinor = properties.minor;
  cudaStreamGetFlags(stream, &context.nStreamFlags);
  return context;
}
