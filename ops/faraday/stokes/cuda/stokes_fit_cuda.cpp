// SPDX-License-Identifier: Apache-2.0
#include "ops/faraday/stokes/cuda/stokes_fit_cuda.hpp"

#include <fmt/format.h>

#include "core/kernel.hpp"
#include "core/piece_launch.hpp"
#include "core/resident.hpp"
#include "ops/faraday/cuda/faraday_staged_cuda.hpp"
#include "ops/faraday/stokes/cuda/stokes_fit_args.cuh"
#include "tessera/image.hpp"

namespace tessera {
namespace {

class StokesColumns : public StokesFitRunner {
 public:
  explicit StokesColumns(const StokesFitProblem& p)
      : device_(p.device),
        channels_(device_, p.channels),
        kernel_(find_kernel(device_, {"stokes_fit", p.image.type == Type::f64 ? "stokes_fit_f64"
                                                                              : "stokes_fit_f32"})),
        rule_(p.rule) {}

  void run(const StokesCall& call, Stream& stream) const override {
    run_faraday_strips("stokes fit", {{call.voxels.i, call.voxels.sigma}, {call.model, call.maps}},
                       {}, stream,
                       [this](const FaradayStrip& strip, Stream& lane) { enqueue(strip, lane); });
  }
  std::string describe() const override { return fmt::format("device {}", device_); }

 private:
  static FaradayTarget target(const AnyMutableView& view) {
    return {view.data, view.pixel, view.row, view.plane};
  }
  void enqueue(const FaradayStrip& strip, Stream& stream) const {
    StokesFitArgs a{};
    a.cubes = stokes_cubes(strip.in[0], strip.in[1]);
    a.model = target(strip.out[0]);
    a.maps = target(strip.out[1]);
    a.channels = channels_.as<StokesChannel>();
    a.rule = rule_;
    a.width = strip.in[0].size.width;
    a.pixels = 1LL * a.width * strip.rows();
    kernel_.launch(stream, {blocks_for(a.pixels, kStokesThreads)}, {kStokesThreads}, 0, a);
    channels_.used_by(stream);
  }

  int device_;
  Resident channels_;
  const GpuKernel& kernel_;
  StokesRule rule_;
};

}  // namespace

std::string why_no_stokes_columns(const StokesFitProblem& p) { return why_no_device(p.device); }

// 64 passes that count for the median and 6 of the fit, each at half of the memory bandwidth, and
// the copies of cubes of the host. Estimated by counting.
double stokes_columns_seconds(const StokesFitProblem& p, const Machine& m) {
  const auto bytes = static_cast<double>(bytes_of(p.image));
  return 30e-6 + 70 * bytes / (0.5 * m.device_bytes_per_second(p.device)) +
         (p.image.device == kHost ? link_seconds(p.device, bytes, bytes) : 0);
}

StokesFitRunnerPointer make_stokes_columns(const StokesFitProblem& problem) {
  return std::make_unique<StokesColumns>(problem);
}

}  // namespace tessera
