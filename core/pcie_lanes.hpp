// SPDX-License-Identifier: Apache-2.0
/// How wide the link of a device could be, to be told when it is not.
#pragma once

namespace tessera {

/// Lanes that a device and its slot both have; its link may run with fewer
/// (DeviceInfo::pcie_width). 0: not known.
int most_pcie_lanes(int device);

}  // namespace tessera
