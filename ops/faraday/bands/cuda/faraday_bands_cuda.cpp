// SPDX-License-Identifier: Apache-2.0
#include "ops/faraday/bands/cuda/faraday_bands_cuda.hpp"

#include <fmt/format.h>

#include "core/kernel.hpp"
#include "core/piece_launch.hpp"
#include "core/resident.hpp"
#include "ops/faraday/bands/cuda/faraday_bands_args.cuh"
#include "ops/faraday/bands/faraday_bands_views.hpp"

namespace tessera {
namespace {

class BandColumns : public FaradayBandsRunner {
 public:
  explicit BandColumns(const FaradayBandsProblem& p)
      : device_(p.device),
        channels_(device_, p.channels),
        bands_(kernel(p, "faraday_bands")),
        weigh_(kernel(p, "faraday_weigh")),
        rule_(p.rule) {}

  void run(const FaradayVoxels& voxels, AnyMutableView bands, Stream& stream) const override {
    FaradayBandsArgs a = args_of(voxels);
    a.bands = target(bands);
    launch(bands_, a, stream);
  }
  void weigh(const FaradayVoxels& voxels, AnyMutableView q, AnyMutableView u,
             Stream& stream) const override {
    FaradayBandsArgs a = args_of(voxels);
    a.q = target(q);
    a.u = target(u);
    launch(weigh_, a, stream);
  }
  std::string describe() const override { return fmt::format("device {}", device_); }

 private:
  static const GpuKernel& kernel(const FaradayBandsProblem& p, const std::string& name) {
    return find_kernel(p.device,
                       {"faraday_bands", name + (p.image.type == Type::f64 ? "_f64" : "_f32")});
  }
  static FaradayTarget target(const AnyMutableView& view) {
    return {view.data, view.pixel, view.row, view.plane};
  }
  FaradayBandsArgs args_of(const FaradayVoxels& voxels) const {
    FaradayBandsArgs a{};
    a.cubes = faraday_band_cubes(voxels);
    a.channels = channels_.as<FaradayBandChannel>();
    a.rule = rule_;
    a.width = voxels.q.size.width;
    a.pixels = 1LL * a.width * voxels.q.size.height;
    return a;
  }
  void launch(const GpuKernel& kernel, const FaradayBandsArgs& a, Stream& stream) const {
    kernel.launch(stream, {blocks_for(a.pixels, kFaradayBandThreads)}, {kFaradayBandThreads}, 0, a);
    channels_.used_by(stream);
  }

  int device_;
  Resident channels_;
  const GpuKernel &bands_, &weigh_;
  FaradayBandRule rule_;
};

}  // namespace

std::string why_no_faraday_band_columns(const FaradayBandsProblem& p) {
  if (std::string reason = why_no_device(p.device); !reason.empty()) return reason;
  return p.image.device == kHost ? "the cubes are in host memory, where one pass is shorter than "
                                   "the copy to a device"
                                 : "";
}

// Q and U are read once at 80% of the memory bandwidth. Estimated by counting.
double faraday_band_columns_seconds(const FaradayBandsProblem& p, const Machine& m) {
  return 10e-6 +
         2 * static_cast<double>(bytes_of(p.image)) / (0.8 * m.device_bytes_per_second(p.device));
}

FaradayBandsRunnerPointer make_faraday_band_columns(const FaradayBandsProblem& problem) {
  return std::make_unique<BandColumns>(problem);
}

}  // namespace tessera
