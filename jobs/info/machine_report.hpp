// SPDX-License-Identifier: Apache-2.0
/// The report of `tessera info` on this machine and this build.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "tessera/options.hpp"

namespace tessera {

struct LibraryReport {
  std::string name, version;

  static constexpr auto fields() {
    using R = LibraryReport;
    return std::tuple{field("name", &R::name, "the library or program"),
                      field("version", &R::version, "its version, or why it is missing")};
  }
};

struct FormatReport {
  std::string name;
  std::vector<std::string> extensions;
  bool reads = false, writes = false;
  bool refused = false;  ///< known only to be refused by name, in every build
  std::string needs;     ///< the library that a build without it lacks

  static constexpr auto fields() {
    using R = FormatReport;
    return std::tuple{field("name", &R::name, "the format"),
                      field("extensions", &R::extensions, "the endings of its file names"),
                      field("reads", &R::reads, "whether this build reads it"),
                      field("writes", &R::writes, "whether this build writes it"),
                      field("refused", &R::refused, "whether no build reads or writes it"),
                      field("needs", &R::needs, "the library it needs")};
  }
};

/// Measured, in flop/s and bytes/s; 0 if it does not apply.
struct CeilingReport {
  std::string where;  ///< "one core", "2 threads", "device 0"
  double fma_flops_per_second = 0, copy_bytes_per_second = 0;
  double upload_pinned_bytes_per_second = 0, download_pinned_bytes_per_second = 0,
         upload_pageable_bytes_per_second = 0, download_pageable_bytes_per_second = 0;

  static constexpr auto fields() {
    using R = CeilingReport;
    return std::tuple{
        field("where", &R::where, "what was measured"),
        field("fma_flops_per_second", &R::fma_flops_per_second,
              "f32 multiply-adds per second, 2 flop each"),
        field("copy_bytes_per_second", &R::copy_bytes_per_second,
              "bytes per second read and written by a copy"),
        field("upload_pinned_bytes_per_second", &R::upload_pinned_bytes_per_second,
              "bytes per second, host to device"),
        field("download_pinned_bytes_per_second", &R::download_pinned_bytes_per_second,
              "bytes per second, device to host"),
        field("upload_pageable_bytes_per_second", &R::upload_pageable_bytes_per_second,
              "bytes per second, host to device"),
        field("download_pageable_bytes_per_second", &R::download_pageable_bytes_per_second,
              "bytes per second, device to host")};
  }
};

/// Seconds of single calls of a device.
struct CallReport {
  std::string where;  ///< "device 0"
  double launch = 0, launch_waited = 0;
  double driver_allocate = 0, driver_release = 0, pool_allocate = 0, pool_release = 0,
         host_allocate = 0, host_release = 0;
  double small_upload = 0, small_download = 0;

  static constexpr auto fields() {
    using R = CallReport;
    return std::tuple{
        field("where", &R::where, "whose calls"),
        field("launch", &R::launch, "seconds to launch an empty kernel, one after the other"),
        field("launch_waited", &R::launch_waited, "the same, each waited for"),
        field("driver_allocate", &R::driver_allocate, "seconds of cuMemAlloc, 16 KiB"),
        field("driver_release", &R::driver_release, "seconds of cuMemFree"),
        field("pool_allocate", &R::pool_allocate, "seconds to take 16 KiB from a stream's pool"),
        field("pool_release", &R::pool_release, "seconds to give it back"),
        field("host_allocate", &R::host_allocate, "seconds of malloc, 16 KiB"),
        field("host_release", &R::host_release, "seconds of free"),
        field("small_upload", &R::small_upload, "seconds of a copy of 4 KiB, host to device"),
        field("small_download", &R::small_download, "seconds of a copy of 4 KiB, device to host")};
  }
};

struct DeviceReport {
  int index = 0;
  std::string name, compute;
  int multiprocessors = 0;
  double memory_bytes = 0;
  int pcie_generation = 0, pcie_width = 0, pcie_most_width = 0;
  double upload_bytes_per_second = 0, download_bytes_per_second = 0;
  bool copies_measured = false;

  static constexpr auto fields() {
    using R = DeviceReport;
    return std::tuple{field("index", &R::index, "the number --device takes"),
                      field("name", &R::name, "its name"),
                      field("compute", &R::compute, "compute capability"),
                      field("multiprocessors", &R::multiprocessors, "how many"),
                      field("memory_bytes", &R::memory_bytes, "all of its memory"),
                      field("pcie_generation", &R::pcie_generation, "of its link; 0: not known"),
                      field("pcie_width", &R::pcie_width, "lanes of its link; 0: not known"),
                      field("pcie_most_width", &R::pcie_most_width,
                            "lanes that device and slot both have; 0: not known"),
                      field("upload_bytes_per_second", &R::upload_bytes_per_second,
                            "from ordinary memory; automatic choices go by it"),
                      field("download_bytes_per_second", &R::download_bytes_per_second,
                            "to ordinary memory; automatic choices go by it"),
                      field("copies_measured", &R::copies_measured,
                            "whether both were measured here; else they are estimates")};
  }
};

struct MachineReport {
  std::string version, cpu;
  int threads = 0;
  double memory_bytes = 0;  ///< that can still be allocated
  std::string target;       ///< the SIMD target plans use
  std::vector<std::string> targets;
  std::vector<DeviceReport> devices;
  std::string no_device_reason;  ///< why there is none
  std::vector<LibraryReport> libraries;
  std::vector<FormatReport> formats;
  std::vector<std::string> tuning_tables;
  std::string cache_folder;
  std::vector<CeilingReport> ceilings;  ///< empty unless measured
  std::vector<CallReport> calls;        ///< the same

  static constexpr auto fields() {
    using R = MachineReport;
    return std::tuple{
        field("version", &R::version, "Tessera's version"),
        field("cpu", &R::cpu, "the processor"),
        field("threads", &R::threads, "threads the environment allows"),
        field("memory_bytes", &R::memory_bytes, "memory this process can still allocate"),
        field("target", &R::target, "the SIMD target in use"),
        field("targets", &R::targets, "SIMD targets this machine runs, best first"),
        field("devices", &R::devices, "GPUs"),
        field("no_device_reason", &R::no_device_reason, "why there is no GPU"),
        field("libraries", &R::libraries, "versions"),
        field("formats", &R::formats, "image formats"),
        field("tuning_tables", &R::tuning_tables, "tables of tuned choices found"),
        field("cache_folder", &R::cache_folder, "where compiled kernels are kept"),
        field("ceilings", &R::ceilings, "measured peaks"),
        field("calls", &R::calls, "measured costs of calls of the devices"),
    };
  }
  std::string describe() const;
};

/// Collects the report; with `measure` also measures the peaks, which takes a few seconds.
MachineReport report_machine(bool measure);

}  // namespace tessera
