// SPDX-License-Identifier: Apache-2.0
/// This machine, and the ceilings that its speeds are compared with.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tessera {

struct DeviceInfo {
  int index = 0;
  std::string name;  ///< "NVIDIA H200"
  int compute_major = 0, compute_minor = 0;
  int multiprocessors = 0;
  int shared_bytes_per_block = 0;  ///< with opt-in
  std::size_t memory_bytes = 0;
  int clock_khz = 0, memory_clock_khz = 0, memory_bus_bits = 0;
  int pcie_generation = 0, pcie_width = 0;  ///< 0: not known
};

/// The input of the cost models: rough figures known without measuring, so that a choice is the
/// same in every run.
struct Machine {
  std::string cpu_name;  ///< "Neoverse-N1"
  int threads = 1;       ///< node_threads(), for choices; work runs on available_threads()
  int vector_bytes = 16;
  double cpu_flops = 0;                        ///< f32 FMA peak of all threads, estimated
  double cpu_bytes_per_second = 0;             ///< copy bandwidth, read + write, estimated
  double estimated_link_bytes_per_second = 0;  ///< see link_rates.hpp for measured ones
  std::vector<DeviceInfo> devices;
  std::string no_device_reason;  ///< why there are no devices: "built without CUDA", "no driver" …

  double device_flops(int device) const;
  double device_bytes_per_second(int device) const;
};

/// Looked up once.
const Machine& this_machine();
/// One of its devices, which must be there.
const DeviceInfo& device_info(int device);

/// Measured ceilings. Benchmarks and `tessera info --measure` use the same functions.
struct CpuCeilings {
  double fma_flops_one = 0, fma_flops_all = 0;    ///< f32 multiply-adds, 2 flop each
  double copy_bytes_one = 0, copy_bytes_all = 0;  ///< bytes read + bytes written per second
};
struct DeviceCeilings {
  double fma_flops = 0, copy_bytes = 0;
  double upload_pinned = 0, download_pinned = 0, upload_pageable = 0, download_pageable = 0;
};
CpuCeilings measure_cpu();                  ///< about two seconds; kept for the process
DeviceCeilings measure_device(int device);  ///< about two seconds; kept for the process

}  // namespace tessera
