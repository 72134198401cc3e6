// SPDX-License-Identifier: Apache-2.0
// The paper's two unrolled forms are one kernel here. With 512 threads a block has (250, 4) shifts,
// 62 blocks and a half; with 250 threads (250, 2), 125 blocks.
#include "ops/correlate/study/c5_shared_rows.cuh"

namespace tessera {

TESSERA_SHIFT_ENTRY(unrolled_together, shared_rows_sum<Layout::together, 2>)

}  // namespace tessera
