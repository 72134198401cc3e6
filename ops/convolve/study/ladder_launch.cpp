// SPDX-License-Identifier: Apache-2.0
#include "ops/convolve/study/ladder_launch.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/machine.hpp"
#include "core/piece_launch.hpp"
#include "ops/convolve/study/ladder_args.cuh"

namespace tessera {
namespace {

Extent3 grid_of(const ConvolveCase& problem, int made_x, int made_y) {
  return {blocks_for(problem.width(), made_x), blocks_for(problem.height(), made_y), 1};
}

Extent3 block_of(const LadderShape& shape) {
  return {static_cast<unsigned>(shape.block_x), static_cast<unsigned>(shape.block_y), 1};
}

LadderArgs arguments(const ConvolveCase& problem, const LadderShape& shape) {
  const AnyMutableView out = problem.out();
  return {.in = problem.padded().at(0),
          .out = static_cast<float*>(out.data),
          .filter = problem.filter_on_device(),
          .in_row = problem.padded().row,
          .out_row = out.row,
          .width = problem.width(),
          .height = problem.height(),
          .filter_width = problem.filter_size().width,
          .filter_height = problem.filter_size().height,
          .tile_row = shape.tile_row};
}

PreparedRung described(const ConvolveCase& problem, const LadderShape& shape,
                       const GpuKernel& kernel) {
  const StudySize& filter = problem.filter_size();
  PreparedRung rung;
  rung.flops = 2.0 * filter.width * filter.height * problem.pixels();
  rung.intensity = ladder_intensity(filter.width, filter.height, shape);
  rung.block_x = shape.block_x;
  rung.block_y = shape.block_y;
  rung.tiles = shape.tiles;
  rung.registers = kernel.registers();
  rung.shared_bytes = shape.shared_bytes + kernel.static_shared_bytes();
  return rung;
}

}  // namespace

std::string why_no_block(const KernelName& name, const LadderShape& shape, Stream& stream) {
  const std::string reason =
      why_no_tile(shape, device_info(stream.device()).shared_bytes_per_block);
  if (!reason.empty()) return reason;
  const int registers = find_kernel(stream.device(), name).registers();
  if (registers_fit(registers, shape.block_x * shape.block_y, 1, {})) return "";
  return fmt::format("it takes {} registers per thread, too many for blocks of {}x{}", registers,
                     shape.block_x, shape.block_y);
}

PreparedRung prepare_naive(const ConvolveCase& problem, Stream& stream) {
  const LadderShape shape;
  const GpuKernel& kernel = find_kernel(stream.device(), {"r01_naive", "naive", "", ""});
  PreparedRung rung = described(problem, shape, kernel);
  rung.intensity = 0.25;  // the paper: 8 bytes for a multiply-add, as if there were no cache
  rung.run = [&kernel, shape, args = arguments(problem, shape),
              grid = grid_of(problem, shape.block_x, shape.block_y)](Stream& on) {
    kernel.launch(on, grid, block_of(shape), 0, args);
  };
  return rung;
}

PreparedRung ladder_rung(const ConvolveCase& problem, const LadderLaunch& launch, Stream& stream) {
  if (const std::string reason = why_no_block(launch.kernel, launch.shape, stream); !reason.empty())
    return {.absent = reason};
  const GpuKernel& kernel = find_kernel(stream.device(), launch.kernel);
  PreparedRung rung = described(problem, launch.shape, kernel);
  LadderConstants args{arguments(problem, launch.shape), {}};
  const View<const float> weights = problem.filter().as<float>();
  std::copy_n(weights.data, weights.size.samples(), args.weights);
  const Extent3 grid = grid_of(problem, launch.made_x, launch.made_y);
  rung.run = [&kernel, args, grid, shape = launch.shape](Stream& on) {
    kernel.launch(on, grid, block_of(shape), shape.shared_bytes, args);
  };
  return rung;
}

PreparedRung one_element_rung(const ConvolveCase& problem, const KernelName& kernel, int block,
                              Stream& stream) {
  const StudySize& filter = problem.filter_size();
  const int made_x = block - filter.width + 1, made_y = block - filter.height + 1;
  if (made_x < 1 || made_y < 1)
    return {.absent = fmt::format("a {} filter leaves no thread of a {}x{} block any work",
                                  problem.name(), block, block)};
  PreparedRung rung =
      ladder_rung(problem, {kernel, tiled_shape(1, 1, block, block, 1), made_x, made_y}, stream);
  // The block loads as many pixels as it has threads and makes fewer.
  rung.intensity = 2.0 * filter.width * filter.height * made_x * made_y / (4.0 * block * block);
  return rung;
}

}  // namespace tessera
