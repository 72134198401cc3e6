// SPDX-License-Identifier: Apache-2.0
// The direct method on the CPU: blocks of rows and columns that stay in the first-level cache, one
// thread each. A block copies its pixels, borders and conversions included, into rows of the sums'
// type; then only plain rows are left, and the SIMD part (convolve_direct_simd.cpp) knows no
// borders, types or steps.
#include "ops/convolve/convolve_direct_cpu.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/isa.hpp"
#include "core/parallel.hpp"
#include "core/pools.hpp"
#include "core/rows.hpp"
#include "ops/convolve/inside_prefix.hpp"
#include "tune/table.hpp"

namespace tessera {
namespace {

/// Knobs: they change no bit of the result.
struct DirectCpuKnobs {
  int piece_rows = 32;       ///< rows a thread takes at once
  int block_kilobytes = 32;  ///< padded pixels of a block: half of the first-level cache
};

class DirectCpu : public ConvolveDirectCpu {
 public:
  explicit DirectCpu(const ConvolveProblem& problem)
      : problem_(problem), prefix_(inside_prefix(problem)) {
    apply_isa_environment();
    isa_ = current_isa();
    block_ = direct_block_function(problem_);
    const Knobs tuned =
        find_knobs("convolve.direct-cpu@1", problem_key(problem_), cpu_table_name());
    knobs_.piece_rows = tuned.get("piece_rows", knobs_.piece_rows);
    knobs_.block_kilobytes = tuned.get("block_kilobytes", knobs_.block_kilobytes);
    if (problem.sums == Type::f64)
      weights_f64_ = packed_weights<double>(problem);
    else
      weights_f32_ = packed_weights<float>(problem);
  }

  std::string describe() const override {
    return fmt::format("{}, {} rows a piece", isa_, knobs_.piece_rows);
  }

  void run(const Piece& in, const MutablePiece& out, Stream& stream) const override {
    const int width = out.view.size.width, planes = out.view.size.planes;
    const int chunks = column_chunks(out.view.size), chunk = chunk_columns(width, chunks);
    for_pieces(out.rows(), knobs_.piece_rows, planes * chunks, stream, [&](int part, Rows rows) {
      const int first = part % chunks * chunk;
      run_part(in, out, part / chunks, rows, first, std::min(chunk, width - first));
    });
  }

  void run_part(const Piece& in, const MutablePiece& out, int plane, Rows rows, int first_column,
                int part_columns) const override {
    if (part_columns <= 0) return;
    const Rows needed = problem_.needs(rows);
    std::vector<const unsigned char*> addresses;
    addresses.reserve(static_cast<std::size_t>(needed.count()));
    for (const int row :
         find_rows("convolve", needed, in.rows(), problem_.image.size.height, problem_.border))
      addresses.push_back(row == kNoPixel ? nullptr : in.view.address(0, row, plane));

    DirectBlock block{};
    block.problem = &problem_;
    block.weights = problem_.sums == Type::f64 ? static_cast<const void*>(weights_f64_.data())
                                               : weights_f32_.data();
    block.prefix = prefix_.empty() ? nullptr : prefix_.data();
    block.in_rows = addresses.data();
    block.in_pixel = in.view.pixel;
    block.out = out.view.address(0, rows.first - out.first_row, plane);
    block.out_pixel = out.view.pixel;
    block.out_row = out.view.row;
    block.out_first_row = rows.first;
    block.rows = rows.count();
    run_blocks(block, needed.count(), first_column, part_columns);
  }

 private:
  void run_blocks(DirectBlock& block, int needed, int first_column, int part_columns) const {
    const int channels = problem_.image.size.channels;
    const int ring = problem_.filter_height + kDirectRows - 1;
    const int columns = block_columns(ring, part_columns);
    const auto sample = static_cast<std::size_t>(bytes_of(problem_.sums));
    const auto row_bytes =
        spread(sample * (1LL * (columns + problem_.filter_width - 1) * channels + kVectorSlack));
    const Scratch padded = host_scratch(row_bytes * ring);
    block.sums_step = 1LL * columns * channels + kVectorSlack;
    const Scratch sums = host_scratch(sample * block.sums_step * kDirectRows);
    // Slack is read as pixels of sums that are thrown away: it must hold numbers, not traps.
    std::fill_n(padded.as<unsigned char>(), padded.bytes(), static_cast<unsigned char>(0));
    std::vector<void*> starts(static_cast<std::size_t>(needed));
    for (int r = 0; r < needed; ++r)
      starts[r] = padded.as<unsigned char>() + row_bytes * (r % ring);
    block.row_starts = starts.data();
    block.sums = sums.data();
    for (int x = 0; x < part_columns; x += columns) {
      block.first_column = first_column + x;
      block.columns = std::min(columns, part_columns - x);
      block_(block);
    }
  }

  /// An odd number of cache lines from row to row, so that rows spread over all sets.
  static std::size_t spread(std::size_t bytes) {
    constexpr std::size_t kLine = 64;
    return ((bytes + kLine - 1) / kLine | 1) * kLine;
  }

  /// Images of few rows are cut into columns too, so that many threads find work.
  int column_chunks(const Size& size) const {
    constexpr int kPieces = 64, kLeastColumns = 512;
    const long long pieces =
        1LL * size.planes * ((size.height + knobs_.piece_rows - 1) / knobs_.piece_rows);
    const auto most = std::max<long long>(1, size.width / kLeastColumns);
    return static_cast<int>(std::clamp<long long>(kPieces / std::max(1LL, pieces), 1, most));
  }
  static int chunk_columns(int width, int chunks) {
    const int share = (width + chunks - 1) / chunks;
    return (share + kTileSamples - 1) / kTileSamples * kTileSamples;
  }

  /// Whole tiles, as many as fit the block's share of the cache.
  int block_columns(int rows, int width) const {
    const long long row_bytes = 1024LL * knobs_.block_kilobytes / rows;
    const long long fit = row_bytes / (bytes_of(problem_.sums) * problem_.image.size.channels) -
                          problem_.filter_width;
    const long long whole = (width + kTileSamples - 1) / kTileSamples * kTileSamples;
    return static_cast<int>(std::clamp<long long>(fit / kTileSamples * kTileSamples, kTileSamples,
                                                  std::max<long long>(kTileSamples, whole)));
  }

  ConvolveProblem problem_;
  std::vector<double> prefix_;
  std::vector<float> weights_f32_;
  std::vector<double> weights_f64_;
  DirectCpuKnobs knobs_;
  std::string isa_;
  DirectBlockFunction block_;
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
