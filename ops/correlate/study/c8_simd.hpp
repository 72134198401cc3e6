// SPDX-License-Identifier: Apache-2.0
/// The paper's program for multi-core CPUs.
#pragma once

namespace tessera {

/// `pixels` holds four samples per pixel, aligned to 16 bytes; `map` has `shifts` by `shifts`
/// values.
void correlate_simd(const float* pixels, int side, int shifts, int threads, float* map);
/// The same on threads that start now and end with the work, as by pthreads.
void correlate_simd_on_new_threads(const float* pixels, int side, int shifts, int threads,
                                   float* map);

}  // namespace tessera
