// SPDX-License-Identifier: Apache-2.0
/// The paper's program for multi-core CPUs.
#pragma once

namespace tessera {

/// `pixels` holds four samples a pixel, aligned to 16 bytes; `map` is shifts by shifts.
void correlate_simd(const float* pixels, int side, int shifts, int threads, float* map);

}  // namespace tessera
