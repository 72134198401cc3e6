// SPDX-License-Identifier: Apache-2.0
#include "core/device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>

#include "core/cuda/nvrtc.hpp"
#include "core/cuda/open_device.hpp"
#include "core/cuda/pcie.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace cuda {
namespace {

// Methods are chosen by it: without it the device is not used.
int attribute(CUdevice device, CUdevice_attribute which) {
  int value = 0;
  check(driver().cuDeviceGetAttribute(&value, which, device), "device: reading an attribute");
  return value;
}

DeviceInfo describe(int index, CUdevice device) {
  DeviceInfo info;
  char name[256] = "", bus_address[32] = "";
  check(driver().cuDeviceGetName(name, sizeof name, device), "device: reading its name");
  check(driver().cuDeviceTotalMem(&info.memory_bytes, device), "device: reading its memory");
  info.index = index;
  info.name = name;
  info.compute_major = attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  info.compute_minor = attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  info.multiprocessors = attribute(device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  info.shared_bytes_per_block =
      attribute(device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  info.clock_khz = attribute(device, CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
  info.memory_clock_khz = attribute(device, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
  info.memory_bus_bits = attribute(device, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
  if (driver().cuDeviceGetPCIBusId(bus_address, sizeof bus_address, device) == CUDA_SUCCESS) {
    const PcieLink link = pcie_link(bus_address);
    info.pcie_generation = link.generation;
    info.pcie_width = link.width;
  }
  return info;
}

std::vector<DeviceInfo> look_for_devices(std::string& reason) {
  const Driver* found = find_driver(reason);
  if (!found) return {};
  int count = 0;
  check(found->cuDeviceGetCount(&count), "device: counting the devices");
  if (count == 0) reason = "the NVIDIA driver sees no device";
  std::vector<DeviceInfo> devices;
  for (int i = 0; i < count; ++i) {
    CUdevice device = 0;
    check(found->cuDeviceGet(&device, i), "device: getting its handle");
    devices.push_back(describe(i, device));
  }
  return devices;
}

std::unique_ptr<OpenDevice> open(const DeviceInfo& info) {
  auto device = std::make_unique<OpenDevice>();
  device->info = info;
  const std::string opening = device->name() + ": opening it";
  check(driver().cuDeviceGet(&device->handle, info.index), opening);
  if (!attribute(device->handle, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED))
    throw Error(ErrorKind::resources,
                device->name() + ": it has no memory pools; give another device or backend cpu");
  check(driver().cuDevicePrimaryCtxRetain(&device->context, device->handle), opening);
  name_context(device->context, device->name());
  check(driver().cuDeviceGetDefaultMemPool(&device->pool, device->handle), opening);
  device->max_pitch =
      static_cast<std::size_t>(attribute(device->handle, CU_DEVICE_ATTRIBUTE_MAX_PITCH));
  // Freed memory stays in the pool across a wait; by default it would go back to the system.
  cuuint64_t keep = ~cuuint64_t{0};
  check(driver().cuMemPoolSetAttribute(device->pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &keep),
        opening);
  return device;
}

std::string known_devices(const std::vector<DeviceInfo>& devices) {
  std::string list;
  for (const DeviceInfo& info : devices)
    list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", info.index, info.name);
  return list;
}

std::string version_text(int version) {
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

}  // namespace

namespace {

/// Never destroyed, see OpenDevice.
struct OpenDevices {
  std::atomic<bool> any = false;  ///< before the driver is opened, which takes long
  std::mutex mutex;
  std::map<int, std::unique_ptr<OpenDevice>> opened;
};
OpenDevices& open_devices() {
  static auto& devices = *new OpenDevices;
  return devices;
}

}  // namespace

OpenDevice& open_device(int index) {
  // Before the lock, which a thread that stayed behind may hold.
  if (const std::string reason = why_not_after_fork(); !reason.empty())
    throw Error(ErrorKind::resources,
                fmt::format("device {}: {}; or give backend cpu", index, reason));
  auto& [any, mutex, opened] = open_devices();
  const std::lock_guard lock(mutex);
  if (const auto found = opened.find(index); found != opened.end()) return *found->second;
  std::string reason;
  const std::vector<DeviceInfo> devices = find_devices(reason);
  if (devices.empty())
    throw Error(ErrorKind::resources,
                fmt::format("device {}: {}; give backend cpu", index, reason));
  if (index < 0 || index >= static_cast<int>(devices.size()))
    throw Error(ErrorKind::resources, fmt::format("device {}: there is no such device; there is {}",
                                                  index, known_devices(devices)));
  any = true;
  return *opened.emplace(index, open(devices[static_cast<std::size_t>(index)])).first->second;
}

std::string OpenDevice::name() const {
  return fmt::format("device {} ({})", info.index, info.name);
}

std::size_t OpenDevice::free_bytes() const {
  const CurrentContext current(context);
  std::size_t free = 0, total = 0;
  check(driver().cuMemGetInfo(&free, &total), name() + ": reading its free memory");
  const std::size_t reserved = pool_bytes();
  cuuint64_t used = 0;
  check(driver().cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used),
        name() + ": getting its pool");
  return free + reserved - std::min(static_cast<std::size_t>(used), reserved);
}

std::size_t OpenDevice::pool_bytes() const {
  cuuint64_t reserved = 0;
  check(driver().cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &reserved),
        name() + ": getting its pool");
  return static_cast<std::size_t>(reserved);
}

}  // namespace cuda

std::vector<DeviceInfo> find_devices(std::string& reason) {
  reason = cuda::why_not_after_fork();
  if (!reason.empty()) return {};
  struct Found {
    std::string reason;
    std::vector<DeviceInfo> devices;
  };
  static const Found& found = *[] {
    auto* made = new Found;
    try {
      made->devices = cuda::look_for_devices(made->reason);
    } catch (const Error& error) {
      made->reason = error.what();
    }
    return made;
  }();
  reason = found.reason;
  return found.devices;
}

void free_idle_device_memory() {
  auto& [any, mutex, opened] = cuda::open_devices();
  if (!any || !cuda::why_not_after_fork().empty()) return;
  const std::lock_guard lock(mutex);
  for (const auto& [index, device] : opened) {
    const cuda::CurrentContext current(device->context);
    device->pinned.free_idle();
    cuda::check(cuda::driver().cuMemPoolTrimTo(device->pool, 0),
                device->name() + ": returning unused memory");
  }
}

DeviceVersions device_versions() {
  DeviceVersions versions{cuda::version_text(CUDA_VERSION), "", cuda::nvrtc_version()};
  std::string reason;
  int version = 0;
  if (const cuda::Driver* found = cuda::find_driver(reason);
      found && found->cuDriverGetVersion(&version) == CUDA_SUCCESS)
    versions.driver = cuda::version_text(version);
  return versions;
}

}  // namespace tessera
