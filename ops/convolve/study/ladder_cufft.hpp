// SPDX-License-Identifier: Apache-2.0
/// The rung that the paper compares with in section 7: cuFFT on planes padded as there.
#pragma once

#include "ops/convolve/study/convolve_case.hpp"

namespace tessera {

/// Sides up to 1024 become the next power of two, larger ones the next multiple of 512.
int cufft_padded(int side);

/// The filter is transformed once, before the clock runs; the image is padded, transformed,
/// multiplied and transformed back in every run.
PreparedRung prepare_cufft(const ConvolveCase& problem, Stream& stream);

}  // namespace tessera
