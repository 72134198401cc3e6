// SPDX-License-Identifier: Apache-2.0
#include "ops/enhance/study/step_launch.hpp"

#include "core/kernel.hpp"
#include "core/piece_launch.hpp"

namespace tessera {
namespace {

PreparedRung described(const EnhanceCase& c, const StepLaunch& launch, const GpuKernel& kernel) {
  PreparedRung rung;
  rung.truth = truth_of(launch.result, launch.place);
  rung.bytes = static_cast<double>(kBytesAPixel[static_cast<int>(launch.result)] * c.pixels());
  rung.block_x = launch.block_x;
  rung.block_y = launch.block_y;
  rung.tiles = launch.pixels;
  rung.registers = kernel.registers();
  rung.shared_bytes = kernel.static_shared_bytes();
  return rung;
}

}  // namespace

StepArgs step_arguments(const EnhanceCase& c, EnhanceResult result, EnhancePlace place) {
  const AnyView from = c.before(result, place);
  const AnyMutableView out = c.out(place);
  const int range = c.high() - c.low(), half = range / 2;
  const auto whole_tiles = [](int side) {
    return side < 2 * kSmoothReach ? 0 : (side - 2 * kSmoothReach) / kSmoothTile;
  };
  return {.from = static_cast<const unsigned char*>(from.data),
          .out = static_cast<unsigned char*>(out.data),
          .counts = c.counts(place),
          .from_row = from.row,
          .out_row = out.row,
          .width = from.size.width,
          .height = from.size.height,
          .low = c.low(),
          .high = c.high(),
          .half = static_cast<float>(half),
          .inverse = 1 / static_cast<float>(range),
          .tiles_x = whole_tiles(from.size.width),
          .tiles_y = whole_tiles(from.size.height)};
}

PreparedRung launched_step(const EnhanceCase& c, const StepLaunch& launch, Stream& stream) {
  const GpuKernel& kernel = find_kernel(stream.device(), {launch.unit, launch.entry, "", ""});
  PreparedRung rung = described(c, launch, kernel);
  const Extent3 block{static_cast<unsigned>(launch.block_x), static_cast<unsigned>(launch.block_y)};
  const Extent3 grid{blocks_for(c.size().width, launch.block_x * launch.pixels),
                     blocks_for(c.size().height, launch.block_y)};
  rung.run = [&kernel, grid, block, args = step_arguments(c, launch.result, launch.place)](
                 Stream& on) { kernel.launch(on, grid, block, 0, args); };
  return rung;
}

PreparedRung launched_count(const EnhanceCase& c, const StepLaunch& launch, Stream& stream) {
  const GpuKernel& clear =
      find_kernel(stream.device(), {"e3_count_global", "clear_counts", "", ""});
  PreparedRung rung = launched_step(c, launch, stream);
  rung.run = [&clear, args = step_arguments(c, launch.result, launch.place),
              count = rung.run](Stream& on) {
    clear.launch(on, {1}, {kStepLevels}, 0, args);
    count(on);
  };
  return rung;
}

PreparedRung launched_tiles(const EnhanceCase& c, Stream& stream) {
  const StepLaunch launch{.unit = "e7_smooth_tiled",
                          .entry = "smooth_tiles",
                          .result = EnhanceResult::smooth,
                          .block_x = kSmoothTile,
                          .block_y = kSmoothTile};
  const GpuKernel& tiles = find_kernel(stream.device(), {launch.unit, launch.entry, "", ""});
  const GpuKernel& border = find_kernel(stream.device(), {launch.unit, "smooth_border", "", ""});
  PreparedRung rung = described(c, launch, tiles);
  const StepArgs args = step_arguments(c, launch.result, launch.place);
  const Extent3 grid{static_cast<unsigned>(args.tiles_x), static_cast<unsigned>(args.tiles_y)};
  const long long inside = 1LL * args.tiles_x * args.tiles_y * kSmoothTile * kSmoothTile;
  const unsigned frame = blocks_for(c.pixels() - inside, kStepThreads);
  rung.run = [&tiles, &border, grid, frame, args](Stream& on) {
    if (grid.x > 0 && grid.y > 0) tiles.launch(on, grid, {kSmoothTile, kSmoothTile}, 0, args);
    border.launch(on, {frame}, {kStepThreads}, 0, args);
  };
  return rung;
}

}  // namespace tessera
