// SPDX-License-Identifier: Apache-2.0
// Products of matrices of bytes on tensor cores, one warp at a time (compute capability 8.0 and
// up). For running a kernel's text on a CPU, tests/support/tensor_core_on_cpu.hpp has equivalents.
//
// A fragment of 8 rows by 16 bytes is one word per lane: lane l has bytes 4 (l % 4) ... of row
// l / 4.
#pragma once

namespace tessera {

#if defined(__CUDA_ARCH__)

/// A shared-memory address as instructions take it.
__device__ inline unsigned shared_address(const void* place) {
  return static_cast<unsigned>(__cvta_generic_to_shared(place));
}

/// Four fragments; lane l gives the address of row l % 8 of fragment l / 8, a multiple of 16.
__device__ inline void load_fragments(unsigned (&fragments)[4], unsigned row_address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(fragments[0]), "=r"(fragments[1]), "=r"(fragments[2]), "=r"(fragments[3])
               : "r"(row_address)
               : "memory");
}

/// sums += a b', signed bytes, modulo 2^32. a: 16 rows of 32 bytes, as fragments (rows 0-7, bytes
/// 0-15), (rows 8-15), (rows 0-7, bytes 16-31), (rows 8-15); b: 8 rows, as fragments (bytes 0-15),
/// (bytes 16-31). Lane l has sums of row l / 4, columns 2 (l % 4) and the next, then those of the
/// row 8 further down.
__device__ inline void multiply_bytes(int (&sums)[4], const unsigned (&a)[4], unsigned b0,
                                      unsigned b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

#else

__device__ unsigned shared_address(const void* place);
__device__ void load_fragments(unsigned (&fragments)[4], unsigned row_address);
__device__ void multiply_bytes(int (&sums)[4], const unsigned (&a)[4], unsigned b0, unsigned b1);

#endif

}  // namespace tessera
