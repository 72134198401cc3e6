// SPDX-License-Identifier: Apache-2.0
// The definition of the bands, pixel by pixel. If a fast path differs from it, the fast path is
// wrong.
#include <limits>

#include "core/parallel.hpp"
#include "ops/faraday/bands/faraday_band_pixel.cuh"
#include "ops/faraday/bands/faraday_bands_problem.hpp"
#include "ops/faraday/bands/faraday_bands_views.hpp"

namespace tessera {
namespace {

template <class T>
class BandsReference : public FaradayBandsRunner {
 public:
  explicit BandsReference(const FaradayBandsProblem& problem) : problem_(problem) {}

  void run(const FaradayVoxels& voxels, AnyMutableView bands, Stream& stream) const override {
    const FaradayBandCubes cubes = faraday_band_cubes(voxels);
    const View<T> out = bands.as<T>();
    parallel_for(out.size.height, stream.threads(), [&](int y) {
      for (int x = 0; x < out.size.width; ++x) {
        const FaradayBandValues values = faraday_band_values(sums_of(cubes, x, y), problem_.rule);
        for (int place = 0; place < kFaradayBandPlaces; ++place)
          out.at(x, y, 0, place) = static_cast<T>(values.at[place]);
      }
    });
  }

  void weigh(const FaradayVoxels& voxels, AnyMutableView q, AnyMutableView u,
             Stream& stream) const override {
    const FaradayBandCubes cubes = faraday_band_cubes(voxels);
    const View<T> to_q = q.as<T>(), to_u = u.as<T>();
    parallel_for(to_q.size.height, stream.threads(), [&](int y) {
      for (int x = 0; x < to_q.size.width; ++x) {
        const FaradayBandSums sums = sums_of(cubes, x, y);
        for (int k = 0; k < problem_.rule.channels; ++k) {
          const FaradayBandChannel& channel = problem_.channels[static_cast<std::size_t>(k)];
          const double w = faraday_voxel_weight<T>(cubes, channel, x, y, k);
          const double factor = w > 0 ? faraday_voxel_factor(sums, w, channel)
                                      : std::numeric_limits<double>::quiet_NaN();
          to_q.at(x, y, 0, k) = static_cast<T>(factor * band_sample<T>(cubes.q, x, y, k));
          to_u.at(x, y, 0, k) = static_cast<T>(factor * band_sample<T>(cubes.u, x, y, k));
        }
      }
    });
  }
  std::string describe() const override { return "double"; }

 private:
  FaradayBandSums sums_of(const FaradayBandCubes& cubes, int x, int y) const {
    return faraday_band_sums<T>(cubes, problem_.channels.data(), problem_.rule, x, y);
  }

  FaradayBandsProblem problem_;
};

}  // namespace

FaradayBandsRunnerPointer make_faraday_bands_reference(const FaradayBandsProblem& problem) {
  if (problem.image.type == Type::f64) return std::make_unique<BandsReference<double>>(problem);
  return std::make_unique<BandsReference<float>>(problem);
}

}  // namespace tessera
