// SPDX-License-Identifier: Apache-2.0
/// Makes a launch from a case and a shape.
#pragma once

#include "core/kernel.hpp"
#include "ops/convolve/study/convolve_case.hpp"
#include "ops/convolve/study/ladder_space.hpp"

namespace tessera {

/// One launch over the whole output; a block makes made_x by made_y pixels.
struct LadderLaunch {
  KernelName kernel;
  LadderShape shape;
  int made_x = 0, made_y = 0;
};

/// "" or why no block of a kernel fits the device: its tile, or its registers.
std::string why_no_block(const KernelName& name, const LadderShape& shape, Stream& stream);

/// Reads the padded image, weights in the constant bank. Absent if the tile does not fit.
PreparedRung ladder_rung(const ConvolveCase& problem, const LadderLaunch& launch, Stream& stream);

/// Rung 4 with this kernel and square blocks: absent if the filter leaves no thread any work.
PreparedRung one_element_rung(const ConvolveCase& problem, const KernelName& kernel, int block,
                              Stream& stream);

/// Rung 1: weights in global memory.
PreparedRung prepare_naive(const ConvolveCase& problem, Stream& stream);

/// Rungs whose shapes are compiled in at run time (ladder_compiled.cpp).
PreparedRung prepare_tile_unrolled(const ConvolveCase& problem, Stream& stream);
PreparedRung prepare_element_unrolled(const ConvolveCase& problem, Stream& stream);
PreparedRung prepare_unrolled(const ConvolveCase& problem, Stream& stream);
PreparedRung prepare_read_only(const ConvolveCase& problem, Stream& stream);
PreparedRung prepare_horizontal(const ConvolveCase& problem, Stream& stream);
PreparedRung prepare_vertical(const ConvolveCase& problem, Stream& stream);
PreparedRung prepare_both_passes(const ConvolveCase& problem, Stream& stream);

/// One candidate of a searched rung: absent if its block does not fit the device.
PreparedRung prepare_candidate(const ConvolveCase& problem, const SearchedRung& rung,
                               const LadderCandidate& candidate, Stream& stream);

}  // namespace tessera
