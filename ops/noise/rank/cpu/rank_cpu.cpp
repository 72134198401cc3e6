// SPDX-License-Identifier: Apache-2.0
// The CPU methods: blocks of rows and columns that stay in the cache, one thread each. The work
// within a block is in the files *_simd.cpp.
#include <fmt/format.h>

#include <algorithm>

#include "core/isa.hpp"
#include "core/parallel.hpp"
#include "core/pools.hpp"
#include "core/rows.hpp"
#include "ops/noise/rank/cpu/rank_block.hpp"

namespace tessera {
namespace {

// Most of a second-level cache: whole rows stream best.
constexpr long long kBlockBytes = 640 << 10;

struct BlockSize {
  int rows, columns;
};

/// As many columns as keep the rows of a block in the cache.
BlockSize block_of_rows(const RankProblem& p) {
  const long long pixel = 1LL * bytes_of(rank_work_type(p)) * p.image.size.channels;
  const long long fit = kBlockBytes / ((kRankRows + p.height - 1) * p.depth * pixel);
  return {kRankRows, static_cast<int>(std::clamp<long long>(fit / 64 * 64, 256, 8192))};
}

/// The same problem for blocks whose rows are those of `depth` planes, one plane below the other,
/// each with `step` rows: its footprint is flat.
RankProblem stacked(const RankProblem& p, int step) {
  RankProblem flat = p;
  for (std::size_t k = 0; k < p.planes.size(); ++k) flat.pixels[k].y += p.planes[k] * step;
  flat.height += (p.depth - 1) * step;
  return flat;
}

/// As many columns as keep their histograms in the cache, and rows enough to make it pay that all
/// rows under the first windows are counted first.
BlockSize block_of_histograms(const RankProblem& p) {
  const long long fit = kBlockBytes / (kRankHistogramBytes * p.image.size.channels) - (p.width - 1);
  return {std::clamp(4 * p.height / kRankRows * kRankRows, 64, 512),
          static_cast<int>(std::clamp<long long>(fit / 64 * 64, 256, 8192))};
}

class RankCpu : public RankRunner {
 public:
  RankCpu(const RankProblem& problem, RankBlockFunction (*function)(const RankProblem&),
          BlockSize size)
      : problem_(problem),
        size_(size),
        plane_rows_(size.rows + problem.height - 1),
        stacked_(stacked(problem, plane_rows_)) {
    apply_isa_environment();
    isa_ = current_isa();
    block_ = function(stacked_);
    if (problem.count() <= kMostWires)
      network_ = selecting_network(problem.count(), problem.place(problem.count()));
    places_.push_back(0);
    for (int n = 1; n <= problem.count(); ++n) places_.push_back(problem.place(n));
  }

  std::string describe() const override {
    return fmt::format("{}, blocks of {}x{}", isa_,
                       std::min(size_.columns, problem_.output.size.width), size_.rows);
  }

  void run(const Piece& in, const MutablePiece& out, Stream& stream) const override {
    const int blocks = (problem_.output.size.width + size_.columns - 1) / size_.columns;
    for_pieces(out.rows(), size_.rows, out.view.size.planes * blocks, stream,
               [&](int index, Rows rows) {
                 run_block(in, out, index / blocks, rows, index % blocks * size_.columns);
               });
  }

 private:
  void run_block(const Piece& in, const MutablePiece& out, int plane, Rows rows,
                 int first_column) const {
    const auto addresses = rows_of_planes(in, plane, rows);
    RankBlock block{};
    block.problem = &stacked_;
    block.network = &network_;
    block.places = &places_;
    block.in_rows = addresses.data();
    block.in_pixel = in.view.pixel;
    block.out = out.view.address(0, rows.first - out.first_row, plane);
    block.out_pixel = out.view.pixel;
    block.out_row = out.view.row;
    block.rows = rows.count();
    block.first_column = first_column;
    block.columns = std::min(size_.columns, problem_.output.size.width - first_column);
    // Rows are an odd number of cache lines apart, so that they do not compete for the few cache
    // ways of one address modulo 1 KB.
    const long long line = 64 / bytes_of(rank_work_type(problem_));
    const long long samples =
        1LL * (block.columns + problem_.width - 1) * problem_.image.size.channels + kRankSlack;
    block.row_step = ((samples + line - 1) / line | 1) * line;
    const int kept = block.rows + stacked_.height - 1;
    const auto row_bytes =
        static_cast<std::size_t>(block.row_step * bytes_of(rank_work_type(problem_)));
    const Scratch memory = host_scratch(row_bytes * static_cast<std::size_t>(kept + block.rows));
    block.kept = memory.data();
    block.made = memory.as<unsigned char>() + row_bytes * static_cast<std::size_t>(kept);
    block_(block);
  }

  /// The input rows of a block, those of each plane of the footprint below those of the one before.
  std::vector<const unsigned char*> rows_of_planes(const Piece& in, int plane, Rows rows) const {
    const std::vector<int> found = find_rows(problem_.operation, problem_.reads(rows), in.rows(),
                                             problem_.image.size.height, problem_.border);
    if (problem_.is_flat()) return row_addresses(in, plane, found);
    std::vector<const unsigned char*> all;
    for (int k = 0; k < problem_.depth; ++k) {
      const int from = border_index(plane + k - problem_.anchor_plane, problem_.image.size.planes,
                                    problem_.border);
      auto addresses = from == kNoPixel ? std::vector<const unsigned char*>(found.size())
                                        : row_addresses(in, from, found);
      // The last block may be lower. No window reads the rows that fill it up.
      addresses.resize(static_cast<std::size_t>(plane_rows_), addresses.front());
      all.insert(all.end(), addresses.begin(), addresses.end());
    }
    return all;
  }

  RankProblem problem_;
  RankNetwork network_;      ///< of small footprints
  std::vector<int> places_;  ///< of the result among n sorted values
  BlockSize size_;
  int plane_rows_;       ///< of the input, for a block
  RankProblem stacked_;  ///< what blocks see
  std::string isa_;
  RankBlockFunction block_;
};

}  // namespace

RankRunnerPointer make_rank_square_cpu(const RankProblem& problem) {
  return std::make_unique<RankCpu>(problem, rank_square_function, block_of_rows(problem));
}
RankRunnerPointer make_rank_network_cpu(const RankProblem& problem) {
  return std::make_unique<RankCpu>(problem, rank_network_function, block_of_rows(problem));
}
RankRunnerPointer make_rank_bisect_cpu(const RankProblem& problem) {
  return std::make_unique<RankCpu>(problem, rank_bisect_function, block_of_rows(problem));
}
RankRunnerPointer make_rank_histogram_cpu(const RankProblem& problem) {
  return std::make_unique<RankCpu>(problem, rank_histogram_function, block_of_histograms(problem));
}

}  // namespace tessera
