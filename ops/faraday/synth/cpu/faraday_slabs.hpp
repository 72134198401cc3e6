// SPDX-License-Identifier: Apache-2.0
/// The NUFFT on the CPU: slabs of 16 pixels, the lanes; the data that the plan prepares and a run
/// passes on.
///
/// The transform of M = classes * points cells is cut by frequency: class q has the frequencies
/// classes * k + q, and with m = cell modulo points
///
///     B(classes k + q) = sum over m of exp(-2 pi i k m / points) *
///                        sum over its cells of exp(-2 pi i q cell / M) b(cell):
///
/// cells that are not zero are multiplied by their phase and folded into `points` rows, and a
/// transform of a power of two does the rest in the first-level cache. So M need not be a power of
/// two, and cells that are zero (three of four with 5 depths per width of the RMSF) cost nothing.
#pragma once

#include <vector>

#include "core/fft_axis.hpp"
#include "ops/faraday/synth/cpu/faraday_pack.hpp"
#include "ops/faraday/synth/faraday_nufft.hpp"

namespace tessera {

inline constexpr int kFaradaySlab = kSlabColumns<float>;

struct FaradaySlabShape {
  int classes = 0, points = 0;
  int grid() const { return classes * points; }
};

/// The shape that should be fastest.
FaradaySlabShape faraday_slab_shape(const FaradayAxes& axes);
/// The estimated time of a slab on a core of a Neoverse N1.
double faraday_slab_nanoseconds(const FaradayAxes& axes, FaradaySlabShape shape);

struct FaradaySlabPlan {
  FaradaySlabPlan(const FaradayAxes& axes, const FaradayUsed& used, FaradaySlabShape shape,
                  int most_radix);

  /// A channel's contribution to a cell.
  struct Part {
    int channel;
    float weight;
  };
  /// Where a row of a transform goes: rows that are not wanted go to the depth after the last.
  struct Result {
    int depth;
    float correction;
  };

  int channels, depths, cells, first_row;
  FaradaySlabShape shape;
  FftAxis<float> axis;
  std::vector<float> turns;     ///< per used channel: re, im
  std::vector<int> parts_end;   ///< per cell: where its parts end in the list of all
  std::vector<Part> parts;      ///< cell by cell
  std::vector<float> factors;   ///< class by class, per cell: re, im
  std::vector<Result> results;  ///< class by class, per row of the transform
  double error;                 ///< of the kernel
  int width;
};

/// A slab of packed pixels, the destination of its results, and scratch memory: rows of kSlabRow
/// samples.
struct FaradaySlab {
  const float* pixels;  ///< Q of the first channel
  float* results;  ///< real part of the first depth; there is room for one more depth than wanted
  long long row, second;  ///< distances in both: to the next channel or depth; to U or imaginary
  float *turned, *cells, *points;  ///< rows for channels, cells and points
};

using FaradaySlabFunction = void (*)(const FaradaySlabPlan&, const FaradaySlab&);
struct FaradaySlabWay {
  int most_radix;  ///< for the plan
  FaradaySlabFunction run;
};
/// For this CPU's best (or the forced) SIMD target.
FaradaySlabWay faraday_slab_way();

}  // namespace tessera
