// SPDX-License-Identifier: Apache-2.0
// Barriers in shared memory that threads arrive at and others wait for (compute capability 9.0).
// For running a kernel's text on a CPU, tests/support/warp_groups_on_cpu.hpp has equivalents.
//
// A barrier goes from phase to phase, each ended by the last of the arrivals. Phases have parities
// 0, 1, 0 ...; waiting for parity 1 of a new barrier returns at once.
#pragma once

namespace tessera {

using PhaseBarrier = unsigned long long;

#if defined(__CUDA_ARCH__)

/// By one thread; a block barrier makes it visible to the others.
__device__ inline void begin_phases(PhaseBarrier* barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(barrier))),
               "r"(arrivals)
               : "memory");
}

/// Earlier writes of this thread are visible to the threads that wait.
__device__ inline void arrive_at(PhaseBarrier* barrier) {
  asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 _, [%0];" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(barrier)))
               : "memory");
}

/// Until the phase of this parity has ended. The loop is inside the assembler text: around a loop
/// of the compiler's, products of warp groups in flight would be serialised (C7518).
__device__ inline void wait_for_phase(PhaseBarrier* barrier, unsigned parity) {
  asm volatile(
      "{\n"
      ".reg .pred ended;\n"
      "again:\n"
      "mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 ended, [%0], %1;\n"
      "@ended bra done;\n"
      "bra again;\n"
      "done:\n"
      "}" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(barrier))),
      "r"(parity)
      : "memory");
}

/// Shared memory written by this thread becomes visible, after a barrier, to tensor cores and copy
/// engines, which read it by another path.
__device__ inline void show_to_engines() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/// A block barrier of some warps: `number` of 1 to 15.
__device__ inline void wait_for_team(int number, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

#else

__device__ void begin_phases(PhaseBarrier* barrier, int arrivals);
__device__ void arrive_at(PhaseBarrier* barrier);
__device__ void wait_for_phase(PhaseBarrier* barrier, unsigned parity);
__device__ void show_to_engines();
__device__ void wait_for_team(int number, int threads);

#endif

}  // namespace tessera
