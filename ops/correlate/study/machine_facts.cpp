// SPDX-License-Identifier: Apache-2.0
#include "ops/correlate/study/machine_facts.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>

#include "core/isa.hpp"
#include "core/parallel.hpp"
#include "ops/correlate/study/correlate_study.hpp"
#include "study/study_places.hpp"

namespace tessera {
namespace {

constexpr int kAdditions = 16;  // of a step of the chain

/// The register is read and written by every addition, so that no compiler leaves one out.
void add_in_a_chain(unsigned long steps, unsigned long& sum) {
  const unsigned long more = sum | 1;
  for (unsigned long k = 0; k < steps; ++k)
    for (int n = 0; n < kAdditions; ++n) {
      sum += more;
      asm volatile("" : "+r"(sum));
    }
}

std::string kilobytes(long bytes) {
  return bytes % (1L << 20) == 0 && bytes >= 1L << 20 ? fmt::format("{} MB", bytes >> 20)
                                                      : fmt::format("{} KB", bytes >> 10);
}

/// "32 KB L1 data cache, 1 MB L2 per core, 33 MB L3"; those that the system does not tell are left
/// out.
std::string cache_text() {
  std::string text;
  for (const auto& [name, of] : {std::pair{_SC_LEVEL1_DCACHE_SIZE, "L1 data cache"},
                                 {_SC_LEVEL2_CACHE_SIZE, "L2"},
                                 {_SC_LEVEL3_CACHE_SIZE, "L3"}})
    if (const long bytes = sysconf(name); bytes > 0)
      text += (text.empty() ? "" : ", ") + kilobytes(bytes) + " " + of;
  return text.empty() ? kUnknown : text;
}

std::string gigabytes(double bytes_per_second) {
  return bytes_per_second > 0 ? fmt::format("{:.0f}", 1e-9 * bytes_per_second) : kUnknown;
}

MachineFacts facts_of_device(const DeviceInfo& device, const DeviceCeilings& measured) {
  const double lanes = this_machine().device_flops(device.index) / (2e3 * device.clock_khz);
  return {"this GPU",
          fmt::format("{:.0f} ({}*{:.0f})", lanes, device.multiprocessors,
                      lanes / device.multiprocessors),
          fmt::format("{:.2f}", 1e-6 * device.clock_khz),
          gigabytes(measured.copy_bytes),
          "32-way SIMT",
          fmt::format("{} KB shared per block, {:.0f} GB device memory",
                      device.shared_bytes_per_block >> 10,
                      static_cast<double>(device.memory_bytes) / (1 << 30))};
}

MachineFacts facts_of_cpu(const DeviceCeilings& measured) {
  const int lanes = this_machine().vector_bytes / 4;
  return {"this CPU",
          fmt::format("{} threads", available_threads()),
          fmt::format("{:.2f}", measured_ghz()),
          gigabytes(measured.copy_bytes),
          fmt::format("{} 32-bit FMAs ({})", lanes, current_isa()),
          cache_text()};
}

std::string line_of(const MachineFacts& m) {
  return fmt::format("  {:<10} {:>16} {:>6} {:>9}  {:<36} {}\n", m.name, m.cores, m.ghz, m.gbytes,
                     m.simd, m.memory);
}

/// A statement without its quotes.
std::string fact_text(const std::string& device, const std::string& quantity) {
  const PublishedFigure* const figure = find_published(device, "-", quantity);
  if (!figure) return kUnknown;
  std::string text = figure->text;
  std::erase(text, '"');
  return text;
}

}  // namespace

double measured_ghz() {
  constexpr unsigned long kSteps = 1 << 20;
  double best = 0;
  unsigned long sum = static_cast<unsigned long>(getpid());
  for (int repeat = 0; repeat < 7; ++repeat) {
    const auto start = std::chrono::steady_clock::now();
    add_in_a_chain(kSteps, sum);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    best = std::max(best, 1e-9 * kAdditions * static_cast<double>(kSteps) / taken.count());
  }
  return best;
}

std::vector<MachineFacts> machine_facts(const StudyPlaces& places, int device) {
  std::vector<MachineFacts> facts;
  if (places.device) facts.push_back(facts_of_device(device_info(device), places.on_device));
  if (places.all_threads.fma_flops > 0) facts.push_back(facts_of_cpu(places.all_threads));
  return facts;
}

std::string machine_text(const std::vector<MachineFacts>& here) {
  std::string text =
      "\nTable 1: the machines (here: clock of the CPU and GB/s of copies measured, the rest as "
      "driver and system say)\n" +
      line_of({"", "cores", "GHz", "GB/s", "SIMD", "memory"});
  for (const char* name : {"Fermi", "X5680", "Power7"})
    text += line_of({name, fact_text(name, "cores"), fact_text(name, "ghz"),
                     fact_text(name, "peak_gbytes"), fact_text(name, "simd"),
                     fact_text(name, "memory")});
  for (const MachineFacts& facts : here) text += line_of(facts);
  return text;
}

}  // namespace tessera
