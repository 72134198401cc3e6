// SPDX-License-Identifier: Apache-2.0
/// How the tiles of adaptive equalisation cover an image, and where its tables are in a finding.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ops/enhance/clahe/enhance_clahe_math.cuh"
#include "ops/enhance/enhance_problem.hpp"

namespace tessera {

/// The purpose of a sweep. 8-bit images skip the first: their tiles count values, from which the
/// range and then the bins follow; tiles of others count bins.
enum class ClaheSweep : unsigned char { range, tiles, extremes };

struct ClaheShape {
  ClaheShape(const EnhanceProblem&, const EnhanceStage&);

  ClaheAxis across, down;
  bool wide;    ///< 16-bit samples and floats: tiles count bins
  bool floats;  ///< bins are computed; their range is not counted (ClaheFloatRange)
  Type type;
  int values, planes, groups;
  int channels;                       ///< of one group
  std::uint64_t tile_samples, limit;  ///< of a tile; the limit for its bins

  ClaheSweep kind(int sweep) const { return static_cast<ClaheSweep>(sweep + (wide ? 0 : 1)); }
  std::size_t counted(int sweep) const;  ///< values per sweep, plane and group
  std::size_t tiles() const { return static_cast<std::size_t>(across.tiles) * down.tiles; }

  /// A finding's curve has, for every plane and group: with 16 bits, the bin of each value; for
  /// every tile, in row order, 256 levels; the result for each level.
  std::size_t bins_size() const { return wide && !floats ? 65536 : 0; }
  std::size_t tiles_size() const { return tiles() * kClaheBins; }
  std::size_t curve_size() const { return bins_size() + tiles_size() + kClaheLevels; }
};

/// The range of floats as two numbers that every piece of rows raises: keys of the largest value,
/// and, inverted, of the smallest one. 0: no finite value was seen.
struct ClaheFloatRange {
  static constexpr std::size_t kNumbers = 2;
  static void widen(std::uint64_t* numbers, double low, double high);
  static FloatLimits limits(const std::uint64_t* numbers);
};

/// How floats become bins. Values are compared with low and high first, so infinities become the
/// first or the last bin, and NaN the first.
struct ClaheScale {
  ClaheScale() = default;
  ClaheScale(double low, double high, Type type);

  double low = 0, high = 1;
  /// Values are first rounded to 65536 steps from 0 to 1, in their own type, as scikit-image does.
  bool rounded = false;
  /// A level is (x scale - first) / range times 16383, in double and rounded to nearest even; x is
  /// the value or, if `rounded`, its step.
  double scale = 1, first = 0, range = 1;
};

/// A plane and group of channels, and its tables.
struct ClaheGroup {
  ClaheGroup(const ClaheShape& shape, const StageFinding& finding, int plane, int group);

  int plane, first_channel;
  bool flat;  ///< a single value: the image stays as it is; true before the range is known
  const std::uint16_t *bins = nullptr, *tiles = nullptr, *results = nullptr;
  ClaheScale scale;  ///< floats
};

/// A tile's curve of 256 levels from its bins' counts, which are clipped in place.
void make_clahe_curve(std::uint64_t* bins, std::uint64_t samples, std::uint64_t limit,
                      std::uint16_t* curve);

}  // namespace tessera
