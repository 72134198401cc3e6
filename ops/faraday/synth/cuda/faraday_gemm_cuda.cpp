// SPDX-License-Identifier: Apache-2.0
// Rotation measure synthesis on a GPU by products of matrices, in tiles of pixels.
#include <fmt/format.h>

#include <algorithm>

#include "core/device_blas.hpp"
#include "core/kernel.hpp"
#include "core/piece_launch.hpp"
#include "core/pools.hpp"
#include "core/resident.hpp"
#include "ops/faraday/synth/cuda/faraday_cuda.hpp"
#include "ops/faraday/synth/cuda/faraday_gemm_args.cuh"
#include "ops/faraday/synth/cuda/faraday_gemm_phases.hpp"

namespace tessera {
namespace {

/// Pixels per tile: enough to fill a device, few enough for packed channels and products to stay in
/// its cache.
constexpr int kMostTile = 8192, kLeastTile = 256;
constexpr long long kTileBytes = 64LL << 20;

/// Properties of a tile that are known before there are any images.
FaradayGemmArgs plan_tile(const FaradayProblem& p) {
  FaradayGemmArgs a{};
  a.channels = p.axes.channels();
  a.depths = p.axes.depths();
  a.symmetric = p.axes.symmetric();
  a.tile = kMostTile;
  const auto bytes = [&] {
    return (1LL * a.inner() + a.rows()) * a.columns() * bytes_of(p.image.type);
  };
  while (a.tile > kLeastTile && bytes() > kTileBytes) a.tile /= 2;
  // For the whole image, not for a call: a column's bits might depend on the number of columns.
  const long long pixels = 1LL * p.image.size.width * p.image.size.height,
                  whole = (pixels + kFaradayPackColumns - 1) / kFaradayPackColumns;
  a.tile = static_cast<int>(std::min<long long>(a.tile, whole * kFaradayPackColumns));
  return a;
}

/// Bytes of a tile's scratch memory, each part aligned.
struct TileBytes {
  TileBytes(const FaradayGemmArgs& a, Type type) {
    const auto aligned = [&](long long values) {
      return (static_cast<std::size_t>(values * bytes_of(type)) + 255) / 256 * 256;
    };
    packed = aligned(1LL * a.inner() * a.columns());
    product = aligned(1LL * a.rows() * a.columns());
    scale = aligned(a.tile);
  }
  std::size_t all() const { return packed + product + scale; }
  std::size_t packed, product, scale;
};

template <class T>
std::vector<T> rounded(const std::vector<double>& values) {
  return {values.begin(), values.end()};
}

class FaradayGemmCuda : public FaradayRunner {
 public:
  explicit FaradayGemmCuda(const FaradayProblem& p)
      : problem_(p),
        tile_(plan_tile(p)),
        bytes_(tile_, p.image.type),
        share_(p.device, faraday_shares(p.axes)),
        phases_(p.image.type == Type::f64
                    ? Resident(p.device, faraday_phases(p.axes))
                    : Resident(p.device, rounded<float>(faraday_phases(p.axes)))),
        pack_(kernel("pack")),
        combine_(kernel("combine")) {}

  void run(const FaradayCall& call, Stream& stream) const override {
    const auto fixed = static_cast<long long>(bytes_.all() + kDeviceProductBytes);
    run_faraday_strips("faraday", strip_of(call), {fixed, 0}, stream,
                       [this](const FaradayStrip& strip, Stream& lane) { enqueue(strip, lane); });
  }
  std::string describe() const override {
    return fmt::format("device {}, products of {}x{} and {}x{}, {}", problem_.device, tile_.rows(),
                       tile_.inner(), tile_.inner(), tile_.columns(), pack_.origin());
  }

 private:
  const GpuKernel& kernel(const std::string& step) const {
    const Type type = problem_.image.type;
    const std::string body = fmt::format("faraday_{}<{}>", step, kernel_type(type));
    return find_kernel(problem_.device,
                       {"faraday_gemm", fmt::format("faraday_{}_{}", step, name_of(type)),
                        force_run_time_kernels() ? body : "", "FaradayGemmArgs",
                        std::to_string(kFaradayGemmThreads)});
  }

  void enqueue(const FaradayStrip& strip, Stream& stream) const {
    const Scratch memory = stream.scratch(bytes_.all());
    FaradayGemmArgs a = tile_;
    a.cubes = cubes_of(strip);
    a.share = share_.as<double>();
    a.packed = memory.as<std::byte>();
    a.product = memory.as<std::byte>() + bytes_.packed;
    a.scale = memory.as<std::byte>() + bytes_.packed + bytes_.product;
    const int depths = a.symmetric ? a.half() : a.depths;
    const DeviceProduct product{problem_.image.type,
                                a.rows(),
                                a.inner(),
                                a.columns(),
                                phases_.as<std::byte>(),
                                a.packed,
                                const_cast<void*>(a.product)};
    for (a.first = 0; a.first < a.cubes.pixels; a.first += a.tile) {
      pack_.launch(stream, {blocks_for(a.tile, kFaradayPackColumns)}, {kFaradayGemmThreads},
                   kFaradayGemmThreads * static_cast<int>(sizeof(double)), a);
      multiply_on_device(product, stream);
      combine_.launch(stream,
                      {blocks_for(a.tile, kFaradayGemmThreads),
                       static_cast<unsigned>(std::min(depths, kMostBlocks))},
                      {kFaradayGemmThreads}, 0, a);
    }
    share_.used_by(stream);
    phases_.used_by(stream);
  }

  FaradayProblem problem_;
  FaradayGemmArgs tile_;
  TileBytes bytes_;
  Resident share_, phases_;
  const GpuKernel &pack_, &combine_;
};

}  // namespace

std::string why_no_faraday_gemm_on_device(const FaradayProblem& p) {
  if (std::string reason = why_no_device(p.device); !reason.empty()) return reason;
  if (std::string reason = why_no_device_blas(); !reason.empty()) return reason;
  const FaradayAxes& axes = p.axes;
  if (std::string reason = why_no_faraday_product(axes.depths(), axes.channels()); !reason.empty())
    return reason;
  const FaradayGemmArgs tile = plan_tile(p);
  const double bytes = 1.0 * tile.rows() * tile.inner() * bytes_of(p.image.type),
               memory = static_cast<double>(device_info(p.device).memory_bytes);
  if (bytes <= memory / 4) return "";
  return fmt::format("the phases of {} depths and {} channels take {}, the device has {}",
                     tile.depths, tile.channels, bytes_text(bytes), bytes_text(memory));
}

FaradayRunnerPointer make_faraday_gemm_cuda(const FaradayProblem& problem) {
  return std::make_unique<FaradayGemmCuda>(problem);
}

}  // namespace tessera
