// SPDX-License-Identifier: Apache-2.0
// The running method on the CPU: boxes of any size, in time that hardly depends on it. Sums of u8
// and u16 are whole numbers and exact; others are doubles. How they are made is in
// convolve_running_simd.cpp; no piece, block or thread changes a bit.
#include "ops/convolve/cpu/convolve_running_cpu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/isa.hpp"
#include "core/parallel.hpp"
#include "core/pools.hpp"
#include "ops/convolve/box_sums.hpp"
#include "ops/convolve/inside_prefix.hpp"
#include "ops/convolve/parts/packed_weights.hpp"

namespace tessera {
namespace {

/// Knobs: they change no bit of the result.
constexpr int kPiecesPerThread = 4;
constexpr long long kTailBytes = 512 << 10;  ///< half of a second-level cache
constexpr int kFewestRows = 16, kFewestColumns = 512;

long long divided_up(long long a, long long b) { return (a + b - 1) / b; }

class RunningCpu : public ConvolveRunner {
 public:
  explicit RunningCpu(const ConvolveProblem& problem)
      : problem_(problem), sums_(box_sums(problem)), prefix_(inside_prefix(problem)) {
    apply_isa_environment();
    isa_ = current_isa();
    block_ = running_block_function();
  }

  std::string describe() const override {
    return fmt::format("{}, sums in {}", isa_, name_of(sums_.type));
  }

  void run(const Piece& in, const MutablePiece& out, Stream& stream) const override {
    const Size size = out.view.size;
    const int piece = piece_rows(size, stream.threads());
    const int chunk = chunk_columns_for(size, piece, stream.threads());
    const int chunks = static_cast<int>(divided_up(size.width, chunk));
    for_pieces(out.rows(), piece, size.planes * chunks, stream, [&](int part, Rows rows) {
      const int first = part % chunks * chunk;
      run_part(in, out, part / chunks, rows, {first, std::min(size.width, first + chunk)});
    });
  }

 private:
  using Columns = Rows;  // a range too

  /// A piece of fewer rows than the filter would mostly add rows that others add too.
  int piece_rows(const Size& size, int threads) const {
    const long long rows =
        divided_up(1LL * size.height * size.planes, 1LL * kPiecesPerThread * threads);
    return threads == 1 ? std::max(1, size.height)
                        : std::max({kFewestRows, problem_.filter_height, static_cast<int>(rows)});
  }
  /// Images with few rows are cut into columns too, which read as many more as the filter is wide.
  int chunk_columns_for(const Size& size, int piece, int threads) const {
    const long long pieces = size.planes * divided_up(size.height, piece);
    const long long most =
        std::max(1, size.width / std::max(kFewestColumns, problem_.filter_width));
    const long long wanted = threads == 1 ? 1 : divided_up(2LL * threads, std::max(1LL, pieces));
    return std::max(1, static_cast<int>(divided_up(size.width, std::min(most, wanted))));
  }
  /// Columns of a block, so that the sums of tails stay in the cache.
  int block_columns_for(int rows, int columns) const {
    const long long tails = std::min(rows, problem_.filter_height);
    const long long fit = kTailBytes / (sums_.bytes() * problem_.image.size.channels * tails);
    const long long least = std::max(kFewestColumns, 4 * std::min(problem_.filter_width, 1 << 20));
    const long long blocks = divided_up(columns, std::max(fit, least));
    return static_cast<int>(divided_up(columns, blocks));
  }

  void run_part(const Piece& in, const MutablePiece& out, int plane, Rows rows,
                Columns columns) const {
    const auto addresses = needed_rows(problem_, in, plane, rows);
    RunningBlock block{};
    block.problem = &problem_;
    block.prefix = prefix_.empty() ? nullptr : prefix_.data();
    block.in_rows = addresses.data();
    block.box = sums_;
    place_block(block, in, out, plane, rows);
    const int most = block_columns_for(rows.count(), columns.count());
    for (int x = columns.first; x < columns.end; x += most) {
      block.first_column = x;
      block.columns = std::min(most, columns.end - x);
      run_block(block);
    }
  }

  void run_block(RunningBlock& block) const {
    const Columns held = held_columns(block.first_column - problem_.anchor.x,
                                      block.columns + problem_.filter_width - 1);
    block.held_first = held.first;
    block.held_columns = held.count();
    const long long channels = problem_.image.size.channels;
    const long long padded = 1LL * block.columns + problem_.filter_width - 1;
    const auto row_bytes = spread_bytes(
        sums_.bytes() * (std::max<long long>(padded, held.count()) * channels + kVectorSlack));
    block.step = static_cast<long long>(row_bytes) / sums_.bytes();
    const int tails = std::min(block.rows, problem_.filter_height);
    const Scratch sums = host_scratch(row_bytes * (5U + static_cast<unsigned>(tails)));
    auto* row = sums.as<unsigned char>();
    // Slack is read as pixels of sums that are discarded: it must hold ordinary numbers that do not
    // trap.
    std::fill_n(row, 5 * row_bytes, static_cast<unsigned char>(0));
    for (void** place :
         {&block.zeros, &block.heads, &block.column_sums, &block.padded, &block.windows}) {
      *place = row;
      row += row_bytes;
    }
    // Held columns that are next to each other in `padded` too are summed there.
    const int first = block.first_column - problem_.anchor.x;
    if (held.count() > 0 && held.first >= first && held.end <= first + padded)
      block.column_sums = static_cast<unsigned char*>(block.padded) +
                          (held.first - first) * channels * sums_.bytes();
    block.tails = row;
    const Scratch results =
        host_scratch(sizeof(double) * (block.columns * channels + kVectorSlack));
    block.sums = results.data();
    block_(block);
  }

  /// The columns of the image that `count` columns from `first` on read, some of them outside.
  Columns held_columns(int first, int count) const {
    const int width = problem_.image.size.width, end = first + count;
    Columns held{std::clamp(first, 0, width), std::clamp(end, 0, width)};
    const auto add = [&](int x) {
      const int column = border_index(x, width, problem_.border);
      if (column == kNoPixel) return;
      held = held.count() > 0
                 ? Columns{std::min(held.first, column), std::max(held.end, column + 1)}
                 : Columns{column, column + 1};
    };
    for (int x = first; x < std::min(0, end); ++x) add(x);
    for (int x = std::max(first, width); x < end; ++x) add(x);
    return held;
  }

  ConvolveProblem problem_;
  BoxSums sums_;
  std::vector<Twofold> prefix_;
  std::string isa_;
  ConvolveBlockFunction block_;
};

}  // namespace

std::unique_ptr<const ConvolveRunner> make_convolve_running_cpu(const ConvolveProblem& problem) {
  return std::make_unique<RunningCpu>(problem);
}

}  // namespace tessera
