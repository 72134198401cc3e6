// SPDX-License-Identifier: Apache-2.0
// Bands, one block of pixels of a row at a time: every channel is read once, in the order of
// memory.
#include <algorithm>
#include <limits>

#include "core/isa.hpp"
#include "core/parallel.hpp"
#include "ops/faraday/bands/cpu/faraday_bands_lanes.hpp"
#include "ops/faraday/bands/faraday_bands_problem.hpp"
#include "ops/faraday/bands/faraday_bands_views.hpp"

namespace tessera {
namespace {

/// One channel of a block in double.
template <class T>
struct BandSamples {
  double values[kFaradayBandBlock];

  const double* load(const FaradaySource& cube, int x, int y, int k, int count) {
    if (!cube.data) return nullptr;
    const T* from = static_cast<const T*>(cube.data) + k * cube.plane + y * cube.row;
    for (int i = 0; i < count; ++i) values[i] = from[(x + i) * cube.pixel];
    std::fill(values + count, values + kFaradayBandBlock, 0.0);
    return values;
  }
};

template <class T>
class BandRows : public FaradayBandsRunner {
 public:
  explicit BandRows(const FaradayBandsProblem& problem)
      : problem_(problem),
        isa_((apply_isa_environment(), current_isa())),
        add_(faraday_band_add()) {}

  void run(const FaradayVoxels& voxels, AnyMutableView bands, Stream& stream) const override {
    const FaradayBandCubes cubes = faraday_band_cubes(voxels);
    const View<T> out = bands.as<T>();
    for_blocks(out.size, stream, [&](int x, int y, int count) {
      const FaradayBandBlock sums = sums_of(cubes, x, y, count);
      for (int i = 0; i < count; ++i) {
        const FaradayBandValues values = faraday_band_values(sums.at(i), problem_.rule);
        for (int place = 0; place < kFaradayBandPlaces; ++place)
          out.at(x + i, y, 0, place) = static_cast<T>(values.at[place]);
      }
    });
  }

  void weigh(const FaradayVoxels& voxels, AnyMutableView q, AnyMutableView u,
             Stream& stream) const override {
    const FaradayBandCubes cubes = faraday_band_cubes(voxels);
    const View<T> to_q = q.as<T>(), to_u = u.as<T>();
    for_blocks(to_q.size, stream, [&](int x, int y, int count) {
      const FaradayBandBlock sums = sums_of(cubes, x, y, count);
      for (int k = 0; k < problem_.rule.channels; ++k)
        for (int i = x; i < x + count; ++i) {
          const FaradayBandChannel& channel = problem_.channels[static_cast<std::size_t>(k)];
          const double w = faraday_voxel_weight<T>(cubes, channel, i, y, k);
          const double factor = w > 0 ? faraday_voxel_factor(sums.at(i - x), w, channel)
                                      : std::numeric_limits<double>::quiet_NaN();
          to_q.at(i, y, 0, k) = static_cast<T>(factor * band_sample<T>(cubes.q, i, y, k));
          to_u.at(i, y, 0, k) = static_cast<T>(factor * band_sample<T>(cubes.u, i, y, k));
        }
    });
  }
  std::string describe() const override { return isa_; }

 private:
  template <class Work>
  void for_blocks(const Size& size, const Stream& stream, const Work& work) const {
    const int blocks = (size.width + kFaradayBandBlock - 1) / kFaradayBandBlock;
    parallel_for(size.height * blocks, stream.threads(), [&](int unit) {
      const int x = unit % blocks * kFaradayBandBlock;
      work(x, unit / blocks, std::min(kFaradayBandBlock, size.width - x));
    });
  }

  FaradayBandBlock sums_of(const FaradayBandCubes& cubes, int x, int y, int count) const {
    FaradayBandBlock sums{};
    BandSamples<T> q, u, weight, sigma;
    for (int k = 0; k < problem_.rule.channels; ++k) {
      const FaradayBandChannel& channel = problem_.channels[static_cast<std::size_t>(k)];
      if (!(channel.weight > 0)) continue;
      add_({q.load(cubes.q, x, y, k, count), u.load(cubes.u, x, y, k, count),
            weight.load(cubes.weight, x, y, k, count), sigma.load(cubes.sigma, x, y, k, count)},
           channel, problem_.rule.lambda2_0, kFaradayBandBlock, sums);
    }
    return sums;
  }

  FaradayBandsProblem problem_;
  std::string isa_;
  FaradayBandAdd add_;
};

}  // namespace

FaradayBandsRunnerPointer make_faraday_bands_rows(const FaradayBandsProblem& problem) {
  if (problem.image.type == Type::f64) return std::make_unique<BandRows<double>>(problem);
  return std::make_unique<BandRows<float>>(problem);
}

}  // namespace tessera
