// SPDX-License-Identifier: Apache-2.0
// The steps of large tiles against the circular sum they stand for, for every kind of length: the
// passes of powers of two, of 3 and of 5 times a power of two, in the cache and beyond it.
#include "ops/convolve/cpu/tile_fft.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <random>
#include <vector>

#include "tests/support/methods.hpp"

namespace tessera {
namespace {

using testing::all_ways;
using testing::ForcedIsa;
using testing::Way;

/// A weight of the filter, at column x and row y.
struct Tap {
  int x, y;
  double weight;
};

template <class T>
using Tile = std::vector<std::complex<T>>;

template <class T>
Tile<T> random_tile(int across, int down) {
  std::mt19937 random(3);
  std::uniform_real_distribution<T> value(-1, 1);
  Tile<T> tile(static_cast<std::size_t>(across) * down);
  for (auto& pixel : tile) pixel = {value(random), value(random)};
  return tile;
}

template <class T>
const LargeTileFft<T>& steps_of(const TileFft& fft) {
  if constexpr (std::is_same_v<T, double>)
    return fft.large_f64;
  else
    return fft.large_f32;
}

/// Slab by slab, as the runner does it: what load(x, y) gives becomes columns of the tile.
template <class T, class Load>
void transform_columns(const LargeTileFft<T>& steps, const LargeFftPair<T>& pair, Load load) {
  constexpr int kColumns = kSlabColumns<T>;
  std::vector<T> slab(static_cast<std::size_t>(kSlabRow<T>) * pair.down->length);
  for (int x = 0; x < pair.across->length; x += kColumns) {
    for (int y = 0; y < pair.down->length; ++y)
      for (int k = 0; k < kColumns; ++k) {
        const std::complex<T> pixel = load(x + k, y);
        slab[y * kSlabRow<T> + k] = pixel.real();
        slab[y * kSlabRow<T> + kColumns + k] = pixel.imag();
      }
    steps.columns(pair, x, slab.data());
  }
}

template <class T>
Tile<T> filtered(const Tile<T>& tile, const std::vector<Tap>& taps, int across, int down) {
  const TileFft fft = tile_fft();
  const LargeTileFft<T>& steps = steps_of<T>(fft);
  const FftAxis<T> x_axis(across, fft.most_radix), y_axis(down, fft.most_radix);
  std::vector<T> spectrum(2 * tile.size()), samples(2 * tile.size());
  const LargeFftPair<T> of_filter{&x_axis, &y_axis, spectrum.data()},
      pair{&x_axis, &y_axis, samples.data()};
  const int slabs = down / kSlabColumns<T>;
  transform_columns(steps, of_filter, [&](int x, int y) {
    double weight = 0;
    for (const Tap& tap : taps)
      if (tap.x == x && tap.y == y) weight += tap.weight / (1.0 * across * down);
    return std::complex<T>(static_cast<T>(weight), 0);
  });
  for (int s = 0; s < slabs; ++s) steps.spectrum(of_filter, s);
  transform_columns(steps, pair, [&](int x, int y) { return tile[1ULL * y * across + x]; });
  for (int s = 0; s < slabs; ++s) steps.filter(pair, s, spectrum.data());
  Tile<T> results(tile.size());
  std::vector<T> slab(static_cast<std::size_t>(kSlabRow<T>) * down);
  for (int x = 0; x < across; x += kSlabColumns<T>) {
    EXPECT_TRUE(steps.results(pair, x, down, slab.data()));
    for (int y = 0; y < down; ++y)
      for (int k = 0; k < kSlabColumns<T>; ++k)
        results[1ULL * y * across + x + k] = {slab[y * kSlabRow<T> + k],
                                              slab[y * kSlabRow<T> + kSlabColumns<T> + k]};
  }
  return results;
}

template <class T>
void check(int across, int down, double bound) {
  SCOPED_TRACE(::testing::Message() << across << "x" << down << " of " << sizeof(T) << " bytes");
  const std::vector<Tap> taps{{0, 0, 0.75},
                              {1, 0, -1.5},
                              {0, 1, 0.5},
                              {across / 3, down / 5, 1.25},
                              {across - 1, down - 1, -0.25}};
  const Tile<T> tile = random_tile<T>(across, down), results = filtered(tile, taps, across, down);
  double largest = 0;
  for (int y = 0; y < down; ++y)
    for (int x = 0; x < across; ++x) {
      std::complex<double> sum = 0;
      for (const Tap& tap : taps)
        sum += tap.weight * std::complex<double>(
                                tile[1ULL * ((y + tap.y) % down) * across + (x + tap.x) % across]);
      largest =
          std::max(largest, std::abs(sum - std::complex<double>(results[1ULL * y * across + x])));
    }
  EXPECT_LT(largest, bound);
  EXPECT_GT(largest, 0);
}

TEST(TileFft, StepsOfLargeTilesMakeTheCircularSum) {
  for (const Way& way : all_ways()) {
    if (way.backend != Backend::cpu) continue;
    const ForcedIsa forced(way.isa);
    SCOPED_TRACE(way.name());
    for (const int length : {16,  32,  48,  64,   80,   96,   128,  160,  192,  256,  320,  384,
                             512, 640, 768, 1024, 1280, 1536, 2048, 2560, 3072, 4096, 5120, 6144}) {
      check<float>(length, 16, 3e-6);
      check<float>(16, length, 3e-6);
      check<double>(length, 16, 6e-15);
      check<double>(16, length, 6e-15);
    }
    check<float>(80, 48, 3e-6);
    check<double>(96, 160, 6e-15);
  }
}

TEST(TileFft, ResultsThatAreNotFiniteAreSeenInTheRowsAskedFor) {
  const TileFft fft = tile_fft();
  const FftAxis<float> axis(16, fft.most_radix), down(48, fft.most_radix);
  std::vector<float> samples(2ULL * 16 * 48, 0), slab(1ULL * kSlabRow<float> * 48);
  samples[5] = std::numeric_limits<float>::infinity();
  EXPECT_FALSE(fft.large_f32.results({&axis, &down, samples.data()}, 0, 48, slab.data()));
  samples[5] = 1;
  EXPECT_TRUE(fft.large_f32.results({&axis, &down, samples.data()}, 0, 48, slab.data()));
}

}  // namespace
}  // namespace tessera
