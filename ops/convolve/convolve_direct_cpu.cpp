// SPDX-License-Identifier: Apache-2.0
// The direct method on the CPU: blocks of rows and columns that stay in the cache, one thread each.
// A block copies its pixels, borders included, into rows of the sums' type; then only plain rows
// are left, and the SIMD part (convolve_direct_simd.cpp) knows no borders, types or steps.
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
  int piece_rows = 32;        ///< rows a thread takes at once
  int block_kilobytes = 256;  ///< padded pixels of a block: a share of the second-level cache
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
    weights_f32_.assign(problem.weights.begin(), problem.weights.end());
  }

  std::string describe() const override {
    return fmt::format("{}, {} rows a piece", isa_, knobs_.piece_rows);
  }

  void run(const Piece& in, const MutablePiece& out, Stream& stream) const override {
    for_pieces(out.rows(), knobs_.piece_rows, out.view.size.planes, stream,
               [&](int plane, Rows rows) {
                 run_part(in, out, plane, rows, 0, out.view.size.width);
               });
  }

  void run_part(const Piece& in, const MutablePiece& out, int plane, Rows rows, int first_column,
                int part_columns) const override {
    const Rows needed = problem_.needs(rows);
    std::vector<const unsigned char*> addresses;
    addresses.reserve(static_cast<std::size_t>(needed.count()));
    for (const int row :
         find_rows("convolve", needed, in.rows(), problem_.image.size.height, problem_.border))
      addresses.push_back(row == kNoPixel ? nullptr : in.view.address(0, row, plane));

    const int channels = problem_.image.size.channels;
    const int columns = block_columns(needed.count(), part_columns);
    DirectBlock block{};
    block.problem = &problem_;
    block.weights = problem_.sums == Type::f64 ? static_cast<const void*>(problem_.weights.data())
                                               : weights_f32_.data();
    block.prefix = prefix_.empty() ? nullptr : prefix_.data();
    block.in_rows = addresses.data();
    block.in_pixel = in.view.pixel;
    block.out = out.view.address(0, rows.first - out.first_row, plane);
    block.out_pixel = out.view.pixel;
    block.out_row = out.view.row;
    block.out_first_row = rows.first;
    block.rows = rows.count();
    block.padded_step = 1LL * (columns + problem_.filter_width - 1) * channels + kVectorSlack;
    block.sums_step = 1LL * columns * channels + kVectorSlack;
    const auto sample = static_cast<std::size_t>(bytes_of(problem_.sums));
    const Scratch padded = host_scratch(sample * block.padded_step * needed.count());
    const Scratch sums = host_scratch(sample * block.sums_step * 4);
    // Slack is read as pixels of sums that are thrown away: it must hold numbers, not traps.
    std::fill_n(padded.as<unsigned char>(), padded.bytes(), static_cast<unsigned char>(0));
    block.padded = padded.data();
    block.sums = sums.data();
    for (int x = 0; x < part_columns; x += columns) {
      block.first_column = first_column + x;
      block.columns = std::min(columns, part_columns - x);
      block_(block);
    }
  }

 private:
  /// As many columns as fit the block's share of the cache, at least some vectors' worth.
  int block_columns(int rows, int width) const {
    const long long row_bytes = 1024LL * knobs_.block_kilobytes / rows;
    const long long fit = row_bytes / (bytes_of(problem_.sums) * problem_.image.size.channels) -
                          problem_.filter_width;
    return static_cast<int>(std::clamp<long long>(fit / 64 * 64, 256, std::max(256, width)));
  }

  ConvolveProblem problem_;
  std::vector<double> prefix_;
  std::vector<float> weights_f32_;
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
