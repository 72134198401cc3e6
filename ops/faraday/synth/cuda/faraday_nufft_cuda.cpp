// SPDX-License-Identifier: Apache-2.0
// Rotation measure synthesis on a GPU by NUFFT: tables and launches.
#include <fmt/format.h>

#include <algorithm>

#include "core/kernel.hpp"
#include "core/piece_launch.hpp"
#include "core/resident.hpp"
#include "ops/faraday/cuda/faraday_team_shape.hpp"
#include "ops/faraday/synth/cuda/faraday_cuda.hpp"
#include "ops/faraday/synth/cuda/faraday_nufft_shape.hpp"

namespace tessera {
namespace {

int shared_bytes(int device) { return device_info(device).shared_bytes_per_block; }

class FaradayNufftCuda : public FaradayRunner {
 public:
  explicit FaradayNufftCuda(const FaradayProblem& p)
      : FaradayNufftCuda(p, {p.axes, divide_faraday_nufft(p.axes, shared_bytes(p.device))}) {}

  void run(const FaradayCall& call, Stream& stream) const override {
    run_faraday_strips("faraday", strip_of(call), {}, stream,
                       [this](const FaradayStrip& strip, Stream& lane) { enqueue(strip, lane); });
  }
  std::string describe() const override {
    const FaradayNufftShape& s = args_.shape;
    return fmt::format("device {}, grid of {} x {}, {} pixels per block, {}", device_, s.parts,
                       s.line.length, s.line.lines, kernel_.origin());
  }

 private:
  FaradayNufftCuda(const FaradayProblem& p, const FaradayNufftTables& t)
      : device_(p.device),
        channels_(device_, t.channels),
        groups_(device_, t.groups),
        weights_(device_, t.weights),
        shifts_(device_, t.shifts),
        turns_(device_, t.turns),
        correction_(device_, t.correction),
        compiled_(faraday_compiling_pays(p.image, p.device, "faraday_nufft")),
        memory_(t.shape, static_cast<int>(t.channels.size()), compiled_),
        kernel_(kernel_for(t.shape)) {
    args_.shape = t.shape;
    args_.passes = line_passes(t.shape.line.length);
    args_.channels = channels_.as<FaradayNufftChannel>();
    args_.groups = groups_.as<FaradayNufftGroup>();
    args_.weights = weights_.as<float>();
    args_.shifts = shifts_.as<LineValue>();
    args_.turns = turns_.as<LineValue>();
    args_.correction = correction_.as<LineValue>();
    args_.channel_count = static_cast<int>(t.channels.size());
    args_.depths = p.axes.depths();
    args_.chunk = memory_.chunk;
  }

  /// Blocks per multiprocessor for which there is memory; more than four would leave them too few
  /// registers.
  int blocks_at_once() const {
    constexpr int kTakenBesides = 1 << 10;
    const int all = shared_bytes(device_) + kTakenBesides;
    return std::clamp(all / (memory_.bytes + kTakenBesides), 1, 4);
  }

  const GpuKernel& kernel_for(const FaradayNufftShape& s) const {
    const std::string body =
        fmt::format("faraday_nufft_pixels<FaradayNufftShape{{{{{}, {}}}, {}, {}, {}}}>",
                    s.line.length, s.line.lines, s.parts, s.cells, s.kept);
    return find_kernel(
        device_, {"faraday_nufft", "faraday_nufft_any", compiled_ ? body : "", "FaradayNufftArgs",
                  fmt::format("{}, {}", kLineThreads, blocks_at_once())});
  }

  void enqueue(const FaradayStrip& strip, Stream& stream) const {
    FaradayNufftArgs args = args_;
    args.cubes = cubes_of(strip);
    kernel_.launch(stream, {blocks_for(args.cubes.pixels, args.shape.line.lines)}, {kLineThreads},
                   memory_.bytes, args);
    for (const Resident* table : {&channels_, &groups_, &weights_, &shifts_, &turns_, &correction_})
      table->used_by(stream);
  }

  int device_;
  Resident channels_, groups_, weights_, shifts_, turns_, correction_;
  bool compiled_;
  FaradayNufftMemory memory_;
  const GpuKernel& kernel_;
  FaradayNufftArgs args_{};
};

}  // namespace

std::string why_no_faraday_nufft_on_device(const FaradayProblem& p) {
  if (std::string reason = why_no_device(p.device); !reason.empty()) return reason;
  if (p.image.type != Type::f32) return "its accuracy is enough for f32 only";
  return divide_faraday_nufft(p.axes, shared_bytes(p.device)).reason;
}

FaradayRunnerPointer make_faraday_nufft_cuda(const FaradayProblem& problem) {
  return std::make_unique<FaradayNufftCuda>(problem);
}

}  // namespace tessera
