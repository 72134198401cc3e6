// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/pcie.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>

#include "core/cuda/libraries.hpp"

namespace tessera::cuda {
namespace {

namespace fs = std::filesystem;

double number_in(const fs::path& file) {
  std::ifstream stream(file);
  double number = 0;
  stream >> number;  // "16", or "32.0 GT/s PCIe"; "Unknown" leaves 0
  return stream ? number : 0;
}

int lanes_in(const fs::path& file) {
  const double lanes = number_in(file);
  return lanes >= 1 && lanes <= 32 ? static_cast<int>(lanes) : 0;  // 255: not known
}

// GT/s per lane of generations 1 to 6.
int generation_of(double gigatransfers) {
  constexpr double kSpeeds[] = {2.5, 5, 8, 16, 32, 64};
  int generation = 0;
  for (const double speed : kSpeeds) generation += gigatransfers >= speed;
  return generation;
}

// NVML's own types: a handle and plain integers. nvml.h is not part of every toolkit.
PcieLink pcie_link_from_nvml(const std::string& bus_address) {
  using NvmlHandle = struct NvmlDevice*;
  int (*init)() = nullptr;
  int (*find)(const char*, NvmlHandle*) = nullptr;
  int (*width)(NvmlHandle, unsigned*) = nullptr;
  int (*most_width)(NvmlHandle, unsigned*) = nullptr;
  int (*generation)(NvmlHandle, unsigned*) = nullptr;
  int (*shutdown)() = nullptr;
  Library nvml("NVML", {"libnvidia-ml.so.1"});
  if (!nvml.load("nvmlInit_v2", init) || !nvml.load("nvmlDeviceGetHandleByPciBusId_v2", find) ||
      !nvml.load("nvmlDeviceGetCurrPcieLinkWidth", width) ||
      !nvml.load("nvmlDeviceGetMaxPcieLinkWidth", most_width) ||
      !nvml.load("nvmlDeviceGetMaxPcieLinkGeneration", generation) ||
      !nvml.load("nvmlShutdown", shutdown) || init() != 0)
    return {};
  NvmlHandle device = nullptr;
  unsigned lanes = 0, most = 0, best = 0;
  if (find(bus_address.c_str(), &device) == 0) {
    if (width(device, &lanes) != 0) lanes = 0;
    if (most_width(device, &most) != 0) most = 0;
    if (generation(device, &best) != 0) best = 0;
  }
  shutdown();
  return {static_cast<int>(best), static_cast<int>(lanes), static_cast<int>(most)};
}

}  // namespace

PcieLink pcie_link_from_files(const std::string& devices_folder, const std::string& bus_address) {
  std::string name =
      bus_address;  // the driver writes hexadecimal digits in upper case, the kernel in lower case
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  std::error_code none;
  const fs::path device = fs::canonical(fs::path(devices_folder) / name, none);
  if (none) return {};
  double speed = number_in(device / "max_link_speed");
  const double slot_speed = number_in(device.parent_path() / "max_link_speed");
  if (slot_speed > 0) speed = std::min(speed, slot_speed);
  int most = lanes_in(device / "max_link_width");
  const int of_slot = lanes_in(device.parent_path() / "max_link_width");
  if (of_slot > 0) most = std::min(most, of_slot);
  return {generation_of(speed), lanes_in(device / "current_link_width"), most};
}

PcieLink pcie_link(const std::string& bus_address) {
  const PcieLink link = pcie_link_from_files("/sys/bus/pci/devices", bus_address);
  if (link.generation > 0 && link.width > 0) return link;
  const PcieLink asked = pcie_link_from_nvml(bus_address);
  return {std::max(asked.generation, link.generation), std::max(asked.width, link.width),
          std::max(asked.most_width, link.most_width)};
}

}  // namespace tessera::cuda
