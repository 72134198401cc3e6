// SPDX-License-Identifier: Apache-2.0
#include "core/machine.hpp"

#include <algorithm>
#include <fstream>

#include "core/cpu_name.hpp"
#include "core/device.hpp"
#include "core/isa.hpp"
#include "core/parallel.hpp"

namespace tessera {
namespace {

/// Not current_isa(): a forced target slows an operation down but does not change the machine.
int vector_bytes_of_machine() {
  const std::string best = isa_names().front();
  return best.starts_with("avx512") ? 64 : best.starts_with("avx") ? 32 : 16;
}

/// Virtual machines often do not say; 2.5 GHz is then close enough for a cost model.
double cpu_hertz() {
  double kilohertz = 0;
  std::ifstream("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq") >> kilohertz;
  return kilohertz > 0 ? kilohertz * 1e3 : 2.5e9;
}

/// Two FMA units per core, as all recent server cores have or exceed.
double estimated_flops(int threads, int vector_bytes) {
  constexpr int kUnits = 2, kFlopsAnFma = 2;
  return threads * (vector_bytes / 4.0) * kUnits * kFlopsAnFma * cpu_hertz();
}

/// A Neoverse-N1 core copies 16 GB/s (`tessera info --measure`); a socket's memory feeds about ten
/// such cores.
double estimated_copy(int threads) { return 16e9 * std::min(threads, 10); }

/// The rate of ordinary memory, which passes through page-locked chunks: 4.5 GB/s per thread that
/// fills them is a guess. PCIe generations double from 0.25 GB/s per lane, and give four fifths of
/// it.
double estimated_link(const std::vector<DeviceInfo>& devices, int threads) {
  double link = 12e9;
  if (!devices.empty() && devices[0].pcie_generation >= 1 && devices[0].pcie_width >= 1)
    link = 0.8 * 0.25e9 * (1 << (devices[0].pcie_generation - 1)) * devices[0].pcie_width;
  return std::min(link, 4.5e9 * threads);
}

Machine look() {
  Machine machine;
  std::ifstream cpuinfo("/proc/cpuinfo");
  machine.cpu_name = cpu_name(cpuinfo);
  machine.threads = node_threads();
  machine.vector_bytes = vector_bytes_of_machine();
  machine.cpu_flops = estimated_flops(machine.threads, machine.vector_bytes);
  machine.cpu_bytes_per_second = estimated_copy(machine.threads);
  machine.devices = find_devices(machine.no_device_reason);
  machine.estimated_link_bytes_per_second = estimated_link(machine.devices, machine.threads);
  return machine;
}

}  // namespace

const Machine& this_machine() {
  static const Machine machine = look();
  return machine;
}

const DeviceInfo& device_info(int device) {
  return this_machine().devices[static_cast<std::size_t>(device)];
}

double Machine::device_flops(int device) const {
  const DeviceInfo& d = devices.at(static_cast<std::size_t>(device));
  // f32 lanes of a multiprocessor: 64 up to compute capability 8.0, 128 since.
  const bool wide = d.compute_major > 8 || (d.compute_major == 8 && d.compute_minor > 0);
  return 2.0 * d.multiprocessors * (wide ? 128 : 64) * d.clock_khz * 1e3;
}

double Machine::device_bytes_per_second(int device) const {
  const DeviceInfo& d = devices.at(static_cast<std::size_t>(device));
  // Two transfers per clock; copies reach about nine tenths.
  return 0.9 * 2.0 * d.memory_clock_khz * 1e3 * d.memory_bus_bits / 8;
}

}  // namespace tessera
