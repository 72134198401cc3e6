// SPDX-License-Identifier: Apache-2.0
// The method nufft on the CPU: tiles of pixels are packed, transformed slab by slab, and unpacked.
#include <fmt/format.h>

#include <numeric>

#include "core/isa.hpp"
#include "core/parallel.hpp"
#include "core/pools.hpp"
#include "core/stop.hpp"
#include "ops/faraday/synth/cpu/faraday_slabs.hpp"

namespace tessera {
namespace {

/// More depths would need tables of tens of megabytes; the plain product handles them.
constexpr int kMostDepths = 1 << 16;
/// Two slabs are packed at once: a single one would read one cache line per plane, and four do not
/// stay in the caches until they are unpacked (1, 2, 4 and 8 measured: 64, 55, 63 and 63 ms).
constexpr int kNufftWidth = 2 * kFaradaySlab;

class NufftCpu : public FaradayRunner {
 public:
  explicit NufftCpu(const FaradayProblem& problem)
      : used_(problem.axes),
        isa_(current_isa()),
        copy_(faraday_copy_function<float>()),
        way_(faraday_slab_way()),
        plan_(problem.axes, used_, faraday_slab_shape(problem.axes), way_.most_radix),
        depths_(static_cast<std::size_t>(plan_.depths)) {
    std::iota(depths_.begin(), depths_.end(), 0);
  }

  std::string describe() const override {
    return fmt::format("{}, {} transforms of {}, kernel of {}", isa_, plan_.shape.classes,
                       plan_.shape.points, plan_.width);
  }

  void run(const FaradayCall& call, Stream& stream) const override {
    parallel_for(faraday_tiles(call, kNufftWidth), stream.threads(),
                 [&](int index) { run_tile(call, index); });
  }

 private:
  void run_tile(const FaradayCall& call, int index) const {
    constexpr long long kRow = kSlabRow<float>;
    const long long turned = kRow * plan_.channels, cells = kRow * plan_.cells;
    const long long points = kRow * plan_.shape.points,
                    results = 2LL * kNufftWidth * (plan_.depths + 1);
    FaradayTile<float> tile(used_, kNufftWidth, copy_);
    const Scratch scratch =
        host_scratch(sizeof(float) * static_cast<std::size_t>(turned + cells + points + results));
    float* const work = scratch.as<float>();
    float* const made = work + turned + cells + points;
    tile.pack(call, index);
    for (int x = 0; x < tile.count(); x += kFaradaySlab) {
      poll_stop();
      way_.run(plan_, {tile.data() + x, made + x, 2LL * kNufftWidth, kNufftWidth, work,
                       work + turned, work + turned + cells});
    }
    tile.unpack(made, depths_, call);
  }

  FaradayUsed used_;
  std::string isa_;
  FaradayCopyFunction<float> copy_;
  FaradaySlabWay way_;
  FaradaySlabPlan plan_;
  std::vector<int> depths_;  ///< results are in their order
};

}  // namespace

std::string why_no_faraday_nufft(const FaradayProblem& p) {
  if (p.image.type != Type::f32)
    return fmt::format("it is accurate to 1e-5, which is enough for f32 and not for {}",
                       name_of(p.image.type));
  if (!p.axes.regular()) return "it needs two depths or more, one step apart";
  if (p.axes.depths() > kMostDepths)
    return fmt::format("it makes up to {} depths, not {}", kMostDepths, p.axes.depths());
  return "";
}

FaradayRunnerPointer make_faraday_nufft_cpu(const FaradayProblem& problem) {
  apply_isa_environment();
  return std::make_unique<NufftCpu>(problem);
}

// The model for slabs is that of a Neoverse N1 core, whose FMA peak is 48 GFLOP/s (16 per cycle, 3
// GHz).
double faraday_nufft_cpu_seconds(const FaradayProblem& p, const Machine& m) {
  const double slab = faraday_slab_nanoseconds(p.axes, faraday_slab_shape(p.axes));
  const double pixels = static_cast<double>(p.image.size.pixels()) / p.image.size.planes;
  const double bytes = 2.0 * static_cast<double>(bytes_of(p.image) + bytes_of(p.output));
  return pixels / kFaradaySlab * slab * 48 / m.cpu_flops + 2 * bytes / m.cpu_bytes_per_second;
}

}  // namespace tessera
