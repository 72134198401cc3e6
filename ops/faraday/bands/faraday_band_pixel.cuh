// SPDX-License-Identifier: Apache-2.0
// A pixel's channels one by one, where its voxels lie: for the reference and for threads of a GPU.
#pragma once

#include "ops/faraday/cuda/faraday_cubes.cuh"
#include "ops/faraday/faraday_band.cuh"

namespace tessera {

/// Cubes without data: weights of the channels, noise of the channels.
struct FaradayBandCubes {
  FaradaySource q, u, weight, sigma;
};

TESSERA_BOTH inline bool is_band_value(double value) { return value - value == 0; }

template <class T>
TESSERA_BOTH inline double band_sample(const FaradaySource& cube, long long x, long long y, int k) {
  return static_cast<const T*>(cube.data)[k * cube.plane + y * cube.row + x * cube.pixel];
}

/// The weight of a voxel; 0: it does not count.
template <class T>
TESSERA_BOTH inline double faraday_voxel_weight(const FaradayBandCubes& cubes,
                                                const FaradayBandChannel& channel, long long x,
                                                long long y, int k) {
  if (!(channel.weight > 0)) return 0;
  if (!is_band_value(band_sample<T>(cubes.q, x, y, k)) ||
      !is_band_value(band_sample<T>(cubes.u, x, y, k)))
    return 0;
  const double w = cubes.weight.data ? band_sample<T>(cubes.weight, x, y, k) : channel.weight;
  return is_band_weight(w) ? w : 0;
}

template <class T>
TESSERA_BOTH inline FaradayBandSums faraday_band_sums(const FaradayBandCubes& cubes,
                                                      const FaradayBandChannel* channels,
                                                      const FaradayBandRule& rule, long long x,
                                                      long long y) {
  FaradayBandSums sums;
  for (int k = 0; k < rule.channels; ++k) {
    const double w = faraday_voxel_weight<T>(cubes, channels[k], x, y, k);
    if (w > 0)
      sums.add(channels[k], rule.lambda2_0, w,
               cubes.sigma.data ? band_sample<T>(cubes.sigma, x, y, k) : channels[k].sigma);
  }
  return sums;
}

/// The factor of a voxel of weight w (FaradayBands::weigh).
TESSERA_BOTH inline double faraday_voxel_factor(const FaradayBandSums& sums, double w,
                                                const FaradayBandChannel& channel) {
  return band_times(w / channel.weight, sums.own / sums.weight);
}

}  // namespace tessera
