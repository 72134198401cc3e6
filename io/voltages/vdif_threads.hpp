// SPDX-License-Identifier: Apache-2.0
/// Facts about a VDIF recording that follow from its first frames: the threads and the frames per
/// second.
#pragma once

#include <vector>

#include "io/voltages/vdif_header.hpp"

namespace tessera {

struct VdifThreads {
  VdifHeader first;          ///< of the first frame, with the earliest time among the first frames
  std::vector<int> threads;  ///< ascending
  long long frames_a_second = 0;  ///< 0: not known
};

/// Reads frames of a few times; if the header gives no rate and the file is not a pipe, it reads on
/// until a second ends. Throws Error(input) if the first frame is not whole.
VdifThreads find_vdif_threads(VoltageInput& input);

}  // namespace tessera
