// SPDX-License-Identifier: Apache-2.0
#include "ops/correlate/study/c5_shared_rows.cuh"

namespace tessera {

TESSERA_SHIFT_ENTRY(shared_rows_together, shared_rows_sum<Layout::together, 1>)
TESSERA_SHIFT_ENTRY(shared_rows_separate, shared_rows_sum<Layout::separate, 1>)

}  // namespace tessera
