// SPDX-License-Identifier: Apache-2.0
// Turns the results of adaptive equalisation's sweeps into tables.
#include <algorithm>
#include <array>
#include <numeric>
#include <span>

#include "core/parallel.hpp"
#include "ops/enhance/clahe/enhance_clahe.hpp"
#include "ops/enhance/clahe/enhance_clahe_shape.hpp"

namespace tessera {
namespace {

using Counts = std::span<const std::uint64_t>;

struct Levels {
  int low = -1, high = -1;
};

Levels range_of(Counts counts) {
  const auto seen = [](std::uint64_t count) { return count > 0; };
  const auto first = std::find_if(counts.begin(), counts.end(), seen);
  if (first == counts.end()) return {};
  const auto last = std::find_if(counts.rbegin(), counts.rend(), seen);
  return {static_cast<int>(first - counts.begin()), static_cast<int>(counts.rend() - last) - 1};
}

/// The range of the values counted by the tiles of an 8-bit image.
Levels range_of_tiles(Counts counts) {
  std::array<std::uint64_t, kClaheBins> sum{};
  for (std::size_t k = 0; k < counts.size(); ++k) sum[k % kClaheBins] += counts[k];
  return range_of(sum);
}

/// Hands out the remainder one by one: each round gives to every `step`-th of the bins that have
/// room, from `first` on. Rounds are always completed, so the last one may give out slightly more
/// than there is.
std::int64_t hand_out(std::uint64_t* bins, std::uint64_t limit, int first, std::int64_t excess) {
  const auto room =
      std::count_if(bins, bins + kClaheBins, [&](std::uint64_t bin) { return bin < limit; });
  const auto step = std::max<std::int64_t>(1, room / excess);
  for (std::int64_t k = first; k < kClaheBins; k += step)
    if (bins[k] < limit) {
      ++bins[k];
      --excess;
    }
  return excess;
}

/// Bins give up their counts above the limit. Each takes an equal share of these; a bin with less
/// room than a share is filled up, although that may use more than there is.
void clip(std::uint64_t* bins, std::uint64_t limit) {
  const auto most = static_cast<std::int64_t>(limit);
  std::int64_t excess = 0;
  for (int k = 0; k < kClaheBins; ++k)
    if (bins[k] > limit) {
      excess += static_cast<std::int64_t>(bins[k] - limit);
      bins[k] = limit;
    }
  const std::int64_t share = excess / kClaheBins;
  for (int k = 0; k < kClaheBins; ++k) {
    const auto before = static_cast<std::int64_t>(bins[k]);
    std::int64_t bin = before;
    if (bin < most - share) bin += share;
    if (bin >= most - share) bin = most;
    excess -= bin - before;
    bins[k] = static_cast<std::uint64_t>(bin);
  }
  for (std::int64_t before = -1; excess > 0 && excess != before;) {
    before = excess;
    for (int first = 0; first < kClaheBins && excess > 0; ++first)
      excess = hand_out(bins, limit, first, excess);
  }
}

using Bins = std::array<std::size_t, kClaheBins>;

/// The bin of everything that tiles count: of values in 8-bit images; others count bins.
Bins bins_of(const ClaheShape& shape, Levels range) {
  Bins bins;
  for (int k = 0; k < kClaheBins; ++k)
    bins[static_cast<std::size_t>(k)] = static_cast<std::size_t>(
        shape.wide ? k : clahe_bin(std::clamp(k, range.low, range.high), range.low, range.high));
  return bins;
}

void make_tile(const ClaheShape& shape, const Bins& bin_of, Counts counted, std::uint16_t* curve) {
  std::array<std::uint64_t, kClaheBins> bins{};
  for (std::size_t k = 0; k < kClaheBins; ++k) bins[bin_of[k]] += counted[k];
  std::array<std::uint16_t, kClaheBins> levels;
  make_clahe_curve(bins.data(), shape.tile_samples, shape.limit, levels.data());
  for (std::size_t k = 0; k < kClaheBins; ++k) curve[k] = levels[bin_of[k]];
}

/// A tile takes a few microseconds, and waking a thread longer than that.
constexpr int kTilesPerPart = 8;

void make_tiles(const ClaheShape& shape, const Bins& bin_of, Counts counted, std::uint16_t* curves,
                int threads) {
  const Rows all{0, static_cast<int>(shape.tiles())};
  parallel_for(piece_count(all, kTilesPerPart), threads, [&](int part) {
    const Rows tiles = piece_at(all, kTilesPerPart, part);
    for (int tile = tiles.first; tile < tiles.end; ++tile) {
      const std::size_t first = static_cast<std::size_t>(tile) * kClaheBins;
      make_tile(shape, bin_of, counted.subspan(first, kClaheBins), curves + first);
    }
  });
}

}  // namespace

void make_clahe_curve(std::uint64_t* bins, std::uint64_t samples, std::uint64_t limit,
                      std::uint16_t* curve) {
  clip(bins, limit);
  std::uint64_t sum = 0;
  for (int k = 0; k < kClaheBins; ++k) curve[k] = clahe_curve(sum += bins[k], samples);
}

namespace {

/// The result of the first sweep over floats: `low` and `high` only say whether there is a range.
void find_float_range(const std::uint64_t* numbers, std::size_t g, StageFinding& finding) {
  finding.limits[g] = ClaheFloatRange::limits(numbers);
  finding.low[g] = finding.limits[g].none ? -1 : 0;
  finding.high[g] = finding.limits[g].none ? -1 : kClaheMost;
}

/// That of the last sweep: the levels that become the smallest and the largest result.
void stretch_levels(const ClaheShape& shape, Levels levels, FloatLimits* limits,
                    std::uint16_t* results) {
  if (shape.floats) {
    limits->first_level = levels.low;
    limits->last_level = levels.high;
    return;
  }
  for (int k = levels.low; k <= levels.high; ++k)
    results[k] =
        static_cast<std::uint16_t>(clahe_stretched(k, levels.low, levels.high, shape.values - 1));
}

}  // namespace

void clahe_finish(const EnhanceProblem& p, const EnhanceStage& stage, int sweep,
                  StageFinding& finding, int threads) {
  const ClaheShape shape(p, stage);
  const auto groups = static_cast<std::size_t>(shape.planes) * shape.groups;
  finding.curve.resize(groups * shape.curve_size());
  finding.low.resize(groups, -1);
  finding.high.resize(groups, -1);
  if (shape.floats) finding.limits.resize(groups);
  const ClaheSweep kind = shape.kind(sweep);
  for (std::size_t g = 0; g < groups; ++g) {
    const std::size_t size = shape.counted(sweep);
    const Counts counts(finding.sweeps[static_cast<std::size_t>(sweep)].values.data() + g * size,
                        size);
    std::uint16_t* tables = finding.curve.data() + g * shape.curve_size();
    if (shape.floats && kind == ClaheSweep::range) {
      find_float_range(counts.data(), g, finding);
      continue;
    }
    if (kind == ClaheSweep::range || (kind == ClaheSweep::tiles && !shape.wide)) {
      const Levels range = shape.wide ? range_of(counts) : range_of_tiles(counts);
      finding.low[g] = range.low < range.high ? range.low : -1;
      finding.high[g] = range.low < range.high ? range.high : -1;
    }
    const Levels range{finding.low[g], finding.high[g]};
    if (range.low < 0) continue;
    if (kind == ClaheSweep::range)
      for (int v = range.low; v <= range.high; ++v)
        tables[v] = static_cast<std::uint16_t>(clahe_bin(v, range.low, range.high));
    tables += shape.bins_size();
    if (kind == ClaheSweep::tiles) {
      make_tiles(shape, bins_of(shape, range), counts, tables, threads);
    }
    tables += shape.tiles_size();
    if (kind == ClaheSweep::extremes)
      stretch_levels(shape, range_of(counts), shape.floats ? &finding.limits[g] : nullptr, tables);
  }
}

}  // namespace tessera
