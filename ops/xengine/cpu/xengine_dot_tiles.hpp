// SPDX-License-Identifier: Apache-2.0
/// Panels and int32 sums of some channels, while a block is added.
#pragma once

#include "ops/xengine/cpu/xengine_dot_kernel.hpp"
#include "ops/xengine/cpu/xengine_host.hpp"

namespace tessera {

constexpr long long tile_number(int row, int column) { return row * (row + 1LL) / 2 + column; }

/// Tiles are panels times panels, on and below the diagonal: tile (row, column) is number row (row
/// + 1) / 2 + column. Work is divided so that every output belongs to one piece of it.
class DotTiles {
 public:
  /// Memory for `channels` channels from `first_channel` on.
  DotTiles(const XEngineProblem& problem, const DotKernel& kernel, int first_channel, int channels,
           int threads);

  /// Adds samples [first, first + samples) of a block. At most kMostSamples between two flushes.
  void add(const VoltageBlock& block, long long first, long long samples);
  /// Adds the sums to [channel][triangular place][re, im] and starts again from zero.
  void flush(std::int64_t* sums);

  /// A multiple of every group and step, and below samples_in_int32.
  static constexpr int kMostSamples = 65024;

 private:
  struct Channel {
    std::uint32_t *columns, *rows, *turned;
    std::int32_t *tiles, *parts;  ///< parts: [input][re, im], sums of the samples
  };
  Channel channel(int c) const;
  void pack(const VoltageBlock& block, int c, long long first, int samples, int panel, int panels);
  void multiply(int c, int first_row, int rows);
  void flush_row(int c, int row, std::int64_t* sums) const;
  int steps(int samples) const;

  const XEngineProblem& problem_;
  const DotKernel& kernel_;
  int first_channel_, channels_, threads_;
  int panels_, chunk_;  ///< chunk: samples that are packed at a time
  long long panel_words_, packed_words_, tile_words_;
  long long padded_ = 0;  ///< samples including their padding since the last flush
  int steps_ = 0;         ///< of the chunk
  Scratch memory_;
};

}  // namespace tessera
