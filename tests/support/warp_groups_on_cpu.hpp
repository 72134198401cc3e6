// SPDX-License-Identifier: Apache-2.0
/// Groups of warps and barriers with phases on the CPU. As tensor_core_on_cpu.hpp: include it last
/// of all headers, before .cuh files.
#pragma once

#include <atomic>
#include <deque>

#include "tests/support/tensor_core_on_cpu.hpp"

namespace tessera {

using PhaseBarrier = unsigned long long;  // as core/cuda/mbarrier.cuh

namespace testing {

/// A product that was asked for. As late as the rules allow it reads registers and shared memory:
/// whoever changes them too early is found out.
struct LateProduct {
  int* sums;
  int columns;
  const unsigned* a;
  unsigned long long b;
};
inline thread_local std::deque<std::vector<LateProduct>> late_products = {{}};

/// Byte k of row n of what a descriptor tells, field by field as the PTX manual has them.
inline int described_byte(unsigned long long descriptor, int n, int k) {
  const auto field = [&](int bit) { return static_cast<int>(descriptor >> bit & 0x3fff) << 4; };
  const int start = field(0), leading = field(16), stride = field(32);
  const int mode = static_cast<int>(descriptor >> 62),
            base = static_cast<int>(descriptor >> 49 & 7);
  if (base != 0 || (mode != 0 && mode != 3)) throw std::logic_error("wgmma: base or swizzling");
  if (mode == 3) {
    // Rows of 32 bytes; bit 4 of an address is turned by bit 7.
    const int place = start + n / 8 * stride + n % 8 * 32 + k;
    return static_cast<signed char>(shared_memory[place ^ (place >> 3 & 16)]);
  }
  return static_cast<signed char>(
      shared_memory[start + k / 16 * leading + n / 8 * stride + n % 8 * 16 + k % 16]);
}

inline void multiply_late(const LateProduct& p) {
  const auto& shown = show_words({p.a[0], p.a[1], p.a[2], p.a[3]});
  const int lane = lane_of_thread();
  int rows[2][32];
  for (int k = 0; k < 32; ++k)
    for (int r = 0; r < 2; ++r) rows[r][k] = row_byte(shown, lane / 4 + 8 * r, k);
  for (int n = 0; n < p.columns / 2; ++n)
    for (int k = 0; k < 32; ++k)
      p.sums[n] = wrapped_sum(
          p.sums[n], rows[n / 2 % 2][k] * described_byte(p.b, n / 4 * 8 + lane % 4 * 2 + n % 2, k));
}

/// Arrivals still to come, arrivals of a phase, phases ended.
struct Phases {
  std::uint16_t left, all;
  std::uint32_t ended;
};
inline std::atomic_ref<PhaseBarrier> atomic_barrier(PhaseBarrier* barrier) {
  return std::atomic_ref<PhaseBarrier>(*barrier);
}

}  // namespace testing

inline void fence_group() {}
inline void commit_group() { testing::late_products.emplace_back(); }
template <int kBehind>
void wait_for_groups() {
  // The last is open, not committed.
  while (testing::late_products.size() > kBehind + 1) {
    for (const testing::LateProduct& p : testing::late_products.front()) testing::multiply_late(p);
    testing::late_products.pop_front();
  }
}
inline void multiply_group(int (&sums)[64], const unsigned (&a)[4], unsigned long long b) {
  testing::late_products.back().push_back({sums, 128, a, b});
}
inline void multiply_group(int (&sums)[32], const unsigned (&a)[4], unsigned long long b) {
  testing::late_products.back().push_back({sums, 64, a, b});
}

inline void begin_phases(PhaseBarrier* barrier, int arrivals) {
  const auto count = static_cast<std::uint16_t>(arrivals);
  *barrier = std::bit_cast<PhaseBarrier>(testing::Phases{count, count, 0});
}
inline void arrive_at(PhaseBarrier* barrier) {
  const auto word = testing::atomic_barrier(barrier);
  PhaseBarrier old = word.load(), next = 0;
  do {
    auto phases = std::bit_cast<testing::Phases>(old);
    if (--phases.left == 0) phases = {phases.all, phases.all, phases.ended + 1};
    next = std::bit_cast<PhaseBarrier>(phases);
  } while (!word.compare_exchange_weak(old, next));
  word.notify_all();
}
inline void wait_for_phase(PhaseBarrier* barrier, unsigned parity) {
  const auto word = testing::atomic_barrier(barrier);
  for (PhaseBarrier now = word.load(); std::bit_cast<testing::Phases>(now).ended % 2 == parity;
       now = word.load())
    word.wait(now);
}
inline void show_to_engines() {}
inline void wait_for_team(int, int threads) {
  static std::barrier<> barrier(threads);  // one team, always as large
  barrier.arrive_and_wait();
}

}  // namespace tessera
