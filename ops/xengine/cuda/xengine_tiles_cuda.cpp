// SPDX-License-Identifier: Apache-2.0
#include "ops/xengine/cuda/xengine_tiles_cuda.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "core/kernel.hpp"
#include "core/machine.hpp"
#include "ops/xengine/cuda/xengine_tile_args.cuh"
#include "ops/xengine/cuda/xengine_wgmma_args.cuh"
#include "tessera/error.hpp"
#include "tessera/xengine.hpp"

namespace tessera {
namespace {

/// A kernel's names, and the shape of its blocks.
struct TileUnit {
  const char *unit, *name;
  int threads, shared_bytes;
};

TileUnit unit_of(TileKernel kernel) {
  switch (kernel) {
    case TileKernel::wgmma:
      return {"xengine_wgmma_sm90a", "xengine_wgmma", kWgmmaThreads, kWgmmaSharedBytes};
    case TileKernel::mma:
      return {"xengine_mma", "xengine_mma", kTileThreads, kTileSharedBytes};
    case TileKernel::dp4a:
      break;
  }
  return {"xengine_dp4a", "xengine_dp4a", kTileThreads, kTileSharedBytes};
}

const GpuKernel& kernel_for(const TileUnit& u, bool grouped, int device) {
  return find_kernel(
      device,
      {u.unit, fmt::format("{}_{}", u.name, grouped ? "grouped" : "strided"),
       force_run_time_kernels() ? fmt::format("{}_tiles<{}>", u.name, grouped) : std::string(),
       "XEngineTileArgs", fmt::format("{}, 1", u.threads)});
}

bool in_sixteens(const XEngineTiles& t) {
  return reinterpret_cast<std::uintptr_t>(t.samples) % 16 == 0 && t.channel_step % 16 == 0 &&
         t.time_step % 16 == 0;
}

void check(const XEngineTiles& t) {
  const auto fail = [](const std::string& what) {
    throw Error(ErrorKind::failure, "xengine: tiles: " + what);
  };
  if (!in_sixteens(t))
    fail(fmt::format(
        "samples at {}, channels {} and times {} bytes apart; all must be multiples of 16",
        t.samples, t.channel_step, t.time_step));
  if (reinterpret_cast<std::uintptr_t>(t.sums) % 16 != 0)
    fail(fmt::format("sums are at {}, which must be a multiple of 16", fmt::ptr(t.sums)));
  if (t.polarisations < 1 || t.inputs < 1 || t.inputs % t.polarisations != 0)
    fail(fmt::format("{} inputs are not whole antennas of {} polarisations", t.inputs,
                     t.polarisations));
  if (t.length < 0 || (t.grouped && t.length % 16 != 0))
    fail(fmt::format("{} samples in time, which must be a multiple of 16", t.length));
}

}  // namespace

std::string why_no_tile_kernel(TileKernel kernel, int device) {
  const Machine& machine = this_machine();
  if (device < 0 || device >= std::ssize(machine.devices))
    return machine.devices.empty() ? "no device: " + machine.no_device_reason
                                   : fmt::format("there is no device {}", device);
  const DeviceInfo& d = machine.devices[static_cast<std::size_t>(device)];
  const std::string is =
      fmt::format("{} has compute capability {}.{}", d.name, d.compute_major, d.compute_minor);
  // Code for sm_90a runs on no other device, not on later ones either.
  if (kernel == TileKernel::wgmma && (d.compute_major != 9 || d.compute_minor != 0))
    return is + " and it needs 9.0";
  if (d.compute_major < 8) return is + " and it needs 8.0";
  const int shared = unit_of(kernel).shared_bytes;
  if (d.shared_bytes_per_block < shared)
    return fmt::format("{} has {} bytes of shared memory per block and it needs {}", d.name,
                       d.shared_bytes_per_block, shared);
  return "";
}

bool takes_strided(const XEngineTiles& tiles) { return in_sixteens(tiles); }

void run_tiles(TileKernel kernel, const XEngineTiles& t, Stream& stream) {
  if (t.channels == 0) return;
  check(t);
  const XEngineShape shape{t.inputs / t.polarisations, t.polarisations, t.channels};
  const XEngineTileArgs args{static_cast<const unsigned char*>(t.samples),
                             t.channel_step,
                             t.time_step,
                             t.length,
                             shape.values(),
                             t.sums,
                             t.channels,
                             t.inputs,
                             t.polarisations,
                             t.add};
  const TileUnit unit = unit_of(kernel);
  const GpuKernel& found = kernel_for(unit, t.grouped, stream.device());
  // Blocks stay resident and go from tile to tile.
  const long long blocks = std::min<long long>(
      count_tiles(t.channels, t.inputs), found.blocks_at_once(unit.threads, unit.shared_bytes));
  found.launch(stream, {static_cast<unsigned>(blocks)}, {static_cast<unsigned>(unit.threads)},
               unit.shared_bytes, args);
}

}  // namespace tessera
