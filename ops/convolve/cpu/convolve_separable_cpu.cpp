// SPDX-License-Identifier: Apache-2.0
// The separable and lowrank methods on the CPU: blocks of columns whose rows, filtered along x,
// stay in the first-level cache, and tall pieces, so that few rows are filtered twice.
//
// With one term, NaN and infinity have the same effect as with direct, provided that every weight
// has the sign of its row's weight times its column's. Otherwise, and with several terms, cells of
// kCellRows rows that contain such numbers are handed to direct; cells are counted from the image's
// origin, so that strips and threads change no bit.
#include "ops/convolve/cpu/convolve_separable_cpu.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/isa.hpp"
#include "core/parallel.hpp"
#include "core/pools.hpp"
#include "core/rows.hpp"
#include "ops/convolve/inside_prefix.hpp"
#include "ops/convolve/parts/packed_weights.hpp"
#include "ops/convolve/split_signs.hpp"

namespace tessera {
namespace {

constexpr int kCellRows = 32;

/// Knobs: they change no bit of the result, except that cells have the width of a block.
constexpr int kPieceRows = 256;          ///< most rows a thread takes at once: whole cells
constexpr long long kRingBytes = 49152;  ///< half of a first-level cache
/// Images up to this size, in and out, have a function of their own for 3x3. It does not prefetch:
/// 4096x4096 f32 takes 6% longer with it, 4096x4096 u8 10% and 256x256 13 to 28% less (one Xeon
/// core).
constexpr double kThreeBytes = 1 << 26;

template <class T>
class SeparableCpu : public ConvolveRunner {
 public:
  SeparableCpu(const ConvolveProblem& problem, const FilterSplit& split)
      : problem_(problem),
        prefix_(inside_prefix(problem)),
        terms_(static_cast<int>(split.terms.size())) {
    apply_isa_environment();
    isa_ = current_isa();
    const bool three = problem.filter_width == 3 && problem.filter_height == 3 && terms_ == 1 &&
                       problem.bytes() < kThreeBytes;
    block_ = three && std::is_same_v<T, float> ? three_block_function()
                                               : separable_block_function(problem_);
    for (const FilterSplit::Term& term : split.terms) {
      row_weights_.insert(row_weights_.end(), term.row.begin(), term.row.end());
      row_weights_.resize(row_weights_.size() + kTileRows);
      pack_weights(term.column, 1, problem.filter_height, column_weights_);
    }
    const bool same = terms_ == 1 && keeps_signs<T>(problem, split.terms[0]);
    if (!same && !is_integer(problem.image.type)) direct_ = make_convolve_direct_parts(problem);
    ring_ = problem.filter_height + kTileRows - 1;
    const long long column_bytes =
        static_cast<long long>(sizeof(T)) * problem.image.size.channels * ring_ * terms_;
    columns_ = block_columns(kRingBytes, column_bytes, problem.output.size.width);
  }

  std::string describe() const override {
    const std::string terms = terms_ == 1 ? "" : fmt::format("{} terms, ", terms_);
    return fmt::format("{}{}, {} columns per block", terms, isa_, columns_);
  }

  int row_step() const override { return direct_ ? kCellRows : 1; }

  void run(const Piece& in, const MutablePiece& out, Stream& stream) const override {
    const int width = out.view.size.width;
    const int piece = piece_rows(out.view.size, stream.threads());
    const int chunk = chunk_columns(out.view.size, piece, columns_);
    const int chunks = (width + chunk - 1) / chunk;
    for_pieces(out.rows(), piece, out.view.size.planes * chunks, stream, [&](int part, Rows rows) {
      const int first = part % chunks * chunk;
      run_part(in, out, part / chunks, rows, first, std::min(width, first + chunk));
    });
  }

 private:
  /// Whole cells: fewer of them if threads would have nothing to do. Every piece filters
  /// filter_height - 1 rows that another one filters too.
  int piece_rows(const Size& size, int threads) const {
    const auto parts = [&](int piece) {
      const long long chunk = chunk_columns(size, piece, columns_);
      const long long pieces = (size.height + piece - 1) / piece;
      return pieces * ((size.width + chunk - 1) / chunk) * size.planes;
    };
    int piece = kPieceRows;
    while (piece > std::max(kCellRows, problem_.filter_height) && parts(piece) < threads)
      piece /= 2;
    return piece;
  }

  /// Scratch memory of a part; the addresses of the ring's rows.
  struct Buffers {
    Scratch padded, ring, sums;
    std::vector<void*> row_starts;
    std::vector<unsigned char> not_finite;
  };

