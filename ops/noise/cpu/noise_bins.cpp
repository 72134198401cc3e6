// SPDX-License-Identifier: Apache-2.0
// The bins of a tile, by definition: the middle and spread of some of the pixels in and around it.
#include <algorithm>
#include <cmath>

#include "core/rows.hpp"
#include "core/samples.hpp"
#include "ops/noise/noise_problem.hpp"

namespace tessera {
namespace {

/// Pixels of the image in and around a tile.
struct Surroundings {
  Rows columns, rows;
};

Surroundings surroundings(const NoiseProblem& p, int tile_column, int tile_row) {
  const auto side = [](int tile, int before, int after, int size) {
    return Rows{std::max(0, tile * kNoiseTile - before),
                std::min(size, (tile + 1) * kNoiseTile + after)};
  };
  return {side(tile_column, p.box.left(), p.box.right(), p.image.size.width),
          side(tile_row, p.box.above(), p.box.below(), p.image.size.height)};
}

std::vector<double> valid_values(const NoiseProblem& p, const Piece& in, const Surroundings& about,
                                 int step) {
  const auto first = [&](int from) { return (from + step - 1) / step * step; };
  std::vector<double> values;
  for (int y = first(about.rows.first); y < about.rows.end; y += step)
    for (int x = first(about.columns.first); x < about.columns.end; x += step) {
      const double value = sample_at(in.view, x, y - in.first_row, 0, 0);
      if (!p.blanks(value)) values.push_back(value == 0 ? 0 : value);
    }
  return values;
}

double quantile_of(std::vector<double>& values, double order) {
  const QuantilePlace place = quantile_place(order, static_cast<int>(values.size()));
  const auto low = values.begin() + place.index;
  std::nth_element(values.begin(), low, values.end());
  return between(*low, place.fraction == 0 ? *low : *std::min_element(low + 1, values.end()),
                 place.fraction);
}

}  // namespace

NoiseBins noise_bins_of_tile(const NoiseProblem& p, const Piece& in, int tile_column,
                             int tile_row) {
  const Surroundings about = surroundings(p, tile_column, tile_row);
  find_rows(p.operation, about.rows, in.rows(), p.image.size.height, p.border);  // or throws
  std::vector<double> values = valid_values(p, in, about, kNoiseRangeStep);
  if (std::ssize(values) < kEnoughForNoiseRange) values = valid_values(p, in, about, 1);
  NoiseBins bins{0, 0, 0, p.bins};
  if (values.empty()) return bins;
  const double middle = quantile_of(values, 0.5);
  const double sigma = (quantile_of(values, 0.75) - quantile_of(values, 0.25)) / kQuartilesToSigma;
  const double range = kNoiseRangeSigmas * sigma;
  const NoiseBins found{middle - range / 2, range / p.bins, p.bins / range, p.bins};
  // Without spread, or near the limits of a double, there is nothing to divide by.
  if (std::isfinite(found.low) && std::isnormal(found.width) && std::isnormal(found.per_unit))
    bins = found;
  return bins;
}

}  // namespace tessera
