// SPDX-License-Identifier: Apache-2.0
// The sums over a pixel's channels and what follows from them: one rule for host and device, in
// double, nothing fused.
#pragma once

#include "tessera/view.hpp"

#if !defined(__CUDACC__)
#include <cmath>
#endif

namespace tessera {

/// Positions of the values, in the order of FaradayBand.
enum FaradayBandPlace : int {
  kFaradayBandNoise,
  kFaradayBandFwhm,
  kFaradayBandMean,
  kFaradayBandSpread,
  kFaradayBandChannels,
  kFaradayBandStretch,
  kFaradayBandLean,
  kFaradayBandPlaces
};

/// Values common to all pixels.
struct FaradayBandRule {
  double lambda2_0 = 0;  ///< sums are of lambda^2 - lambda2_0, which keeps their digits
  double fwhm = 0;       ///< of all channels
  int channels = 0;
};

/// A channel as the sums see it.
struct FaradayBandChannel {
  double lambda2 = 0;
  double weight = 0;  ///< 0: it never counts
  double sigma = 0;   ///< NaN: not known
};

TESSERA_BOTH inline double band_times(double a, double b) {
#if defined(__CUDA_ARCH__)
  return __dmul_rn(a, b);
#else
  return a * b;
#endif
}
TESSERA_BOTH inline double band_plus(double a, double b) {
#if defined(__CUDA_ARCH__)
  return __dadd_rn(a, b);
#else
  return a + b;
#endif
}

struct FaradayBandSums {
  double weight = 0, first = 0, second = 0;
  double squares = 0, first_squares = 0, second_squares = 0;  ///< of w sigma
  double least = 0, most = 0;  ///< of lambda^2, if there are channels
  double own = 0;              ///< sum of the axes' weights over the pixel's channels
  int channels = 0;

  /// A channel that counts, with the voxel's weight above 0.
  TESSERA_BOTH void add(const FaradayBandChannel& channel, double lambda2_0, double w,
                        double sigma) {
    const double away = band_plus(channel.lambda2, -lambda2_0), part = band_times(w, away);
    const double noise = band_times(w, sigma);
    weight = band_plus(weight, w);
    first = band_plus(first, part);
    second = band_plus(second, band_times(part, away));
    const double square = band_times(noise, noise), moment = band_times(square, away);
    squares = band_plus(squares, square);
    first_squares = band_plus(first_squares, moment);
    second_squares = band_plus(second_squares, band_times(moment, away));
    own = band_plus(own, channel.weight);
    least = channels == 0 || channel.lambda2 < least ? channel.lambda2 : least;
    most = channels == 0 || channel.lambda2 > most ? channel.lambda2 : most;
    ++channels;
  }
};

/// A weight that counts: above 0 and finite.
TESSERA_BOTH inline bool is_band_weight(double w) { return w > 0 && w < 1.7976931348623157e308; }

/// The values of a pixel.
struct FaradayBandValues {
  double at[kFaradayBandPlaces];
};

TESSERA_BOTH inline FaradayBandValues faraday_band_values(const FaradayBandSums& sums,
                                                          const FaradayBandRule& rule) {
#if defined(__CUDACC__)
  const double nothing = nan("");
#else
  using std::sqrt;
  const double nothing = std::nan("");
#endif
  FaradayBandValues v;
  for (double& value : v.at) value = nothing;
  v.at[kFaradayBandChannels] = sums.channels;
  if (sums.channels == 0) return v;
  const double mean = sums.first / sums.weight;
  const double variance = band_plus(sums.second / sums.weight, -band_times(mean, mean));
  const bool one_frequency = !(sums.most > sums.least);
  v.at[kFaradayBandNoise] = sqrt(sums.squares) / sums.weight;
  v.at[kFaradayBandMean] = band_plus(rule.lambda2_0, mean);
  // Rounding leaves a channel that is alone a variance which is not quite 0.
  v.at[kFaradayBandSpread] = one_frequency || !(variance > 0) ? 0 : sqrt(variance);
  v.at[kFaradayBandStretch] = 1;
  v.at[kFaradayBandLean] = 0;
  if (sums.squares > 0 && v.at[kFaradayBandSpread] > 0) {  // noise is known
    const double lean = sums.first_squares / sums.squares, spread = v.at[kFaradayBandSpread];
    const double square = band_plus(sums.second_squares / sums.squares,
                                    band_times(mean, band_plus(mean, -band_times(2, lean))));
    v.at[kFaradayBandStretch] = sqrt(square > 0 ? square : 0) / spread;
    v.at[kFaradayBandLean] = band_plus(lean, -mean) / spread;
  }
  v.at[kFaradayBandFwhm] = one_frequency         ? rule.fwhm
                           : rule.lambda2_0 == 0 ? 2 / band_plus(sums.most, sums.least)
                                                 : 3.8 / band_plus(sums.most, -sums.least);
  return v;
}

}  // namespace tessera
