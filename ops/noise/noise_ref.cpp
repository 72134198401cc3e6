// SPDX-License-Identifier: Apache-2.0
// The definition, pixel by pixel. If it and a fast path differ in a byte, the fast path is wrong.
// It has its own constants, so that an error in those that the others share is seen.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/rows.hpp"
#include "core/samples.hpp"
#include "core/stop.hpp"
#include "ops/noise/noise_problem.hpp"

namespace tessera {
namespace {

using Values = std::vector<double>;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

double quantile_of(const Values& sorted, QuantilePlace place) {
  const double low = sorted[static_cast<std::size_t>(place.index)];
  if (place.fraction == 0) return low;
  return between(low, sorted[static_cast<std::size_t>(place.index) + 1], place.fraction);
}
double median_of(Values values) {
  std::sort(values.begin(), values.end());
  return quantile_of(values, quantile_place(0.5, static_cast<int>(values.size())));
}

struct Moments {
  double mean = 0, deviation = 0;
};
Moments moments_of(const Values& values) {
  const auto count = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (const double v : values) sum += v;
  const double mean = sum / count;
  for (const double v : values) squares += (v - mean) * (v - mean);
  return {mean, std::sqrt(squares / count)};
}

/// Keeps the values within 3 deviations of the middle; false if that changes nothing, or would
/// leave none.
bool clip(Values& values, double middle, double deviation) {
  Values kept;
  for (const double v : values)
    if (middle - 3 * deviation < v && v < middle + 3 * deviation) kept.push_back(v);
  if (kept.empty() || kept.size() == values.size()) return false;
  values = kept;
  return true;
}

Values by_mad(const Values& values) {
  const double median = median_of(values);
  Values distances;
  for (const double v : values) distances.push_back(std::abs(v - median));
  return {median, 1.4826 * median_of(distances)};
}
Values by_clip(Values values) {
  Moments m = moments_of(values);
  for (int round = 0; round < 10 && clip(values, m.mean, m.deviation); ++round)
    m = moments_of(values);
  return {m.mean, m.deviation};
}
Values by_mode(Values values) {
  Moments m = moments_of(values);
  for (int round = 0; round < 100 && clip(values, median_of(values), m.deviation); ++round)
    m = moments_of(values);
  const double median = median_of(values);
  const bool agree = std::abs(m.mean - median) < 0.3 * m.deviation;
  return {agree ? 2.5 * median - 1.5 * m.mean : median, m.deviation};
}

/// A pixel's box: its valid values, row by row, and its number of pixels.
struct Box {
  Values values;
  int pixels = 0;
};

class Reference : public NoiseRunner {
 public:
  explicit Reference(const NoiseProblem& problem) : problem_(problem) {}
  std::string describe() const override { return "pixel by pixel, one thread"; }

  void run(const Piece& in, const MutablePiece& out, Stream&) const override {
    std::map<std::pair<int, int>, NoiseBins> tiles;
    for (int y = out.first_row; y < out.rows().end; ++y) {
      const auto rows = find_rows(problem_.operation, problem_.reads({y, y + 1}), in.rows(),
                                  problem_.image.size.height, problem_.border);
      for (int x = 0; x < out.view.size.width; ++x) {
        poll_stop();
        const std::pair<int, int> tile{x / kNoiseTile, y / kNoiseTile};
        if (problem_.mode == NoiseMode::binned && !tiles.contains(tile))
          tiles[tile] = noise_bins_of_tile(problem_, in, tile.first, tile.second);
        const Values maps = pixel(in.view, rows, x, tiles[tile]);
        for (int plane = 0; plane < std::ssize(maps); ++plane)
          store_sample(out.view, x, y - out.first_row, 0, plane,
                       with_one_nan(maps[static_cast<std::size_t>(plane)]));
      }
    }
  }

 private:
  /// `rows` says where in the view the row of each box row lies.
  Values pixel(const AnyView& in, const std::vector<int>& rows, int x,
               const NoiseBins& bins) const {
    const Values none(static_cast<std::size_t>(problem_.output.size.planes), kNan);
    const int own_row = rows[static_cast<std::size_t>(problem_.box.above())];
    if (!problem_.nomask && problem_.blanks(sample_at(in, x, own_row, 0, 0))) return none;
    const Box box = gather(in, rows, x);
    if (std::ssize(box.values) < problem_.least(box.pixels)) return none;
    switch (problem_.estimator) {
      case NoiseEstimator::mad:
        return by_mad(box.values);
      case NoiseEstimator::clip:
        return by_clip(box.values);
      case NoiseEstimator::mode:
        return by_mode(box.values);
      default:
        return planes_of(quantiles(box.values, bins));
    }
  }

  Box gather(const AnyView& in, const std::vector<int>& rows, int x) const {
    Box box;
    const auto take = [&](double v) {
      ++box.pixels;
      if (!problem_.blanks(v)) box.values.push_back(v == 0 ? 0.0 : v);
    };
    for (const int row : rows)
      for (int i = x - problem_.box.left(); i <= x + problem_.box.right(); ++i) {
        const int column = border_index(i, problem_.image.size.width, problem_.border);
        if (column != kNoPixel && row != kNoPixel)
          take(sample_at(in, column, row, 0, 0));
        else if (problem_.border == Border::constant)
          take(problem_.constant);
      }
    return box;
  }

  Values quantiles(Values values, const NoiseBins& bins) const {
    if (problem_.mode == NoiseMode::binned && bins.per_unit > 0) {
      const Values found = binned_quantiles(values, bins);
      if (!found.empty()) return found;
    }
    std::sort(values.begin(), values.end());
    Values found;
    for (const double order : problem_.orders)
      found.push_back(quantile_of(values, problem_.place(order, static_cast<int>(values.size()))));
    return found;
  }

  /// None when one of them falls into an end bin.
  Values binned_quantiles(const Values& values, const NoiseBins& bins) const {
    std::vector<int> counts(static_cast<std::size_t>(bins.count), 0);
    for (const double v : values) ++counts[static_cast<std::size_t>(bins.of(v))];
    Values found;
    for (const double order : problem_.orders) {
      const double h = order * static_cast<double>(values.size() - 1);
      const int index = static_cast<int>(h);
      int bin = 0, before = 0;
      while (before + counts[static_cast<std::size_t>(bin)] <= index)
        before += counts[static_cast<std::size_t>(bin++)];
      if (bin == 0 || bin == bins.count - 1) return {};
      found.push_back(bins.quantile(bin, h, before, counts[static_cast<std::size_t>(bin)]));
    }
    return found;
  }

  Values planes_of(const Values& quantiles) const {
    Values maps;
    for (const NoisePlane& plane : problem_.planes) {
      const double low = quantiles[static_cast<std::size_t>(plane.low)];
      maps.push_back(plane.high < 0
                         ? low
                         : (quantiles[static_cast<std::size_t>(plane.high)] - low) / plane.divisor);
    }
    return maps;
  }

  NoiseProblem problem_;
};

}  // namespace

NoiseRunnerPointer make_noise_reference(const NoiseProblem& problem) {
  return std::make_unique<Reference>(problem);
}

}  // namespace tessera
