// SPDX-License-Identifier: Apache-2.0
// The knobs of convolve: the values that are tried, those that cannot fit, and those that are
// likely to be fast. A method that gets knobs is one more row of tunables().
#include "ops/convolve/tune/convolve_tunables.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ops/convolve/cuda/convolve_run_time.hpp"
#include "ops/convolve/tune/convolve_times.hpp"
#include "tune/knob_values.hpp"

namespace tessera {
namespace {

struct Tunable {
  std::string method;
  Backend backend;
  std::string site;
  std::vector<KnobValues> knobs;
  bool (*fits)(const KnobMap&, FilterSize filter);
  double (*cost)(const KnobMap&, FilterSize filter);  ///< relative; the lowest is tried first
};

/// Pixels read per pixel made, with tiles of width by height.
double halo(double width, double height, FilterSize filter) {
  return (width + filter.width - 1) * (height + filter.height - 1) / (width * height);
}

bool fits_always(const KnobMap&, FilterSize) { return true; }

// Rows of a piece are copied with their halo; a block should stay in the inner caches, and its
// columns are copied with their halo too.
double direct_cpu_cost(const KnobMap& k, FilterSize filter) {
  const double rows = k.at("piece_rows");
  const double columns =
      1024.0 * k.at("block_kilobytes") / 4 / (rows + filter.height - 1) - filter.width;
  return halo(std::max(columns, 256.0), rows, filter) + k.at("block_kilobytes") / 1024.0;
}

/// Shared memory of a block, for one channel and the worst alignment.
int tile_bytes_of(const KnobMap& k, int columns, int width, FilterSize filter, int run) {
  const int samples = width - columns + reach_of(columns, filter.width, 1, 3);
  return tile_bytes(samples, k.at("block_y") * k.at("rows") + filter.height - 1,
                    run > 0 ? run : samples);
}

/// More than a block of any device may have.
constexpr int kMostSharedBytes = 227 << 10;
/// Registers of a multiprocessor, and those a thread needs besides its sums.
constexpr int kRegisters = 65536, kOtherRegisters = 24;

bool registers_fit(const KnobMap& k, int sums) {
  return 32 * k.at("block_y") * k.at("min_blocks") * (sums + kOtherRegisters) <= kRegisters;
}

bool fixed_fits(const KnobMap& k, FilterSize filter) {
  const int columns = k.at("columns");
  return tile_bytes_of(k, columns, 32 * columns, filter, columns == 8 ? 32 : 0) <=
             kMostSharedBytes &&
         registers_fit(k, columns * k.at("rows")) &&
         (k.at("straight") == 0 || filter.width * filter.height <= 49);
}

bool separable_fits(const KnobMap& k, FilterSize filter) {
  return tile_bytes_of(k, 8, 128, filter, 32) <= kMostSharedBytes &&
         registers_fit(k, 4 * k.at("rows"));
}

/// Blocks per multiprocessor by shared memory: if there are only a few, none computes while others
/// load.
double crowd(int bytes, int threads) {
  return std::min(228.0 * 1024 / (bytes + 1024), 2048.0 / threads);
}

// The halo of a tile is read again, instructions that do not depend on the filter are shared by the
// sums of a thread, and few blocks hide little latency.
double fixed_cost(const KnobMap& k, FilterSize filter) {
  const int columns = k.at("columns"), threads = 32 * k.at("block_y");
  const double sums = columns * k.at("rows"), taps = filter.width * filter.height;
  const int bytes = tile_bytes_of(k, columns, 32 * columns, filter, columns == 8 ? 32 : 0);
  const bool wide = filter.width > 21 || taps > 256;
  // Reading through the cache is faster for the smallest filters only, and needs more blocks.
  const double straight = k.at("straight") * (taps <= 25 ? -0.2 : 0.05);
  return straight + 0.1 * halo(32.0 * columns, k.at("block_y") * k.at("rows"), filter) +
         60 / (sums * taps) + 0.2 / crowd(bytes, threads) +
         0.02 * std::abs(sums - (wide         ? 32
                                 : taps > 180 ? 8
                                              : 16)) +
         0.05 * std::abs(std::log2(threads * k.at("min_blocks") / 1024.0));
}

double separable_cost(const KnobMap& k, FilterSize filter) {
  const double rows = k.at("block_y") * k.at("rows");
  const int bytes = tile_bytes_of(k, 8, 128, filter, 32), threads = 32 * k.at("block_y");
  return (rows + filter.height - 1) / rows + 0.6 / k.at("rows") + 0.5 / crowd(bytes, threads) +
         0.05 * std::abs(std::log2(threads * k.at("min_blocks") / 768.0));
}

const std::vector<Tunable>& tunables() {
  static const std::vector<int> one_to_ten{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  static const std::vector<int> one_to_twenty{1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                              11, 12, 13, 14, 15, 16, 17, 18, 19, 20};
  static const std::vector<Tunable> list{
      {"direct",
       Backend::cpu,
       "convolve.direct-cpu@2",
       {{"piece_rows", 32, {8, 16, 32, 64}, {4, 8, 16, 32, 64, 128}, 1, 65536},
        {"block_kilobytes", 32, {16, 32, 64, 256}, {16, 32, 64, 128, 256, 512, 1024}, 1, 65536}},
       fits_always,
       direct_cpu_cost},
      {"direct",
       Backend::cuda,
       kDirectSite,
       {{"block_y", 8, {4, 8}, {1, 2, 4, 8, 16}, 1, 32},
        {"columns", 4, {4, 8}, {4, 8}, 4, 8},
        {"rows", 4, {2, 4, 6}, one_to_ten, 1, 16},
        {"min_blocks", 4, {2, 3, 4, 5, 8}, {1, 2, 3, 4, 5, 6, 8}, 1, 32},
        {"straight", 0, {0, 1}, {0, 1}, 0, 1}},
       fixed_fits,
       fixed_cost},
      {"separable",
       Backend::cuda,
       kSeparableSite,
       {{"block_y", 8, {8, 12, 16}, {2, 4, 8, 12, 16}, 1, 32},
        {"rows", 4, {4, 6, 8}, one_to_twenty, 1, 32},
        {"min_blocks", 4, {1, 2, 3, 4}, {1, 2, 3, 4, 6}, 1, 32}},
       separable_fits,
       separable_cost},
  };
  return list;
}

const Tunable* find_tunable_method(const ConvolveMethod& method) {
  for (const Tunable& tunable : tunables())
    if (tunable.method == method.name && tunable.backend == method.backend) return &tunable;
  return nullptr;
}

}  // namespace

std::vector<TunedSite> convolve_sites() {
  std::vector<TunedSite> sites{{kConvolveTimeSite, {{"fs", 1, std::numeric_limits<int>::max()}}}};
  for (const Tunable& tunable : tunables()) sites.push_back(site_of(tunable.site, tunable.knobs));
  return sites;
}

std::string convolve_site(const ConvolveMethod& method) {
  const Tunable* tunable = find_tunable_method(method);
  return tunable ? tunable->site : "";
}

std::vector<Knobs> convolve_candidates(const ConvolveMethod& method, FilterSize filter, bool full) {
  const Tunable* tunable = find_tunable_method(method);
  if (!tunable) return {};
  return knob_candidates(
      tunable->knobs, full, usual_values(tunable->knobs),
      [&](const KnobMap& k) { return tunable->fits(k, filter); },
      [&](const KnobMap& k) { return tunable->cost(k, filter); });
}

}  // namespace tessera
