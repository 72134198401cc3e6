// SPDX-License-Identifier: Apache-2.0
/// What the first frames of a VDIF recording say about all of it: its threads, and how many frames
/// a second has.
#pragma once

#include <vector>

#include "io/voltages/vdif_header.hpp"

namespace tessera {

struct VdifThreads {
  VdifHeader first;          ///< of the first frame, with the earliest time among the first ones
  std::vector<int> threads;  ///< ascending
  long long frames_a_second = 0;  ///< 0: not known
};

/// Looks at frames of a few times; where the header says no rate, and the file is no pipe, further,
/// until a second ends. Throws Error(input) where the first frame is not whole.
VdifThreads find_vdif_threads(VoltageInput& input);

}  // namespace tessera
