// SPDX-License-Identifier: Apache-2.0
// Products of matrices of bytes by groups of four warps (wgmma, sm_90a only). They run while the
// warps continue: fence_group, products, commit_group, and in the end wait_for_groups. For running
// a kernel's text on a CPU, tests/support/warp_groups_on_cpu.hpp has equivalents.
#pragma once

#include "core/cuda/tensor_core.cuh"

namespace tessera {

/// Describes rows of 16-byte pieces in shared memory: pieces of 8 rows lie side by side, 128 bytes;
/// the next pieces in time are `piece_step` bytes farther, the next 8 rows `octet_step`. No
/// swizzling. Adding n to a description moves it by 16 n bytes.
__device__ constexpr unsigned long long describe_rows(unsigned address, unsigned piece_step,
                                                      unsigned octet_step) {
  return static_cast<unsigned long long>(address >> 4 & 0x3fff) |
         static_cast<unsigned long long>(piece_step >> 4 & 0x3fff) << 16 |
         static_cast<unsigned long long>(octet_step >> 4 & 0x3fff) << 32;
}

/// Describes rows of 32 bytes, side by side from a multiple of 256 on, the two pieces of every
/// second four rows swapped: the 32-byte swizzle. Steps between pieces are not used.
__device__ constexpr unsigned long long describe_swizzled_rows(unsigned address) {
  constexpr unsigned long long kSwizzle32 = 3ULL << 62;
  return describe_rows(address, 16, 256) | kSwizzle32;
}

#if defined(__CUDA_ARCH__)

/// Registers written by this warp are visible to the products that follow.
__device__ inline void fence_group() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }

__device__ inline void commit_group() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

/// All commits except the last kBehind are done.
template <int kBehind>
__device__ inline void wait_for_groups() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(kBehind) : "memory");
}

/// Threads of the group have kRegisters registers from now on: if fewer, others can have more.
template <int kRegisters>
__device__ inline void keep_registers() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(kRegisters));
}
template <int kRegisters>
__device__ inline void take_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(kRegisters));
}

#define TESSERA_FOUR(sums, n) "+r"(sums[n]), "+r"(sums[n + 1]), "+r"(sums[n + 2]), "+r"(sums[n + 3])
#define TESSERA_SIXTEEN(sums, n)                                               \
  TESSERA_FOUR(sums, n), TESSERA_FOUR(sums, n + 4), TESSERA_FOUR(sums, n + 8), \
      TESSERA_FOUR(sums, n + 12)

/// sums += a b', signed bytes, modulo 2^32: 64 rows of a by 128 of b, 32
/// bytes each. Warp w of the group has rows 16 w ... of a and of the sums, laid out as
/// in multiply_bytes; columns follow in eights, four sums each. Neither sums nor a may be
/// touched until wait_for_groups.
__device__ inline void multiply_group(int (&sums)[64], const unsigned (&a)[4],
                                      unsigned long long b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n128k32.s32.s8.s8 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
      "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
      "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
      "{%64, %65, %66, %67}, %68, 1;"
      : TESSERA_SIXTEEN(sums, 0), TESSERA_SIXTEEN(sums, 16), TESSERA_SIXTEEN(sums, 32),
        TESSERA_SIXTEEN(sums, 48)
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
}

/// The same for 64 rows of b.
__device__ inline void multiply_group(int (&sums)[32], const unsigned (&a)[4],
                                      unsigned long long b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n64k32.s32.s8.s8 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, "
      "{%32, %33, %34, %35}, %36, 1;"
      : TESSERA_SIXTEEN(sums, 0), TESSERA_SIXTEEN(sums, 16)
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
}

#undef TESSERA_SIXTEEN
#undef TESSERA_FOUR

#else

__device__ void fence_group();
__device__ void commit_group();
template <int kBehind>
__device__ void wait_for_groups();
template <int kRegisters>
__device__ inline void keep_registers() {}
template <int kRegisters>
__device__ inline void take_registers() {}
__device__ void multiply_group(int (&sums)[64], const unsigned (&a)[4], unsigned long long b);
__device__ void multiply_group(int (&sums)[32], const unsigned (&a)[4], unsigned long long b);

#endif

}  // namespace tessera
