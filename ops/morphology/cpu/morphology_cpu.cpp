// SPDX-License-Identifier: Apache-2.0
// The CPU methods: blocks of rows and columns that stay in the cache, one thread each. The work
// within a block is in morphology_simd.cpp.
#include "ops/morphology/cpu/morphology_cpu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "core/isa.hpp"
#include "core/parallel.hpp"
#include "core/pools.hpp"
#include "core/rows.hpp"
#include "core/samples.hpp"
#include "tune/knob_values.hpp"

namespace tessera {
namespace {

/// A box no higher than this is put together from its rows; for higher ones the three comparisons
/// per pixel of van Herk are fewer.
constexpr int kMostRowsOfDirect = 9;

int kept_rows_of(const MorphologyProblem& p, bool groups) {
  return groups ? p.height : p.height + 1;
}

/// As many columns as keep the rows in the block's fraction of the cache, at least a few vectors.
int block_columns(const MorphologyProblem& p, const WindowPlan& plan, bool groups, int kilobytes) {
  const long long pixel = 1LL * bytes_of(p.image.type) * p.image.size.channels;
  const long long rows = 1LL * kept_rows_of(p, groups) * plan.kept + 3;
  const long long fit = 1024LL * kilobytes / (rows * pixel);
  return static_cast<int>(std::clamp<long long>(fit / 64 * 64, 256, 4096));
}

int column_blocks_of(const MorphologyProblem& p, int columns) {
  return (p.output.size.width + columns - 1) / columns;
}

/// Tall pieces compute few rows twice; a small image is cut into more of them all the same.
int usual_piece_rows(const MorphologyProblem& p, int columns) {
  const long long high = std::clamp(8LL * p.height, 64LL, 512LL);
  const long long pieces =
      1LL * (p.output.size.height / high + 1) * column_blocks_of(p, columns) * p.output.size.planes;
  return static_cast<int>(pieces >= 32 ? high : std::max(32LL, high / 4));
}

class MorphologyCpu : public MorphologyRunner {
 public:
  MorphologyCpu(const MorphologyProblem& problem, bool groups)
      : problem_(problem), plan_(plan_windows(problem.runs)), groups_(groups) {
    apply_isa_environment();
    isa_ = current_isa();
    block_ =
        groups ? morphology_separable_function(problem_) : morphology_direct_function(problem_);
    const Knobs tuned = find_knobs(kMorphologyCpuSite, problem_key(problem_), cpu_table_name());
    knobs_.block_kilobytes = tuned.get("block_kilobytes", knobs_.block_kilobytes);
    columns_ = block_columns(problem_, plan_, groups_, knobs_.block_kilobytes);
    const int usual = usual_piece_rows(problem_, columns_);
    knobs_.piece_rows = rows_for_threads(
        tuned.get("piece_rows", usual), usual,
        1LL * problem_.output.size.height * problem_.output.size.planes * column_blocks());
  }

  std::string describe() const override {
    return fmt::format("{}, blocks of {}x{}", isa_, std::min(columns_, problem_.output.size.width),
                       knobs_.piece_rows);
  }

  void run(const Piece& in, const MutablePiece& out, Stream& stream) const override {
    const int blocks = column_blocks();
    for_pieces(out.rows(), knobs_.piece_rows, out.view.size.planes * blocks, stream,
               [&](int index, Rows rows) {
                 run_block(in, out, index / blocks, rows, index % blocks * columns_);
               });
  }
  void run_part(const Piece& in, const MutablePiece& out, Stream&) const override {
    for (int plane = 0; plane < out.view.size.planes; ++plane)
      for (int block = 0; block < column_blocks(); ++block)
        run_block(in, out, plane, out.rows(), block * columns_);
  }
  std::string describe_part() const override { return isa_; }

 private:
  int column_blocks() const { return column_blocks_of(problem_, columns_); }
  int kept_rows() const { return kept_rows_of(problem_, groups_); }

  void run_block(const Piece& in, const MutablePiece& out, int plane, Rows rows,
                 int first_column) const {
    const auto addresses =
        row_addresses(in, plane,
                      find_rows(name_of(problem_.kind).data(), problem_.reads(rows), in.rows(),
                                problem_.image.size.height, problem_.border));
    MorphologyBlock block{};
    block.problem = &problem_;
    block.plan = &plan_;
    block.in_rows = addresses.data();
    block.in_pixel = in.view.pixel;
    block.out = out.view.address(0, rows.first - out.first_row, plane);
    block.out_pixel = out.view.pixel;
    block.out_row = out.view.row;
    block.rows = rows.count();
    block.first_column = first_column;
    block.columns = std::min(columns_, problem_.output.size.width - first_column);
    block.kept_rows = kept_rows();
    // Rows are aligned (stores across 16 bytes are slow on ARM) and an odd number of cache lines
    // apart, so that they do not compete for the few cache ways of one address modulo 1 KB.
    const long long keys =
        1LL * (block.columns + problem_.width - 1) * problem_.image.size.channels;
    block.row_step = ((keys + 3 * kKeySlack - 1) / kKeySlack | 1) * kKeySlack;
    const auto row_bytes = static_cast<std::size_t>(block.row_step * bytes_of(problem_.image.type));
    const auto kept = static_cast<std::size_t>(block.kept_rows) * plan_.kept;
    const Scratch memory = host_scratch(row_bytes * (kept + 3));
    block.kept = memory.data();
    block.row = memory.as<unsigned char>() + row_bytes * kept;
    block.running = memory.as<unsigned char>() + row_bytes * (kept + 1);
    block_(block);
  }

  MorphologyProblem problem_;
  WindowPlan plan_;
  bool groups_;
  MorphologyCpuKnobs knobs_;
  int columns_ = 0;
  std::string isa_;
  MorphologyBlockFunction block_;
};

}  // namespace

unsigned long long constant_bits(const MorphologyProblem& problem) {
  Image one({1, 1}, problem.image.type);
  store_sample(one.view(), 0, 0, 0, 0, problem.constant);
  unsigned long long bits = 0;
  if (problem.image.type == Type::u8) bits = one.as<unsigned char>().at(0, 0);
  if (problem.image.type == Type::u16) bits = one.as<unsigned short>().at(0, 0);
  if (problem.image.type == Type::f32) bits = std::bit_cast<unsigned>(one.as<float>().at(0, 0));
  if (problem.image.type == Type::f64)
    bits = std::bit_cast<unsigned long long>(one.as<double>().at(0, 0));
  return bits;
}

bool morphology_groups_rows(const MorphologyProblem& problem) {
  return problem.is_box() && problem.height > kMostRowsOfDirect;
}

MorphologyCpuKnobs usual_morphology_cpu_knobs(const MorphologyProblem& problem, bool groups) {
  MorphologyCpuKnobs knobs;
  const int columns =
      block_columns(problem, plan_windows(problem.runs), groups, knobs.block_kilobytes);
  knobs.piece_rows = usual_piece_rows(problem, columns);
  return knobs;
}

MorphologyRunnerPointer make_morphology_direct_cpu(const MorphologyProblem& problem) {
  return std::make_unique<MorphologyCpu>(problem, false);
}
MorphologyRunnerPointer make_morphology_separable_cpu(const MorphologyProblem& problem) {
  return std::make_unique<MorphologyCpu>(problem, morphology_groups_rows(problem));
}

}  // namespace tessera
