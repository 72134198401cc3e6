// SPDX-License-Identifier: Apache-2.0
#include "core/pcie_lanes.hpp"

#include "core/cuda/driver.hpp"
#include "core/cuda/pcie.hpp"

namespace tessera {

int most_pcie_lanes(int device) {
  CUdevice handle = 0;
  char bus_address[32] = "";
  if (cuda::driver().cuDeviceGet(&handle, device) != CUDA_SUCCESS ||
      cuda::driver().cuDeviceGetPCIBusId(bus_address, sizeof bus_address, handle) != CUDA_SUCCESS)
    return 0;
  return cuda::pcie_link(bus_address).most_width;
}

}  // namespace tessera
