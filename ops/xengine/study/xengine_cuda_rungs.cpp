// SPDX-License-Identifier: Apache-2.0
// The talk's CUDA kernels, and the things that it had no time for. Samples are on the device.
#include "core/kernel.hpp"
#include "core/piece_launch.hpp"
#include "core/texture.hpp"
#include "ops/xengine/study/sums_args.cuh"
#include "ops/xengine/study/xengine_rungs.hpp"

namespace tessera {
namespace {

/// A kernel of one thread per pair, or per `each` by `each` of them.
struct ByHand {
  std::string id, title, unit, entry, body = "sums_";
  XEngineRoomKind kind = {GivenForm::time_input, MadeForm::full, false, true};
  int shared_bytes = 0, each = 1;
  int shared_percent = -1;  ///< of the memory that shared memory and L1 divide; -1: as usual
};

SumsArgs first_cycle(const XEngineCase& c, const XEngineRoom& room) {
  return {room.given, static_cast<int*>(room.made), c.inputs(), c.samples()};
}

PreparedRung described(const XEngineCase& c, const ByHand& way, const GpuKernel& kernel) {
  PreparedRung rung = described_xengine(c, way.kind.made);
  rung.block_x = rung.block_y = kSumsSide;
  rung.registers = kernel.registers();
  rung.shared_bytes = way.shared_bytes;
  return rung;
}

PreparedRung prepare_by_hand(const XEngineCase& c, const ByHand& way, Stream& stream) {
  const XEngineRoom& room = c.room(way.kind, stream);
  const GpuKernel& kernel = find_kernel(stream.device(), {way.unit, way.entry, "", ""});
  kernel.prefer_shared(way.shared_percent);
  PreparedRung rung = described(c, way, kernel);
  rung.run = [&kernel, &c, &room, way](Stream& on) {
    SumsArgs args = first_cycle(c, room);
    for (int cycle = 0; cycle < c.cycles(); ++cycle) {
      args.given = room.given_of(cycle);
      args.add = cycle > 0;
      launch_sums(kernel, args, c.channels(), way.shared_bytes, on, way.each);
    }
  };
  return rung;
}

PreparedRung prepare_texture(const XEngineCase& c, const ByHand& way, Stream& stream) {
  const XEngineRoom& room = c.room(way.kind, stream);
  const GpuKernel& kernel = find_kernel(stream.device(), {way.unit, way.entry, "", ""});
  const int texels = c.inputs() * c.samples() * c.channels();  // of a cycle
  const Texture texture = make_texture(stream.device(), room.given, 2LL * room.kept * texels, 2);
  PreparedRung rung = described(c, way, kernel);
  rung.run = [&kernel, &c, &room, texture, texels](Stream& on) {
    TextureSumsArgs args{first_cycle(c, room), texture.handle(), 0};
    for (int cycle = 0; cycle < c.cycles(); ++cycle) {
      args.first = cycle % room.kept * texels;
      args.sums.add = cycle > 0;
      const unsigned tiles = blocks_for(c.inputs(), kSumsSide);
      kernel.launch(on, {tiles, tiles * static_cast<unsigned>(c.channels())}, {kSumsThreads}, 0,
                    args);
    }
  };
  return rung;
}

std::vector<ByHand> ways_by_hand() {
  const XEngineRoomKind it{GivenForm::input_time, MadeForm::full, false, true};
  const XEngineRoomKind planes{GivenForm::planes, MadeForm::split, false, true};
  constexpr int kShared = kSumsSharedBytes;
  return {{.id = "gpu.it",
           .title = "[input][time], sums in global memory",
           .unit = "x1_sums_it",
           .entry = "sums_it_entry",
           .kind = it},
          {.id = "gpu.ti",
           .title = "[time][input], sums in global memory",
           .unit = "x2_sums_ti",
           .entry = "sums_ti_entry"},
          {.id = "gpu.shared",
           .title = "[time][input], sums in shared memory",
           .unit = "x3_sums_shared",
           .entry = "sums_shared_entry",
           .shared_bytes = kShared},
          {.id = "gpu.shared.banks",
           .title = "the same without bank conflicts",
           .unit = "x6_sums_banks",
           .entry = "sums_banks_entry",
           .shared_bytes = kShared},
          {.id = "gpu.shared.more-l1",
           .title = "banks, as much L1 as there can be",
           .unit = "x9_sums_split",
           .entry = "sums_more_l1_entry",
           .shared_bytes = kShared,
           .shared_percent = 0},
          {.id = "gpu.shared.less-l1",
           .title = "banks, as little L1 as there can be",
           .unit = "x9_sums_split",
           .entry = "sums_more_shared_entry",
           .shared_bytes = kShared,
           .shared_percent = 100},
          {.id = "gpu.registers",
           .title = "[time][input], sums in registers",
           .unit = "x4_sums_registers",
           .entry = "sums_registers_entry"},
          {.id = "gpu.planes.shared",
           .title = "the talk's planes, sums in shared memory",
           .unit = "x7_sums_planes",
           .entry = "plane_sums_shared_entry",
           .body = "plane_sums.",
           .kind = planes,
           .shared_bytes = kShared},
          {.id = "gpu.planes.registers",
           .title = "the talk's planes, sums in registers",
           .unit = "x7_sums_planes",
           .entry = "plane_sums_registers_entry",
           .body = "plane_sums.",
           .kind = planes},
          {.id = "gpu.tiles.2",
           .title = "2 by 2 pairs per thread, in registers",
           .unit = "x10_sums_tiles",
           .entry = "tiled_sums_2_entry",
           .body = "tiled_sums.",
           .each = 2},
          {.id = "gpu.tiles.4",
           .title = "4 by 4 pairs per thread, in registers",
           .unit = "x10_sums_tiles",
           .entry = "tiled_sums_4_entry",
           .body = "tiled_sums.",
           .each = 4},
          {.id = "gpu.texture",
           .title = "registers, samples by texture units",
           .unit = "x8_sums_texture",
           .entry = "texture_sums_entry",
           .body = "texture_sums."}};
}

std::vector<XEngineRung> make_cuda_rungs() {
  std::vector<XEngineRung> rungs;
  for (const ByHand& way : ways_by_hand())
    rungs.push_back({way.id,
                     way.title,
                     {xengine_ladder_file(way.unit), xengine_ladder_file(way.body)},
                     [way](const XEngineCase& c, Stream& s) {
                       return way.id == "gpu.texture" ? prepare_texture(c, way, s)
                                                      : prepare_by_hand(c, way, s);
                     }});
  for (XEngineRung& blas : xengine_blas_rungs()) rungs.push_back(std::move(blas));
  for (XEngineRung& streams : xengine_stream_rungs()) rungs.push_back(std::move(streams));
  for (XEngineRung& ours : our_xengine_rungs(Backend::cuda)) rungs.push_back(std::move(ours));
  return rungs;
}

}  // namespace

void launch_sums(const GpuKernel& kernel, const SumsArgs& args, int channels, int shared_bytes,
                 Stream& stream, int each) {
  const unsigned tiles = blocks_for(args.inputs, each * kSumsSide);
  kernel.launch(stream, {tiles, tiles * static_cast<unsigned>(channels)}, {kSumsThreads},
                shared_bytes, args);
}

const std::vector<XEngineRung>& xengine_cuda_rungs() {
  static const std::vector<XEngineRung> rungs = make_cuda_rungs();
  return rungs;
}

}  // namespace tessera
