// SPDX-License-Identifier: Apache-2.0
// The talk's CUDA kernels. Data are on the device.
#include "core/kernel.hpp"
#include "core/piece_launch.hpp"
#include "core/resident.hpp"
#include "ops/faraday/study/faraday_rungs.hpp"
#include "ops/faraday/study/synth_args.cuh"

namespace tessera {
namespace {

/// The turns in the precision asked for.
std::shared_ptr<const Resident> turns_on(int device, const FaradayCase& c, Type type) {
  if (type == Type::f64) return std::make_shared<const Resident>(device, turns_as<double>(c));
  return std::make_shared<const Resident>(device, turns_as<float>(c));
}

struct ByHand {
  std::string unit, entry;
  bool tiled = false;
};

PreparedRung prepare_by_hand(const FaradayCase& c, const ByHand& way, Type type, Stream& stream) {
  const FaradayRoom& room = c.room(type, FaradayForm::pixels, true, stream);
  const GpuKernel& kernel = find_kernel(
      stream.device(), {way.unit, way.entry + "_" + std::string(name_of(type)), "", ""});
  const auto turns = turns_on(stream.device(), c, type);
  const SynthArgs args{.given = room.given,
                       .turns = turns->as<std::byte>(),
                       .made = room.made,
                       .channels = c.axes().channels(),
                       .depths = c.axes().depths(),
                       .pixels = c.pixels()};
  const Extent3 grid =
      way.tiled ? Extent3{blocks_for(args.pixels, kSynthTile), blocks_for(args.depths, kSynthTile)}
                : Extent3{blocks_for(args.pixels * args.depths, kSynthThreads)};
  const int shared = way.tiled ? synth_shared_bytes(bytes_of(type)) : 0;
  PreparedRung rung = described_faraday(c, type);
  rung.block_x = kSynthThreads;
  rung.block_y = 1;
  rung.registers = kernel.registers();
  rung.shared_bytes = shared;
  rung.run = [&kernel, grid, shared, args, turns](Stream& on) {
    kernel.launch(on, grid, {kSynthThreads}, shared, args);
    turns->used_by(on);
  };
  return rung;
}

std::vector<FaradayRung> make_cuda_rungs() {
  std::vector<FaradayRung> rungs;
  for (const auto& [id, title, way] : {std::tuple{"gpu.naive", "by hand, one thread per result",
                                                  ByHand{"f1_synth_naive", "synth_naive", false}},
                                       {"gpu.tiled", "by hand, tiles in shared memory",
                                        ByHand{"f2_synth_tiled", "synth_tiled", true}}})
    add_faraday_rungs(rungs, id, title,
                      {faraday_ladder_file(way.unit), faraday_ladder_file("synth_")},
                      [w = way](const FaradayCase& c, Type type, Stream& s) {
                        return prepare_by_hand(c, w, type, s);
                      });
  for (FaradayRung& blas : faraday_blas_rungs()) rungs.push_back(std::move(blas));
  for (FaradayRung& streams : faraday_stream_rungs()) rungs.push_back(std::move(streams));
  for (FaradayRung& ours : our_faraday_rungs(Backend::cuda)) rungs.push_back(std::move(ours));
  return rungs;
}

}  // namespace

const std::vector<FaradayRung>& faraday_cuda_rungs() {
  static const std::vector<FaradayRung> rungs = make_cuda_rungs();
  return rungs;
}

}  // namespace tessera
