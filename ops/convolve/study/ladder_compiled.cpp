// SPDX-License-Identifier: Apache-2.0
// Rungs with everything known to the compiler, which is called at run time.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <span>

#include "ops/convolve/study/ladder_args.cuh"
#include "ops/convolve/study/ladder_launch.hpp"
#include "study/published.hpp"
#include "study/study_loops.hpp"

namespace tessera {
namespace {

constexpr const char* kNoCompiler = "there is no run-time compiler (NVRTC) for this device";

// From the paper's range of 110. A search of one takes the first: its block of width 16 uses the
// padding columns, as three quarters of the paper's best kernels did.
constexpr LadderCandidate kFirst[kMostFirst] = {{16, 32, 4}, {32, 8, 4},  {32, 8, 8}, {16, 16, 8},
                                                {32, 16, 4}, {16, 64, 2}, {64, 4, 4}, {32, 4, 8}};

PreparedRung compiled_2d(const ConvolveCase& problem, const std::string& unit, const char* body,
                         const LadderShape& shape, Stream& stream) {
  return ladder_rung(problem,
                     {unrolled_kernel(unit, body, problem.filter_size(), shape), shape,
                      shape.outputs_x(), shape.block_y},
                     stream);
}

// The fastest of the first candidates that fit.
const LadderShape& find_unrolled_shape(const ConvolveCase& problem, Stream& stream) {
  std::optional<LadderShape>& found = problem.unrolled_shape();
  if (found) return *found;
  double best = std::numeric_limits<double>::infinity();
  const int count = std::clamp(problem.settings().search, 1, kMostFirst);
  const SearchedRung& searched = searched_rung("8");
  for (const LadderCandidate& candidate : std::span(kFirst).first(count)) {
    const PreparedRung rung = prepare_candidate(problem, searched, candidate, stream);
    if (!rung.absent.empty()) continue;
    const double seconds = count == 1 ? 0 : time_rung(rung, stream).seconds;
    if (seconds < best) best = seconds, found = searched.shape(problem.filter_size(), candidate);
  }
  if (!found) throw Error(ErrorKind::resources, "none of its tiles fits shared memory");
  return *found;
}

// From table 1 of the paper, for the nearest filter that it lists.
LadderShape published_pass(const std::string& rung, int taps, bool along_x) {
  const std::vector<PublishedFigure>& figures = published_figures("convolve");
  const int listed = std::clamp(taps | 1, 3, 43);
  const auto look = [&](const char* quantity) {
    return static_cast<int>(
        published_value(figures, rung, along_x ? listed : 1, along_x ? 1 : listed, quantity)
            .value());
  };
  const int block_x = look("block_x"), block_y = look("block_y"), tiles = look("tiles");
  return along_x ? padded_shape(taps, 1, block_x, block_y, tiles)
                 : column_shape(taps, block_x, block_y, tiles);
}

/// One pass, from a padded image to `out`, `height` rows.
struct Pass {
  const GpuKernel& kernel;
  LadderShape shape;
  LadderConstants args;
  Extent3 grid;

