// SPDX-License-Identifier: Apache-2.0
// Copies from device to shared memory that bypass the registers (compute capability 8.0 and up).
// Plain copies if a CPU runs the text of a kernel, as in tests.
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

/// The same, or 16 zeros; then nothing is read, but the address must still be valid.
__device__ inline void async_copy16_or_zeros(void* to, const void* from, bool copies) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(to))),
               "l"(from), "r"(copies ? 16 : 0)
               : "memory");
}

/// 4 bytes.
__device__ inline void async_copy4(void* to, const void* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(to))),
               "l"(from)
               : "memory");
}

/// This thread's copies are done; a block barrier makes them visible to the others.
__device__ inline void async_wait() { asm volatile("cp.async.wait_all;" ::: "memory"); }

/// This thread's copies since the last call are a group.
__device__ inline void async_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }

/// All groups of this thread except the last kBehind are done.
template <int kBehind>
__device__ inline void async_wait_behind() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kBehind) : "memory");
}

#else

__device__ inline void async_copy16(void* to, const void* from) {
  for (int i = 0; i < 4; ++i) static_cast<float*>(to)[i] = static_cast<const float*>(from)[i];
}
__device__ inline void async_copy16_or_zeros(void* to, const void* from, bool copies) {
  for (int i = 0; i < 16; ++i)
    static_cast<char*>(to)[i] = copies ? static_cast<const char*>(from)[i] : '\0';
}
__device__ inline void async_copy4(void* to, const void* from) {
  *static_cast<float*>(to) = *static_cast<const float*>(from);
}
__device__ inline void async_wait() {}
__device__ inline void async_commit() {}
template <int kBehind>
__device__ inline void async_wait_behind() {}

#endif

}  // namespace tessera
