// SPDX-License-Identifier: Apache-2.0
/// The NUFFT on the CPU: slabs of 16 pixels, the lanes; what the plan prepares and a run hands
/// over.
///
/// The transform of M = classes * points cells is cut by frequency: class q has the frequencies
/// classes * k + q, and with m = cell modulo points
///
///     B(classes k + q) = sum over m of exp(-2 pi i k m / points) *
///                        sum over its cells of exp(-2 pi i q cell / M) b(cell):
///
/// cells that are not zero are turned and folded into `points` rows, and a transform of a power of
/// two does the rest in the first-level cache. So M need be no power of two, and cells that are
/// zero, three of four where depths are 5 to a width of the RMSF, cost nothing.
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

/// The shape that should take least time.
FaradaySlabShape faraday_slab_shape(const FaradayAxes& axes);
/// What a slab should take on a core of a Neoverse N1.
double faraday_slab_nanoseconds(const FaradayAxes& axes, FaradaySlabShape shape);

struct FaradaySlabPlan {
  FaradaySlabPlan(const FaradayAxes& axes, const FaradayUsed& used, FaradaySlabShape shape,
                  int most_radix);

  /// A channel's part of a cell.
  struct Part {
    int channel;
    float weight;
  };
  /// Where a row of a transform goes: rows that nobody wants go to the depth after the last.
  struct Result {
    int depth;
    float correction;
  };

  int channels, depths, cells, first_row;
  FaradaySlabShape shape;
  FftAxis<float> axis;
  std::vector<float> turns;     ///< a channel that is used: re, im
  std::vector<int> parts_end;   ///< a cell: where its parts end in the list of all
  std::vector<Part> parts;      ///< cell by cell
  std::vector<float> factors;   ///< class by class, a cell: re, im
  std::vector<Result> results;  ///< class by class, a row of the transform
  double error;                 ///< of the kernel
  int width;
};

/// A slab of packed pixels, where its results go, and memory to work in: rows of kSlabRow samples.
struct FaradaySlab {
  const float* pixels;    ///< Q of the first channel
  float* results;         ///< real part of the first depth; a depth more than there are
  long long row, second;  ///< steps of both: to the next channel or depth; to U or imaginary
  float *turned, *cells, *points;  ///< channels, cells and points of them
};

using FaradaySlabFunction = void (*)(const FaradaySlabPlan&, const FaradaySlab&);
struct FaradaySlabWay {
  int most_radix;  ///< what the plan needs
  FaradaySlabFunction run;
};
/// For this CPU's best (or the forced) SIMD target.
FaradaySlabWay faraday_slab_way();

}  // namespace tessera
