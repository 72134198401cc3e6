// SPDX-License-Identifier: Apache-2.0
// Bands, one block of pixels of a row at a time: every channel is read once, in the order of
// memory. Blocks that have all of their voxels share one answer.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/isa.hpp"
#include "core/parallel.hpp"
#include "ops/faraday/bands/cpu/faraday_bands_lanes.hpp"
#include "ops/faraday/bands/faraday_bands_problem.hpp"
#include "ops/faraday/bands/faraday_bands_views.hpp"

namespace tessera {
namespace {

/// Whole vectors of every target.
constexpr int kMostLanes = 8;
int padded(int count) { return (count + kMostLanes - 1) / kMostLanes * kMostLanes; }

/// Without branches, so that compilers make vectors of it.
template <class T>
bool are_finite(const T* from, long long step, int count) {
  using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  constexpr Bits kInfinite = std::bit_cast<Bits>(std::numeric_limits<T>::infinity());
  const auto is_not = [](T value) -> Bits {
    return (std::bit_cast<Bits>(value) & kInfinite) == kInfinite;
  };
  Bits found = 0;
  if (step == 1)
    for (int i = 0; i < count; ++i) found |= is_not(from[i]);
  else
    for (int i = 0; i < count; ++i) found |= is_not(from[i * step]);
  return found == 0;
}

/// One channel of a block in double.
template <class T>
struct BandSamples {
  double values[kFaradayBandBlock];

  const double* load(const FaradaySource& cube, int x, int y, int k, int count) {
    if (!cube.data) return nullptr;
    const T* from = static_cast<const T*>(cube.data) + k * cube.plane + y * cube.row;
    for (int i = 0; i < count; ++i) values[i] = from[(x + i) * cube.pixel];
    std::fill(values + count, values + padded(count), 0.0);
    return values;
  }
};

template <class T>
class BandRows : public FaradayBandsRunner {
 public:
  explicit BandRows(const FaradayBandsProblem& problem)
      : problem_(problem),
        isa_((apply_isa_environment(), current_isa())),
        add_(faraday_band_add()) {
    const double zeros[kMostLanes] = {};
    FaradayBandBlock sums{};
    for (const FaradayBandChannel& channel : problem_.channels)
      if (channel.weight > 0)
        add_({zeros, zeros, nullptr, nullptr}, channel, problem_.rule.lambda2_0, kMostLanes, sums);
    complete_ = sums.at(0);
  }

  void run(const FaradayVoxels& voxels, AnyMutableView bands, Stream& stream) const override {
    const FaradayBandCubes cubes = faraday_band_cubes(voxels);
    const View<T> out = bands.as<T>();
    for_blocks(out.size, stream, [&](int x, int y, int count) {
      const auto put = [&](int i, const FaradayBandValues& values) {
        for (int place = 0; place < kFaradayBandPlaces; ++place)
          out.at(x + i, y, 0, place) = static_cast<T>(values.at[place]);
      };
      if (is_complete(cubes, x, y, count)) {
        const FaradayBandValues values = faraday_band_values(complete_, problem_.rule);
        for (int i = 0; i < count; ++i) put(i, values);
        return;
      }
      const FaradayBandBlock sums = sums_of(cubes, x, y, count);
      for (int i = 0; i < count; ++i) put(i, faraday_band_values(sums.at(i), problem_.rule));
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

  /// Whether every channel that counts has finite voxels and no weights or noise of their own.
  bool is_complete(const FaradayBandCubes& cubes, int x, int y, int count) const {
    if (cubes.weight.data || cubes.sigma.data) return false;
    const auto are_there = [&](const FaradaySource& cube, int k) {
      const T* from = static_cast<const T*>(cube.data) + k * cube.plane + y * cube.row;
      return are_finite(from + x * cube.pixel, cube.pixel, count);
    };
    for (int k = 0; k < problem_.rule.channels; ++k)
      if (problem_.channels[static_cast<std::size_t>(k)].weight > 0 &&
          !(are_there(cubes.q, k) && are_there(cubes.u, k)))
        return false;
    return true;
  }

  FaradayBandBlock sums_of(const FaradayBandCubes& cubes, int x, int y, int count) const {
    FaradayBandBlock sums{};
    BandSamples<T> q, u, weight, sigma;
    for (int k = 0; k < problem_.rule.channels; ++k) {
      const FaradayBandChannel& channel = problem_.channels[static_cast<std::size_t>(k)];
      if (!(channel.weight > 0)) continue;
      add_({q.load(cubes.q, x, y, k, count), u.load(cubes.u, x, y, k, count),
            weight.load(cubes.weight, x, y, k, count), sigma.load(cubes.sigma, x, y, k, count)},
           channel, problem_.rule.lambda2_0, padded(count), sums);
    }
    return sums;
  }

  FaradayBandsProblem problem_;
  std::string isa_;
  FaradayBandAdd add_;
  FaradayBandSums complete_;  ///< of a pixel that has all channels
};

}  // namespace

FaradayBandsRunnerPointer make_faraday_bands_rows(const FaradayBandsProblem& problem) {
  if (problem.image.type == Type::f64) return std::make_unique<BandRows<double>>(problem);
  return std::make_unique<BandRows<float>>(problem);
}

}  // namespace tessera
