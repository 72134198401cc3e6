// SPDX-License-Identifier: Apache-2.0
// The direct method on the CPU: blocks of rows and columns that stay in the first-level cache, one
// thread each. A block copies its pixels, borders and conversions included, into rows of the sums'
// type. From there on all rows are plain: the SIMD part (convolve_direct_simd.cpp) need not handle
// borders, types or steps.
#include "ops/convolve/cpu/convolve_direct_cpu.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/isa.hpp"
#include "core/parallel.hpp"
#include "core/pools.hpp"
#include "ops/convolve/inside_prefix.hpp"
#include "ops/convolve/parts/packed_weights.hpp"
#include "tune/table.hpp"

namespace tessera {
namespace {

/// Knobs: they change no bit of the result.
struct DirectCpuKnobs {
  int piece_rows = 32;       ///< rows a thread takes at once
  int block_kilobytes = 32;  ///< padded pixels per block: half of the first-level cache
};

class DirectCpu : public ConvolveDirectCpu {
 public:
  explicit DirectCpu(const ConvolveProblem& problem)
      : problem_(problem), prefix_(inside_prefix(problem)) {
    apply_isa_environment();
    isa_ = current_isa();
    block_ = direct_block_function(problem_);
    const Knobs tuned =
        find_knobs("convolve.direct-cpu@2", problem_key(problem_), cpu_table_name());
    knobs_.piece_rows = tuned.get("piece_rows", knobs_.piece_rows);
    knobs_.block_kilobytes = tuned.get("block_kilobytes", knobs_.block_kilobytes);
    if (problem.sums == Type::f64)
      pack_weights(problem.weights, problem.filter_width, problem.filter_height, weights_f64_);
    else
      pack_weights(problem.weights, problem.filter_width, problem.filter_height, weights_f32_);
  }

  std::string describe() const override {
    return fmt::format("{}, {} rows per piece", isa_, knobs_.piece_rows);
  }

  void run(const Piece& in, const MutablePiece& out, Stream& stream) const override {
    const int width = out.view.size.width;
    const int chunk = chunk_columns(out.view.size, knobs_.piece_rows, kTileSamples);
    const int chunks = (width + chunk - 1) / chunk;
    for_pieces(out.rows(), knobs_.piece_rows, out.view.size.planes * chunks, stream,
               [&](int part, Rows rows) {
                 const int first = part % chunks * chunk;
                 run_part(in, out, part / chunks, rows, first, std::min(chunk, width - first));
               });
  }

  void run_part(const Piece& in, const MutablePiece& out, int plane, Rows rows, int first_column,
                int part_columns) const override {
    const auto addresses = needed_rows(problem_, in, plane, rows);
    DirectBlock block{};
    block.problem = &problem_;
    block.weights = problem_.sums == Type::f64 ? static_cast<const void*>(weights_f64_.data())
                                               : weights_f32_.data();
    block.prefix = prefix_.empty() ? nullptr : prefix_.data();
    block.in_rows = addresses.data();
    place_block(block, in, out, plane, rows);
    run_blocks(block, static_cast<int>(addresses.size()), first_column, part_columns);
  }

 private:
  void run_blocks(DirectBlock& block, int needed, int first_column, int part_columns) const {
    const long long channels = problem_.image.size.channels;
    const auto sample = static_cast<std::size_t>(bytes_of(problem_.sums));
    const int ring = problem_.filter_height + kTileRows - 1, apron = problem_.filter_width - 1;
    const long long column_bytes = static_cast<long long>(sample) * channels * ring;
    const int columns = block_columns(1024LL * knobs_.block_kilobytes - apron * column_bytes,
                                      column_bytes, part_columns);
    const std::size_t row_bytes =
        spread_bytes(sample * ((columns + apron) * channels + kVectorSlack));
    const Scratch padded = host_scratch(row_bytes * ring);
    // Slack is read as pixels of sums that are discarded: it must hold ordinary numbers that do not
    // trap.
    std::fill_n(padded.as<unsigned char>(), padded.bytes(), static_cast<unsigned char>(0));
    std::vector<void*> starts(static_cast<std::size_t>(needed));
    for (int r = 0; r < needed; ++r)
      starts[r] = padded.as<unsigned char>() + row_bytes * (r % ring);
    block.row_starts = starts.data();
    block.sums_step = columns * channels + kVectorSlack;
    const Scratch sums = host_scratch(sample * block.sums_step * kTileRows);
    block.sums = sums.data();
    for (int x = 0; x < part_columns; x += columns) {
      block.first_column = first_column + x;
      block.columns = std::min(columns, part_columns - x);
      block_(block);
    }
  }

  ConvolveProblem problem_;
  std::vector<Twofold> prefix_;
  std::vector<float> weights_f32_;
  std::vector<double> weights_f64_;
  DirectCpuKnobs knobs_;
  std::string isa_;
  ConvolveBlockFunction block_;
};

}  // namespace

std::unique_ptr<const ConvolveRunner> make_convolve_direct_cpu(const ConvolveProblem& problem) {
  return std::make_unique<DirectCpu>(problem);
}

std::unique_ptr<const ConvolveDirectCpu> make_convolve_direct_parts(
    const ConvolveProblem& problem) {
  return std::make_unique<DirectCpu>(problem);
}

}  // namespace tessera
