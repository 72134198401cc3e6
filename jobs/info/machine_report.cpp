// SPDX-License-Identifier: Apache-2.0
#include "jobs/info/machine_report.hpp"

#include <fmt/format.h>

#include "core/device.hpp"
#include "core/device_calls.hpp"
#include "core/isa.hpp"
#include "core/kernel.hpp"
#include "core/machine.hpp"
#include "core/memory.hpp"
#include "core/parallel.hpp"
#include "core/pcie_lanes.hpp"
#include "core/pools.hpp"
#include "io/formats.hpp"
#include "jobs/info/library_versions.hpp"

namespace tessera {
namespace {

DeviceReport report_device(const DeviceInfo& device) {
  const LinkRates copies = known_link_rates(device.index);
  return {device.index,
          device.name,
          fmt::format("{}.{}", device.compute_major, device.compute_minor),
          device.multiprocessors,
          static_cast<double>(device.memory_bytes),
          device.pcie_generation,
          device.pcie_width,
          most_pcie_lanes(device.index),
          copies.up,
          copies.down,
          copies.measured};
}

FormatReport report_format(const Format& format) {
  return {format.name,        format.extensions, format.can_read(),
          format.can_write(), format.refused,    format.library};
}

std::vector<CeilingReport> measure_all(const Machine& machine) {
  const CpuCeilings cpu = measure_cpu();
  std::vector<CeilingReport> list{{"one thread", cpu.fma_flops_one, cpu.copy_bytes_one, 0, 0, 0, 0},
                                  {fmt::format("{} threads", available_threads()),
                                   cpu.fma_flops_all, cpu.copy_bytes_all, 0, 0, 0, 0}};
  for (const DeviceInfo& device : machine.devices) {
    const DeviceCeilings c = measure_device(device.index);
    renew_link_rates(device.index);
    list.push_back({fmt::format("device {}", device.index), c.fma_flops, c.copy_bytes,
                    c.upload_pinned, c.download_pinned, c.upload_pageable, c.download_pageable});
  }
  return list;
}

CallReport report_calls(int device) {
  const DeviceCalls& c = measure_device_calls(device);
  CallReport report{fmt::format("device {}", device),
                    c.launch,
                    c.launch_waited,
                    c.driver_allocate,
                    c.driver_release,
                    c.pool_allocate,
                    c.pool_release,
                    c.host_allocate,
                    c.host_release};
  for (const SmallCopy& copy : c.copies)
    if (copy.bytes == 4096) {
      report.small_upload = copy.up;
      report.small_download = copy.down;
    }
  return report;
}

std::string call_text(const CallReport& c) {
  return fmt::format(
      "calls in us: launch {:.2f}, waited for {:.2f}; allocate and release 16 KiB {:.2f} and "
      "{:.2f} "
      "by the driver, {:.2f} and {:.2f} from the pool, {:.3f} and {:.3f} on the host; copy 4 KiB "
      "to "
      "it and back {:.2f} and {:.2f}",
      1e6 * c.launch, 1e6 * c.launch_waited, 1e6 * c.driver_allocate, 1e6 * c.driver_release,
      1e6 * c.pool_allocate, 1e6 * c.pool_release, 1e6 * c.host_allocate, 1e6 * c.host_release,
      1e6 * c.small_upload, 1e6 * c.small_download);
}

std::string ceiling_text(const CeilingReport& c) {
  std::string text = fmt::format("{:.1f} GFLOP/s multiply-add, {:.1f} GB/s copy",
                                 c.fma_flops_per_second / 1e9, c.copy_bytes_per_second / 1e9);
  if (c.upload_pageable_bytes_per_second > 0)
    text += fmt::format("; GB/s to it and back {:.1f} and {:.1f} from ordinary memory",
                        c.upload_pageable_bytes_per_second / 1e9,
                        c.download_pageable_bytes_per_second / 1e9);
  if (c.upload_pinned_bytes_per_second > 0)
    text += fmt::format(", {:.1f} and {:.1f} from page-locked memory",
                        c.upload_pinned_bytes_per_second / 1e9,
                        c.download_pinned_bytes_per_second / 1e9);
  else if (c.upload_pageable_bytes_per_second > 0)
    text += "; the system refuses page-locked memory, so copies are slow";
  return text;
}

std::string device_text(const DeviceReport& d) {
  std::string text = fmt::format("{}, compute {}, {} multiprocessors, {}", d.name, d.compute,
                                 d.multiprocessors, bytes_text(d.memory_bytes));
  if (d.pcie_width > 0) text += fmt::format(", PCIe {} x{}", d.pcie_generation, d.pcie_width);
  if (d.pcie_width > 0 && d.pcie_width < d.pcie_most_width)
    text += fmt::format(" although card and slot have x{}: copies are slower than they could be",
                        d.pcie_most_width);
  return text;
}

std::string format_text(const FormatReport& f) {
  if (f.refused) return "not read; convert it to PNG or TIFF first";
  if (!f.reads && !f.writes) return fmt::format("left out of this build; it needs {}", f.needs);
  return fmt::format("{} ({})",
                     f.reads && f.writes ? "read and write"
                     : f.reads           ? "read"
                                         : "write",
                     fmt::join(f.extensions, ", "));
}

std::string line(const std::string& name, const std::string& value) {
  return fmt::format("{:<14}{}\n", name, value);
}

}  // namespace

std::string MachineReport::describe() const {
  std::string text = line("tessera", version);
  text += line("cpu", fmt::format("{}, {} threads, {} of memory free", cpu, threads,
                                  bytes_text(memory_bytes)));
  text += line("targets", fmt::format("{} (in use: {})", fmt::join(targets, ", "), target));
  if (devices.empty()) text += line("devices", "none: " + no_device_reason);
  for (const DeviceReport& device : devices)
    text += line(fmt::format("device {}", device.index), device_text(device)) +
            line("  copies", LinkRates{device.upload_bytes_per_second,
                                       device.download_bytes_per_second, device.copies_measured}
                                 .describe());
  for (const LibraryReport& library : libraries) text += line(library.name, library.version);
  for (const FormatReport& format : formats) text += line(format.name, format_text(format));
  for (const std::string& table : tuning_tables) text += line("tuning table", table);
  if (tuning_tables.empty())
    text += line("tuning tables", "none; choices come from the cost models");
  text += line("cache", cache_folder);
  for (const CeilingReport& ceiling : ceilings) text += line(ceiling.where, ceiling_text(ceiling));
  for (const CallReport& call : calls) text += line(call.where, call_text(call));
  text.pop_back();
  return text;
}

MachineReport report_machine(bool measure) {
  const Machine& machine = this_machine();
  MachineReport report;
  report.version = TESSERA_VERSION;
  report.cpu = machine.cpu_name;
  report.threads = available_threads();
  report.memory_bytes = static_cast<double>(available_memory());
  report.target = current_isa();
  report.targets = isa_names();
  report.no_device_reason = machine.no_device_reason;
  report.libraries = library_versions();
  for (const Format& format : formats()) report.formats.push_back(report_format(format));
  report.cache_folder = tessera::cache_folder();
  if (measure) {
    report.ceilings = measure_all(machine);
    for (const DeviceInfo& device : machine.devices)
      report.calls.push_back(report_calls(device.index));
  }
  for (const DeviceInfo& device : machine.devices) report.devices.push_back(report_device(device));
  return report;
}

}  // namespace tessera