  void run_part(const Piece& in, const MutablePiece& out, int plane, Rows rows, int first,
                int end) const {
    const Rows cells = whole_groups(rows, row_step(), problem_.output.size.height);
    const auto addresses = needed_rows(problem_, in, plane, cells);
    SeparableBlock block{};
    block.problem = &problem_;
    block.prefix = prefix_.empty() ? nullptr : prefix_.data();
    block.rows_before = rows.first - cells.first;
    block.rows_after = cells.end - rows.end;
    block.in_rows = addresses.data() + block.rows_before;
    place_block(block, in, out, plane, rows);
    Buffers buffers;
    make_buffers(buffers, block, addresses.size());
    for (int x = first; x < end; x += columns_) {
      block.first_column = x;
      block.columns = std::min(columns_, end - x);
      block_(block);
      if (direct_) mend_cells(in, out, plane, rows, cells, block, buffers.not_finite);
    }
  }

  void make_buffers(Buffers& buffers, SeparableBlock& block, std::size_t needed_by_cells) const {
    const long long samples = 1LL * columns_ * problem_.image.size.channels;
    const std::size_t row_bytes = spread_bytes(sizeof(T) * (samples + kVectorSlack));
    const long long apron = 1LL * (problem_.filter_width - 1) * problem_.image.size.channels;
    block.terms = terms_;
    block.row_weights = row_weights_.data();
    block.column_weights = column_weights_.data();
    const auto padded = static_cast<std::size_t>(samples + apron + kVectorSlack);
    block.sums_step = static_cast<long long>(row_bytes / sizeof(T));
    buffers.padded = host_scratch(sizeof(T) * padded);
    buffers.ring = host_scratch(row_bytes * ring_ * terms_);
    buffers.sums = host_scratch(row_bytes * kTileRows);
    // Slack is read as pixels of sums that are discarded: it must hold ordinary numbers that do not
    // trap.
    std::fill_n(buffers.padded.template as<T>(), padded, T{0});
    std::fill_n(buffers.ring.template as<T>(), block.sums_step * ring_ * terms_, T{0});
    const int needed = block.rows + problem_.filter_height - 1;
    for (int t = 0; t < terms_; ++t)
      for (int r = 0; r < needed; ++r)
        buffers.row_starts.push_back(buffers.ring.template as<T>() +
                                     (t * ring_ + r % ring_) * block.sums_step);
    block.padded = buffers.padded.data();
    block.sums = buffers.sums.data();
    block.row_starts = buffers.row_starts.data();
    if (!direct_) {
      block.rows_before = block.rows_after = 0;
      return;
    }
    buffers.not_finite.assign(needed_by_cells, 0);
    block.not_finite = buffers.not_finite.data() + block.rows_before;
  }

  /// Hands the block's cells with numbers that are not finite to direct.
  void mend_cells(const Piece& in, const MutablePiece& out, int plane, Rows rows, Rows cells,
                  const SeparableBlock& block, const std::vector<unsigned char>& not_finite) const {
    for (int first = cells.first; first < cells.end; first += kCellRows) {
      const int end = std::min(first + kCellRows, cells.end);
      const auto from = not_finite.begin() + (first - cells.first);
      if (!std::any_of(from, from + (end - first) + problem_.filter_height - 1,
                       [](unsigned char found) { return found != 0; }))
        continue;
      const Rows wanted{std::max(first, rows.first), std::min(end, rows.end)};
      if (wanted.count() > 0)
        direct_->run_part(in, out, plane, wanted, block.first_column, block.columns);
    }
  }

  ConvolveProblem problem_;
  std::vector<Twofold> prefix_;
  std::vector<T> row_weights_, column_weights_;
  int terms_, ring_ = 0, columns_ = 0;
  std::unique_ptr<const ConvolveDirectCpu> direct_;  ///< null: not needed
  std::string isa_;
  ConvolveBlockFunction block_;
};

std::unique_ptr<const ConvolveRunner> make_with(const ConvolveProblem& problem,
                                                const FilterSplit& split) {
  if (problem.sums == Type::f64) return std::make_unique<SeparableCpu<double>>(problem, split);
  return std::make_unique<SeparableCpu<float>>(problem, split);
}

}  // namespace

std::unique_ptr<const ConvolveRunner> make_convolve_separable_cpu(const ConvolveProblem& problem) {
  return make_with(problem, problem.split_in_one());
}

std::unique_ptr<const ConvolveRunner> make_convolve_lowrank_cpu(const ConvolveProblem& problem) {
  return make_with(problem, problem.split_in_few());
}

}  // namespace tessera
