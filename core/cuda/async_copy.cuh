// SPDX-License-Identifier: Apache-2.0
// Copies from device to shared memory that pass by the registers (compute capability 8.0 and up).
// Plain copies where a CPU runs the text of a kernel, as tests do.
#pragma once

namespace tessera {

#if defined(__CUDA_ARCH__)

/// 16 bytes; both addresses are multiples of 16.
__device__ inline void async_copy16(void* to, const void* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(to))),
               "l"(from)
               : "memory");
}

/// 4 bytes.
__device__ inline void async_copy4(void* to, const void* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(to))),
               "l"(from)
               : "memory");
}

/// This thread's copies are done; a block barrier makes them seen by the others.
__device__ inline void async_wait() { asm volatile("cp.async.wait_all;" ::: "memory"); }

#else

__device__ inline void async_copy16(void* to, const void* from) {
  for (int i = 0; i < 4; ++i) static_cast<float*>(to)[i] = static_cast<const float*>(from)[i];
}
__device__ inline void async_copy4(void* to, const void* from) {
  *static_cast<float*>(to) = *static_cast<const float*>(from);
}
__device__ inline void async_wait() {}

#endif

}  // namespace tessera