  void run(Stream& stream) const {
    kernel.launch(stream, {grid.x, grid.y, 1},
                  {static_cast<unsigned>(shape.block_x), static_cast<unsigned>(shape.block_y), 1},
                  shape.shared_bytes, args);
  }
  double bytes_a_pixel() const;
};

Pass make_pass(bool along_x, const std::vector<float>& weights, const LadderShape& shape,
               const LadderArgs& ladder, Stream& stream) {
  const int taps = static_cast<int>(weights.size());
  Pass pass{
      find_kernel(stream.device(), pass_kernel(along_x, taps, shape)), shape, {ladder, {}}, {}};
  std::copy(weights.begin(), weights.end(), pass.args.weights);
  const int made_x = along_x ? shape.outputs_x() : shape.block_x;
  const int made_y = along_x ? shape.block_y : shape.block_y * shape.tiles;
  pass.grid = {static_cast<unsigned>((ladder.width + made_x - 1) / made_x),
               static_cast<unsigned>((ladder.height + made_y - 1) / made_y), 1};
  return pass;
}

double Pass::bytes_a_pixel() const {
  const double loaded = static_cast<double>(shape.shared_bytes);
  return loaded / (static_cast<double>(shape.outputs_x()) * shape.block_y);
}

LadderArgs pass_arguments(const float* in, long long in_row, float* out, long long out_row,
                          int width, int height) {
  LadderArgs args{};
  args.in = in;
  args.in_row = in_row;
  args.out = out;
  args.out_row = out_row;
  args.width = width;
  args.height = height;
  return args;
}

// One pass over the image, with its border above and below cut off if it is the horizontal one.
PreparedRung prepare_pass(const ConvolveCase& problem, bool along_x, const LadderShape& shape,
                          Stream& stream) {
  const std::vector<float>& weights = along_x ? problem.row_weights() : problem.column_weights();
  const int taps = static_cast<int>(weights.size());
  const std::string reason = why_no_block(pass_kernel(along_x, taps, shape), shape, stream);
  if (!reason.empty()) return {.absent = reason};
  const AnyMutableView out = problem.out();
  const PaddedImage& in = along_x ? problem.padded() : problem.padded_above_and_below(stream);
  const Pass pass = make_pass(
      along_x, weights, shape,
      pass_arguments(in.at(along_x ? problem.filter_size().height / 2 : 0), in.row,
                     static_cast<float*>(out.data), out.row, problem.width(), problem.height()),
      stream);
  PreparedRung rung;
  rung.truth = along_x ? kHorizontal : kVertical;
  rung.flops = 2.0 * taps * problem.pixels();
  rung.intensity = 2.0 * taps / pass.bytes_a_pixel();
  rung.block_x = shape.block_x;
  rung.block_y = shape.block_y;
  rung.tiles = shape.tiles;
  rung.registers = pass.kernel.registers();
  rung.shared_bytes = shape.shared_bytes;
  rung.run = [pass](Stream& on) { pass.run(on); };
  return rung;
}

PreparedRung prepare_published_pass(const ConvolveCase& problem, bool along_x, Stream& stream) {
  if (!run_time_compiler_found()) return {.absent = kNoCompiler};
  const StudySize& filter = problem.filter_size();
  const int taps = along_x ? filter.width : filter.height;
  return prepare_pass(problem, along_x, published_pass(along_x ? "s1" : "s2", taps, along_x),
                      stream);
}

}  // namespace

// The paper's pair of section 8, with the blocks of rungs 3 and 4: it does not name its own.
PreparedRung prepare_tile_unrolled(const ConvolveCase& problem, Stream& stream) {
  if (!run_time_compiler_found()) return {.absent = kNoCompiler};
  const StudySize& filter = problem.filter_size();
  return compiled_2d(problem, "r08_unrolled", "unrolled",
                     tiled_shape(filter.width, filter.height, 32, 32, 1), stream);
}

PreparedRung prepare_element_unrolled(const ConvolveCase& problem, Stream& stream) {
  if (!run_time_compiler_found()) return {.absent = kNoCompiler};
  constexpr int kBlock = 32;
  return one_element_rung(
      problem,
      unrolled_kernel("r04_unrolled", "one_element_unrolled", problem.filter_size(),
                      tiled_shape(1, 1, kBlock, kBlock, 1)),
      kBlock, stream);
}

PreparedRung prepare_unrolled(const ConvolveCase& problem, Stream& stream) {
  if (!run_time_compiler_found()) return {.absent = kNoCompiler};
  return compiled_2d(problem, "r08_unrolled", "unrolled", find_unrolled_shape(problem, stream),
                     stream);
}

PreparedRung prepare_read_only(const ConvolveCase& problem, Stream& stream) {
  if (!run_time_compiler_found()) return {.absent = kNoCompiler};
  return compiled_2d(problem, "r09_read_only", "read_only", find_unrolled_shape(problem, stream),
                     stream);
}

PreparedRung prepare_horizontal(const ConvolveCase& problem, Stream& stream) {
  return prepare_published_pass(problem, true, stream);
}

PreparedRung prepare_vertical(const ConvolveCase& problem, Stream& stream) {
  return prepare_published_pass(problem, false, stream);
}

PreparedRung prepare_candidate(const ConvolveCase& problem, const SearchedRung& rung,
                               const LadderCandidate& candidate, Stream& stream) {
  if (rung.id == "1") return prepare_naive(problem, stream);
  if (!run_time_compiler_found()) return {.absent = kNoCompiler};
  const LadderShape shape = rung.shape(problem.filter_size(), candidate);
  if (rung.id == "8") return compiled_2d(problem, "r08_unrolled", "unrolled", shape, stream);
  return prepare_pass(problem, rung.id == "s1", shape, stream);
}

PreparedRung prepare_both_passes(const ConvolveCase& problem, Stream& stream) {
  if (!run_time_compiler_found()) return {.absent = kNoCompiler};
  const StudySize& filter = problem.filter_size();
  const AnyMutableView out = problem.out();
  const PaddedImage between = problem.room_for_passes(stream);
  const Pass first = make_pass(
      true, problem.row_weights(), published_pass("s1", filter.width, true),
      pass_arguments(problem.padded().at(0), problem.padded().row, between.memory.as<float>(),
                     between.row, problem.width(), problem.height() + filter.height - 1),
      stream);
  const Pass second =
      make_pass(false, problem.column_weights(), published_pass("s2", filter.height, false),
                pass_arguments(between.at(0), between.row, static_cast<float*>(out.data), out.row,
                               problem.width(), problem.height()),
                stream);
  PreparedRung rung;
  rung.flops = 2.0 * (filter.width + filter.height) * problem.pixels();
  rung.intensity =
      2.0 * (filter.width + filter.height) / (first.bytes_a_pixel() + second.bytes_a_pixel());
  rung.run = [first, second, between](Stream& on) {
    first.run(on);
    second.run(on);
  };
  return rung;
}

}  // namespace tessera
