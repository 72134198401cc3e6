// SPDX-License-Identifier: Apache-2.0
// The talk's CUDA programs: kernels by hand, and cuBLAS. Samples are on the device.
#include "core/device_blas.hpp"
#include "core/kernel.hpp"
#include "core/piece_launch.hpp"
#include "ops/xengine/study/sums_args.cuh"
#include "ops/xengine/study/xengine_rungs.hpp"

namespace tessera {
namespace {

const GpuKernel& factors_kernel(Stream& stream) {
  return find_kernel(stream.device(), {"x5_sums_factors", "make_factors_entry", "", ""});
}

XEngineRung by_hand(const std::string& id, const std::string& title, const std::string& unit,
                    const std::string& entry, const XEngineRoomKind& kind, int shared_bytes) {
  const auto prepare = [unit, entry, kind, shared_bytes](const XEngineCase& c, Stream& stream) {
    const XEngineRoom& room = c.room(kind, stream);
    const GpuKernel& kernel = find_kernel(stream.device(), {unit, entry, "", ""});
    const SumsArgs args{room.given, static_cast<int*>(room.made), c.inputs(), c.samples()};
    PreparedRung rung = described_xengine(c, kind.made);
    rung.block_x = rung.block_y = kSumsSide;
    rung.registers = kernel.registers();
    rung.shared_bytes = shared_bytes;
    rung.run = [&kernel, args, channels = c.channels(), shared_bytes](Stream& on) {
      launch_sums(kernel, args, channels, shared_bytes, on);
    };
    return rung;
  };
  return {id, title, {xengine_ladder_file(unit), xengine_ladder_file("sums_")}, prepare};
}

PreparedRung prepare_blas(const XEngineCase& c, Stream& stream) {
  if (std::string reason = why_no_device_blas(); !reason.empty()) return {.absent = reason};
  const XEngineRoom& room = c.room({GivenForm::time_input, MadeForm::split, true, true}, stream);
  PreparedRung rung = described_xengine(c, MadeForm::split);
  rung.registers = factors_kernel(stream).registers();
  rung.run = blas_sums(c, room.given, static_cast<float*>(room.made), stream);
  return rung;
}

std::vector<XEngineRung> make_cuda_rungs() {
  const XEngineRoomKind it{GivenForm::input_time, MadeForm::full, false, true};
  const XEngineRoomKind ti{GivenForm::time_input, MadeForm::full, false, true};
  std::vector<XEngineRung> rungs{
      by_hand("gpu.it", "[input][time], sums in global memory", "x1_sums_it", "sums_it_entry", it,
              0),
      by_hand("gpu.ti", "[time][input], sums in global memory", "x2_sums_ti", "sums_ti_entry", ti,
              0),
      by_hand("gpu.shared", "[time][input], sums in shared memory", "x3_sums_shared",
              "sums_shared_entry", ti, kSumsSharedBytes),
      by_hand("gpu.registers", "[time][input], sums in registers", "x4_sums_registers",
              "sums_registers_entry", ti, 0),
      {"gpu.blas",
       "to floats, cuBLAS, one product per channel",
       {xengine_ladder_file("xengine_cuda_rungs."), xengine_ladder_file("x5_")},
       prepare_blas}};
  for (XEngineRung& streams : xengine_stream_rungs()) rungs.push_back(std::move(streams));
  for (XEngineRung& ours : our_xengine_rungs(Backend::cuda)) rungs.push_back(std::move(ours));
  return rungs;
}

}  // namespace

void launch_sums(const GpuKernel& kernel, const SumsArgs& args, int channels, int shared_bytes,
                 Stream& stream) {
  const unsigned tiles = blocks_for(args.inputs, kSumsSide);
  kernel.launch(stream, {tiles, tiles * static_cast<unsigned>(channels)}, {kSumsThreads},
                shared_bytes, args);
}

std::function<void(Stream&)> blas_sums(const XEngineCase& c, const signed char* given, float* made,
                                       Stream& stream) {
  const GpuKernel& kernel = factors_kernel(stream);
  const long long samples = 1LL * c.inputs() * c.samples();  // of a channel
  const auto floats = [&](long long count) {
    return std::make_shared<Scratch>(
        stream.scratch(static_cast<std::size_t>(count * c.channels()) * sizeof(float)));
  };
  const auto left = floats(4 * samples), right = floats(2 * samples);
  const FactorsArgs args{given,
                         static_cast<float*>(left->data()),
                         static_cast<float*>(right->data()),
                         c.inputs(),
                         c.samples(),
                         samples * c.channels()};
  return [&kernel, &c, made, args, left, right, samples](Stream& on) {
    kernel.launch(on, {blocks_for(args.count, kSumsThreads)}, {kSumsThreads}, 0, args);
    for (int k = 0; k < c.channels(); ++k)
      multiply_on_device(
          {Type::f32, 2 * c.inputs(), 2 * c.samples(), c.inputs(), args.left + 4 * samples * k,
           args.right + 2 * samples * k, made + 2LL * c.inputs() * c.inputs() * k},
          on);
  };
}

const std::vector<XEngineRung>& xengine_cuda_rungs() {
  static const std::vector<XEngineRung> rungs = make_cuda_rungs();
  return rungs;
}

}  // namespace tessera
