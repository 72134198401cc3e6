// SPDX-License-Identifier: Apache-2.0
#include "ops/correlate/study/shift_launch.hpp"

#include <fmt/format.h>

#include "core/kernel.hpp"
#include "core/machine.hpp"

namespace tessera {

int threads_of(const TileSides& tile) {
  constexpr int kWarp = 32;
  return (tile.x * tile.y + kWarp - 1) / kWarp * kWarp;
}

ShiftArgs shift_arguments(const CorrelateCase& c, const TileSides& tile) {
  const CorrelateCase::OnDevice& there = c.on_device();
  return {.together = there.together.as<const float>(),
          .separate = there.separate.as<const float>(),
          .together_texture = there.together_texture.handle(),
          .separate_texture = there.separate_texture.handle(),
          .map = there.map.as<float>(),
          .side = c.side(),
          .shifts = c.shifts(),
          .tile_x = tile.x,
          .tile_y = tile.y};
}

PreparedRung launched(const CorrelateCase& c, const ShiftLaunch& launch, Stream& stream) {
  const int shared_bytes =
      launch.shared_rows * c.side() * kShiftPlanes * static_cast<int>(sizeof(float));
  const int most =
      this_machine().devices.at(static_cast<std::size_t>(stream.device())).shared_bytes_per_block;
  if (shared_bytes > most)
    return {.absent = fmt::format("its rows take {} bytes of shared memory, a block has {}",
                                  shared_bytes, most)};
  const GpuKernel& kernel = find_kernel(stream.device(), {launch.unit, launch.entry, "", ""});
  PreparedRung rung;
  rung.bound = c.chain_bound(launch.chain);
  rung.flops = c.flops();
  rung.block_x = launch.tile.x;
  rung.block_y = launch.tile.y;
  rung.tiles = launch.shifts_a_thread;
  rung.registers = kernel.registers();
  rung.shared_bytes = shared_bytes + kernel.static_shared_bytes();
  const Extent3 grid{blocks_for(c.shifts(), launch.tile.x) *
                         blocks_for(c.shifts(), launch.tile.y * launch.shifts_a_thread),
                     1, 1};
  const Extent3 block{static_cast<unsigned>(threads_of(launch.tile)), 1, 1};
  rung.run = [&kernel, grid, block, shared_bytes, percent = launch.shared_percent,
              args = shift_arguments(c, launch.tile)](Stream& on) {
    kernel.prefer_shared(percent);
    kernel.launch(on, grid, block, shared_bytes, args);
  };
  return rung;
}

}  // namespace tessera
