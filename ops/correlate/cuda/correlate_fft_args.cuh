// SPDX-License-Identifier: Apache-2.0
// Arguments of the FFT kernels of correlate.
#pragma once

#include "core/cuda/line_fft_args.cuh"
#include "ops/correlate/cuda/correlate_args.cuh"

namespace tessera {

/// Planes that are transformed together, as real and imaginary part; -1: nothing.
struct PackedPlanes {
  int re, im;
};

/// Lines that a block of each kernel transforms at once.
struct CorrelateFftKnobs {
  int rows = 4;         ///< rows of an image
  int columns = 2;      ///< columns whose powers it computes; as many mirrored ones come with them
  int result_rows = 2;  ///< pairs of a map's rows
};

/// Distance between columns of powers in shared memory: a warp's values lie in different banks.
TESSERA_BOTH constexpr int powers_pitch(const LineShape& s) { return s.length + 32 / s.lines; }

struct CorrelateFftArgs : CorrelateArgs {
  CorrelateFftKnobs knobs;
  int across, down;                            ///< lengths of rows and columns
  LinePasses across_passes, down_passes;       ///< for kernels for any length
  const LineValue *across_turns, *down_turns;  ///< exp(-2 pi i k / length)
  const PackedPlanes* packed;                  ///< for each map, or for all planes
  const int* packed_begin;                     ///< the first of each map, and the number
  int packed_count;
  int* found;            ///< not_finite, to be written: one slot for each block of rows
  LineValue* rows;       ///< of packed planes, transformed: across x height each
  LineValue* spectra;    ///< of packed planes: across x down each
  LineValue* half_rows;  ///< of maps, their columns transformed back: half_across x shifts_y each
  int half_across;       ///< across / 2 + 1: the others mirror them
  float in_factor;       ///< a power of two, so that squares overflow only if the sums do
  double out_factor;
};

}  // namespace tessera
