// SPDX-License-Identifier: Apache-2.0
/// The link between host and device.
#pragma once

#include <string>

namespace tessera::cuda {

struct PcieLink {
  int generation = 0, width = 0;  ///< 0: not known
  int most_width = 0;             ///< lanes that device and slot both have; 0: not known
};

/// The link of the device at a bus address such as "0000:3b:00.0": its current width, and the best
/// generation of device and slot, since an idle link runs at a lower one; its width stays. Asks the
/// kernel, then NVML if the kernel does not say (virtual machines).
PcieLink pcie_link(const std::string& bus_address);

/// The kernel's answer, from files under `devices_folder`.
PcieLink pcie_link_from_files(const std::string& devices_folder, const std::string& bus_address);

}  // namespace tessera::cuda
