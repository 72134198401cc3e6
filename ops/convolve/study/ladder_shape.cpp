// SPDX-License-Identifier: Apache-2.0
#include "ops/convolve/study/ladder_shape.hpp"

#include <fmt/format.h>

#include "ops/convolve/study/r06_padded_row.cuh"

namespace tessera {
namespace {

constexpr int kLeastForTwo = 4;

LadderShape with_row(LadderShape shape, int tile_row, int rows) {
  shape.tile_row = tile_row;
  shape.shared_bytes = tile_row * rows * static_cast<int>(sizeof(float));
  return shape;
}

}  // namespace

LadderShape tiled_shape(int filter_width, int filter_height, int block_x, int block_y, int tiles) {
  return with_row({block_x, block_y, tiles}, filter_width - 1 + block_x * tiles,
                  filter_height - 1 + block_y);
}

LadderShape padded_shape(int filter_width, int filter_height, int block_x, int block_y, int tiles) {
  return with_row({block_x, block_y, tiles}, padded_row(filter_width, block_x, tiles),
                  filter_height - 1 + block_y);
}

LadderShape column_shape(int taps, int block_x, int block_y, int tiles) {
  return with_row({block_x, block_y, tiles}, block_x, taps - 1 + block_y * tiles);
}

double ladder_intensity(int filter_width, int filter_height, const LadderShape& shape) {
  const double made = static_cast<double>(shape.outputs_x()) * shape.block_y;
  const double loaded = static_cast<double>(filter_width - 1 + shape.outputs_x()) *
                        (filter_height - 1 + shape.block_y);
  return 2.0 * filter_width * filter_height * made / (loaded * sizeof(float));
}

bool registers_fit(int registers, int threads, int blocks, const LadderLimits& limits) {
  return (registers + 7) / 8 * 8 * threads * blocks <= limits.registers;
}

int adaptive_tiles(int filter_width, int filter_height, const LadderLimits& limits,
                   const std::function<int(int)>& registers) {
  return adaptive_tiles(
      [=](int tiles) { return tiled_shape(filter_width, filter_height, 32, 32, tiles); }, limits,
      registers);
}

int adaptive_tiles(const std::function<LadderShape(int)>& shape_of, const LadderLimits& limits,
                   const std::function<int(int)>& registers) {
  const auto fits = [&](int tiles, int blocks) {
    const LadderShape shape = shape_of(tiles);
    const int threads = shape.block_x * shape.block_y;
    return shape.shared_bytes <= limits.shared_bytes_per_block &&
           blocks * (shape.shared_bytes + limits.reserved_bytes) <=
               limits.shared_bytes_per_block + limits.reserved_bytes &&
           registers_fit(registers(tiles), threads, blocks, limits);
  };
  const int least_for_many = limits.blocks ? 1 : kLeastForTwo;
  for (int blocks = limits.blocks.value_or(2); blocks >= 1; --blocks)
    for (int tiles = kMostAdaptiveTiles; tiles >= (blocks > 1 ? least_for_many : 1); --tiles)
      if (fits(tiles, blocks)) return tiles;
  return 0;
}

std::string why_no_tile(const LadderShape& shape, int shared_bytes_per_block) {
  if (shape.shared_bytes <= shared_bytes_per_block) return "";
  return fmt::format("its tile takes {} bytes of shared memory, a block has {}", shape.shared_bytes,
                     shared_bytes_per_block);
}

}  // namespace tessera
