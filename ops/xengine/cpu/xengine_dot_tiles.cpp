// SPDX-License-Identifier: Apache-2.0
#include "ops/xengine/cpu/xengine_dot_tiles.hpp"

#include <algorithm>

#include "core/parallel.hpp"
#include "core/pools.hpp"
#include "ops/xengine/cpu/xengine_dot_words.hpp"

namespace tessera {
namespace {

/// Samples multiplied at a time: columns of 512 inputs, half a megabyte, stay in a level-2 cache. A
/// thread that works alone packs that many. Threads that work together pack more at a time and wait
/// for each other less often: when other programs use the CPU too, waiting takes the most time.
constexpr int kChunk = 512, kTogether = 8 * kChunk;
/// Panels a thread packs at a time, and rows of tiles that share columns while they are in the
/// cache.
constexpr int kBand = 8;

constexpr long long round_up(long long value, long long step) {
  return (value + step - 1) / step * step;
}

}  // namespace

DotTiles::DotTiles(const XEngineProblem& problem, const DotKernel& kernel, int first_channel,
                   int channels, int threads)
    : problem_(problem),
      kernel_(kernel),
      first_channel_(first_channel),
      channels_(channels),
      threads_(threads),
      panels_((problem.shape.inputs() + kernel.panel - 1) / kernel.panel),
      chunk_(threads == 1 ? kChunk : kTogether) {
  panel_words_ = chunk_ / 2LL * kernel.panel;
  packed_words_ = panel_words_ * panels_;
  tile_words_ = 2LL * kernel.panel * kernel.panel;
  const long long words = packed_words_ * (kernel.own_rows ? 3 : 2) +
                          tile_words_ * tile_number(panels_, 0) + 2LL * panels_ * kernel.panel;
  memory_ = host_scratch(static_cast<std::size_t>(words * 4 * channels));
}

DotTiles::Channel DotTiles::channel(int c) const {
  const long long tiles = tile_words_ * tile_number(panels_, 0);
  const long long parts = 2LL * panels_ * kernel_.panel;
  const int packed = kernel_.own_rows ? 3 : 2;
  Channel at{};
  at.columns = memory_.as<std::uint32_t>() + c * (packed_words_ * packed + tiles + parts);
  at.turned = at.columns + packed_words_;
  at.rows = kernel_.own_rows ? at.turned + packed_words_ : at.columns;
  at.tiles = reinterpret_cast<std::int32_t*>(at.columns + packed * packed_words_);
  at.parts = at.tiles + tiles;
  return at;
}

int DotTiles::steps(int samples) const {
  return static_cast<int>(round_up((samples + 1) / 2, kernel_.whole_steps));
}

void DotTiles::add(const VoltageBlock& block, long long first, long long samples) {
  // A thread that works alone takes bands, whose columns it finds in its cache again; threads that
  // work together take single rows of tiles, of which there are more, the longest first.
  const int band = threads_ == 1 ? kBand : 1;
  const int groups = (panels_ + kBand - 1) / kBand, bands = (panels_ + band - 1) / band;
  for (long long t = 0; t < samples; t += chunk_) {
    const int now = static_cast<int>(std::min<long long>(chunk_, samples - t));
    steps_ = steps(now);
    parallel_for(channels_ * groups, threads_, [&](int i) {
      const int panel = i % groups * kBand;
      pack(block, i / groups, first + t, now, panel, std::min(kBand, panels_ - panel));
    });
    parallel_for(channels_ * bands, threads_, [&](int i) {
      const int row = (bands - 1 - i / channels_) * band;
      multiply(i % channels_, row, std::min(band, panels_ - row));
    });
    padded_ += 2LL * steps_;
  }
}

void DotTiles::pack(const VoltageBlock& block, int c, long long first, int samples, int panel,
                    int panels) {
  const Channel at = channel(c);
  const DotStretch stretch{first_channel_ + c, first, samples, steps_,
                           kernel_.panel,      panel, panels};
  gather_words(problem_, block, stretch, at.columns + panel * panel_words_, panel_words_);
  if (padded_ == 0)
    std::fill_n(at.parts + 2LL * panel * kernel_.panel, 2LL * panels * kernel_.panel, 0);
  for (int p = panel; p < panel + panels; ++p) {
    const long long words = p * panel_words_;
    kernel_.arrange(at.columns + words, at.rows + words, at.turned + words, steps_,
                    at.parts + 2LL * p * kernel_.panel);
  }
}

void DotTiles::multiply(int c, int first_row, int rows) {
  const Channel at = channel(c);
  const long long before = tile_words_ * tile_number(first_row, 0);
  if (padded_ == 0)
    std::fill_n(at.tiles + before, tile_words_ * tile_number(first_row + rows, 0) - before, 0);
  for (int step = 0; step < steps_; step += kChunk / 2) {
    const long long words = 1LL * step * kernel_.panel;
    const DotPanels panels{at.columns + words, at.rows + words, at.turned + words, panel_words_,
                           std::min(kChunk / 2, steps_ - step)};
    for (int column = 0; column < first_row + rows; column += kBand)
      for (int row = std::max(first_row, column); row < first_row + rows; ++row)
        kernel_.multiply(panels, row, column, std::min(kBand, row + 1 - column),
                         at.tiles + tile_words_ * tile_number(row, column));
  }
}

}  // namespace tessera
