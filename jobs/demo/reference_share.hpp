// SPDX-License-Identifier: Apache-2.0
/// How the result of a command with --check compares with the reference.
#pragma once

#include "report/json.hpp"

namespace tessera {

/// Rows of the image that were computed again, and the largest error divided by the allowed one.
struct ReferenceShare {
  int rows = 0, all_rows = 0;
  double share = 0;    ///< 0 if the result is exact
  bool right = false;  ///< rows were compared, and no pixel is outside the bound
};

/// Throws Error(failure) if the command was run without --check.
ReferenceShare reference_share(const Json& said);

}  // namespace tessera
