// SPDX-License-Identifier: Apache-2.0
// The ceilings of the CPU, measured.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <fstream>
#include <functional>
#include <utility>
#include <vector>

#include "core/cpu_fma.hpp"
#include "core/folder.hpp"
#include "core/isa.hpp"
#include "core/machine.hpp"
#include "core/median_time.hpp"
#include "core/memory.hpp"
#include "core/parallel.hpp"
#include "core/pools.hpp"

namespace tessera {
namespace {

constexpr int kRepeats = 7;

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median_seconds(const std::function<void()>& work) {
  std::vector<double> seconds(kRepeats);
  for (double& one : seconds) one = seconds_of(work);
  return median_time(std::move(seconds)).seconds;
}

/// About 40 ms per repeat, long compared with the start of a thread.
long long rounds_to_run() {
  long long rounds = 1 << 16;
  run_multiply_adds(rounds);  // wakes the clock
  const double seconds = seconds_of([&] { run_multiply_adds(rounds); });
  return std::max(rounds, static_cast<long long>(0.04 * static_cast<double>(rounds) / seconds));
}

double multiply_adds_a_second(int threads) {
  const long long rounds = rounds_to_run();
  const double flops = threads * run_multiply_adds(rounds);
  return flops / median_seconds([&] {
           parallel_for(threads, threads, [&](int) { run_multiply_adds(rounds); });
         });
}

/// Bytes of the largest cache; 32 MiB if the system does not say.
std::size_t last_level_cache() {
  std::size_t largest = 0;
  const std::string caches = "/sys/devices/system/cpu/cpu0/cache";
  for (const std::string& cache : names_in(caches)) {
    std::size_t size = 0;
    char unit = 0;
    std::ifstream(caches + "/" + cache + "/size") >> size >> unit;
    largest = std::max(largest, unit == 'M' ? size << 20 : unit == 'K' ? size << 10 : size);
  }
  return largest > 0 ? largest : std::size_t{32} << 20;
}

/// Four times the cache, so that little of one repeat is left for the next; at most 512 MiB, to
/// stay within two seconds, and a fraction of free memory.
std::size_t bytes_to_copy() {
  const std::size_t wanted =
      std::clamp(4 * last_level_cache(), std::size_t{64} << 20, std::size_t{512} << 20);
  return std::min(wanted, available_memory() / 8);
}

double copied_bytes_a_second(int threads) {
  const std::size_t share = bytes_to_copy() / static_cast<std::size_t>(threads) / 4096 * 4096;
  const Scratch from = host_scratch(share * static_cast<std::size_t>(threads));
  const Scratch to = host_scratch(from.bytes());
  const auto on_every_share = [&](const std::function<void(char*, char*)>& work) {
    parallel_for(threads, threads, [&](int i) {
      const std::size_t offset = share * static_cast<std::size_t>(i);
      work(from.as<char>() + offset, to.as<char>() + offset);
    });
  };
  on_every_share([&](char* source, char* target) {  // makes the pages
    std::memset(source, 1, share);
    std::memset(target, 2, share);
  });
  const double seconds = median_seconds([&] {
    on_every_share([&](char* source, char* target) { std::memcpy(target, source, share); });
  });
  return 2.0 * static_cast<double>(share) * threads / seconds;
}

CpuCeilings measure() {
  apply_isa_environment();
  const int threads = available_threads();
  return {.fma_flops_one = multiply_adds_a_second(1),
          .fma_flops_all = multiply_adds_a_second(threads),
          .copy_bytes_one = copied_bytes_a_second(1),
          .copy_bytes_all = copied_bytes_a_second(threads)};
}

}  // namespace

CpuCeilings measure_cpu() {
  static const CpuCeilings ceilings = measure();
  return ceilings;
}

}  // namespace tessera
