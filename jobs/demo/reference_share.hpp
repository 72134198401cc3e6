// SPDX-License-Identifier: Apache-2.0
/// What a command with --check said of its result beside the reference.
#pragma once

#include "report/json.hpp"

namespace tessera {

/// Rows of the image that were computed again, and the largest error over the one allowed there.
struct ReferenceShare {
  int rows = 0, all_rows = 0;
  double share = 0;    ///< 0 where the result is exact
  bool right = false;  ///< rows were compared, and no pixel is outside the bound
};

/// Throws Error(failure) where the command was run without --check.
ReferenceShare reference_share(const Json& said);

}  // namespace tessera
