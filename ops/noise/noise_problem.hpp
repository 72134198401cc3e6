// SPDX-License-Identifier: Apache-2.0
/// What the methods of noise see: the checked problem, and what they must make of it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/choice.hpp"
#include "core/plan_impl.hpp"
#include "ops/noise/noise_values.cuh"
#include "tessera/border.hpp"
#include "tessera/noise_options.hpp"
#include "tessera/stream.hpp"
#include "tessera/view.hpp"

namespace tessera {

static_assert(kMostNoiseOrders == kMostNoiseQuantiles);

/// A map: quantile `low` of the problem's, or (quantile high - quantile low) / divisor.
struct NoisePlane {
  int low = 0, high = -1;  ///< places in `orders`; high < 0: the quantile itself
  double divisor = 1;
};

struct NoiseProblem {
  const char* operation = "noise";  ///< for messages; "percentile_filter" too
  ImageInfo image, output;
  NoiseBox box;
  Border border = Border::inside;
  double constant = 0;  ///< with border constant (only percentile_filter)
  NoiseMode mode = NoiseMode::exact;
  NoiseEstimator estimator = NoiseEstimator::iqr;
  /// Ascending, 0 to 1; with `by_rank` percents, 0 to 100, and SciPy's rule. Empty for clip and
  /// mode. mad has only 0.5; its planes are background and noise nevertheless.
  std::vector<double> orders;
  bool by_rank = false;
  std::vector<NoisePlane> planes;  ///< one per plane of `output`, for iqr and quantiles
  int bins = 1024;
  NoiseBlanks blanks;
  bool nomask = false;
  bool all_count = false;  ///< one valid value is enough (percentile_filter)
  /// The noise is that of the image minus its background. `make` of a method never sees it set: the
  /// plan makes two runners instead (noise_two_pass.hpp).
  bool two_pass = false;
  int device = 0;  ///< where the CUDA methods run

  /// Valid values that a box with this number of pixels (inside the image, with border inside) must
  /// have.
  int least(int pixels) const { return all_count ? 1 : least_valid(pixels); }
  QuantilePlace place(double order, int n) const {
    return by_rank ? percentile_place(order, n) : quantile_place(order, n);
  }
  /// The box alone; mode binned reads more (row_step and needs of Noise).
  Rows reads(Rows out) const { return {out.first - box.above(), out.end + box.below()}; }
  /// Rows of whole tiles in mode binned, and their boxes; with two_pass the rows that both passes
  /// read.
  Rows needs(Rows out) const;
  /// From the first to the last of the image rows that replace `rows`.
  Rows rows_inside(Rows rows) const;
  /// With two_pass: the image rows whose background is subtracted for the noise of rows `out`.
  Rows difference_rows(Rows out) const;
  int row_step() const { return mode == NoiseMode::binned ? kNoiseTile : 1; }
};

using NoiseRunner = RowsRunner;

/// Points of a lattice: columns[i], rows[j] of the image.
struct NoiseLattice {
  std::vector<int> columns, rows;
};

/// The values of separate boxes, for all estimators: around pixels of an image or nodes of a grid.
class NoiseBoxes {
 public:
  virtual ~NoiseBoxes() = default;
  /// values[(plane * rows + row) * columns + column] in host memory, in double, NaN where a box has
  /// too few valid values; the blankness of the point itself does not matter. Returns when done.
  virtual void at(const Piece& in, const NoiseLattice& points, double* values,
                  Stream& stream) const = 0;
  virtual std::string describe() const = 0;
};

using NoiseMethod = Method<NoiseProblem, NoiseRunner>;
const std::vector<NoiseMethod>& noise_methods();

using NoiseRunnerPointer = std::unique_ptr<const NoiseRunner>;
NoiseRunnerPointer make_noise_reference(const NoiseProblem&);
NoiseRunnerPointer make_noise_boxes_cpu(const NoiseProblem&);
NoiseRunnerPointer make_noise_columns_cpu(const NoiseProblem&);
NoiseRunnerPointer make_noise_boxes_cuda(const NoiseProblem&);
NoiseRunnerPointer make_noise_warps_cuda(const NoiseProblem&);

using NoiseBoxesPointer = std::unique_ptr<const NoiseBoxes>;
NoiseBoxesPointer make_noise_points_cpu(const NoiseProblem&);
NoiseBoxesPointer make_noise_points_cuda(const NoiseProblem&);

/// The bins of a tile, whose column and row among tiles are given: by definition, from the rows of
/// a host piece. All backends make the same: low = m - 6 s, width = 12 s / bins, per_unit = bins /
/// (12 s).
NoiseBins noise_bins_of_tile(const NoiseProblem&, const Piece& in, int tile_column, int tile_row);

}  // namespace tessera
