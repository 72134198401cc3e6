// SPDX-License-Identifier: Apache-2.0
// A pixel's channels one by one, where its voxels lie: for threads of a GPU.
#pragma once

#include "ops/faraday/cuda/faraday_cubes.cuh"
#include "ops/faraday/stokes/stokes_fit_result.cuh"

namespace tessera {

/// A channel: Legendre's polynomials P1 to P5 at its frequency, P0 replaced by its noise.
struct StokesChannel {
  double sigma;            ///< of the list; not above 0: not known
  double polynomial[5];    ///< P1 to P5
  double inverse_squared;  ///< 1 / f^2
};

/// A cube of sigma without data: that of the channels.
struct StokesCubes {
  FaradaySource i, sigma;
};

TESSERA_BOTH inline bool is_stokes_sigma(double sigma) {
  return sigma > 0 && is_stokes_value(sigma);
}

/// The polynomial of a trial at a channel, without p0.
TESSERA_BOTH inline double stokes_polynomial(const StokesTrial& trial, const StokesChannel& channel,
                                             int order) {
  double sum = 0;
  for (int j = 1; j <= order; ++j) sum = sum + trial.p[j] * channel.polynomial[j - 1];
  return sum;
}

TESSERA_BOTH inline double stokes_unit(double exponent) {
  const double inside = exponent > kStokesMostExponent    ? kStokesMostExponent
                        : exponent < -kStokesMostExponent ? -kStokesMostExponent
                                                          : exponent;
  return stokes_exp(inside);
}

TESSERA_BOTH inline double stokes_model(const StokesTrial& trial, const StokesChannel& channel,
                                        int order, bool log) {
  const double sum = stokes_polynomial(trial, channel, order);
  return log ? trial.p[0] * stokes_unit(sum) : trial.p[0] + sum;
}

/// Adds a channel with value y and weight w = 1 / sigma. With loss cauchy J^T J has the weights of
/// the slope, which lead down from anywhere, or for errors those of the second derivative.
TESSERA_BOTH inline void stokes_add(const StokesTrial& trial, const StokesChannel& channel,
                                    int order, const StokesRule& rule, int stage, double y,
                                    double w, StokesSums& sums) {
  const double sum = stokes_polynomial(trial, channel, order);
  const double unit = rule.log ? stokes_unit(sum) : 1;
  const double model = rule.log ? trial.p[0] * unit : trial.p[0] + sum;
  const double r = (y - model) * w, high = model * w;
  const double each = rule.log ? high : w;
  double slope_weight = 1, gram_weight = 1;
  if (stage != kStokesOfSquares) {
    const double z = r * r / rule.scale_squared, t = 1 + z;
    slope_weight = 1 / t;
    const double second = (1 - z) / (t * t);
    const double positive = second > 2.220446049250313e-16 ? second : 2.220446049250313e-16;
    gram_weight = stage == kStokesOfErrors ? positive : slope_weight;
    sums.loss = sums.loss + rule.scale_squared * stokes_log(t);
  } else {
    sums.loss = sums.loss + r * r;
  }
  sums.size = sums.size + high * high;
  const double pull = r * slope_weight;
  double d[kStokesTerms];
  for (int i = 0; i <= order; ++i) {
    d[i] = i == 0 ? unit * w : each * channel.polynomial[i - 1];
    const double weighted = d[i] * gram_weight;
    sums.slope[i] = sums.slope[i] + d[i] * pull;
    for (int j = 0; j <= i; ++j)
      sums.gram[stokes_gram_place(i, j)] = sums.gram[stokes_gram_place(i, j)] + weighted * d[j];
  }
}

/// One pixel of cubes of T.
template <class T>
struct StokesColumn {
  const StokesCubes& cubes;
  const StokesChannel* channels;
  const StokesRule& rule;
  long long x, y;

  TESSERA_BOTH double value(int k) const {
    return static_cast<const T*>(
        cubes.i.data)[k * cubes.i.plane + y * cubes.i.row + x * cubes.i.pixel];
  }
  TESSERA_BOTH double sigma(int k) const {
    return cubes.sigma.data ? static_cast<double>(static_cast<const T*>(
                                  cubes.sigma.data)[k * cubes.sigma.plane + y * cubes.sigma.row +
                                                    x * cubes.sigma.pixel])
                            : channels[k].sigma;
  }
  TESSERA_BOTH bool counts(int k) const {
    return is_stokes_value(value(k)) && is_stokes_sigma(sigma(k));
  }

  /// Integers in the order of doubles.
  TESSERA_BOTH static unsigned long long key_of(double number) {
    const auto bits = __builtin_bit_cast(unsigned long long, number);
    return (bits >> 63) != 0 ? ~bits : bits | (1ULL << 63);
  }
  TESSERA_BOTH static double of_key(unsigned long long key) {
    return __builtin_bit_cast(double, (key >> 63) != 0 ? key ^ (1ULL << 63) : ~key);
  }
  TESSERA_BOTH unsigned long long key(int k, bool of_sigma) const {
    return key_of(of_sigma ? sigma(k) : value(k));
  }
  /// The median over channels that count, found bit by bit from counts below a bound.
  TESSERA_BOTH double median(bool of_sigma, int count) const {
    const int rank = count / 2;
    unsigned long long bound = 0;
    int below = 0;
    for (int bit = 63; bit >= 0; --bit) {
      const unsigned long long higher = bound | 1ULL << bit;
      int lower = 0;
      for (int k = 0; k < rule.channels; ++k)
        if (counts(k) && key(k, of_sigma) < higher) ++lower;
      if (lower <= rank) {
        bound = higher;
        below = lower;
      }
    }
    if (count % 2 == 1 || below < rank) return of_key(bound);
    unsigned long long before = 0;  // the largest below
    for (int k = 0; k < rule.channels; ++k) {
      const unsigned long long one = key(k, of_sigma);
      if (counts(k) && one < bound && one > before) before = one;
    }
    return (of_key(before) + of_key(bound)) / 2;
  }

  TESSERA_BOTH StokesPixel look() const {
    StokesPixel pixel;
    double sum = 0;
    for (int k = 0; k < rule.channels; ++k)
      if (counts(k)) {
        ++pixel.channels;
        sum = sum + value(k);
        pixel.inverse_squares = pixel.inverse_squares + channels[k].inverse_squared;
      }
    if (pixel.channels == 0) return pixel;
    pixel.mean = sum / pixel.channels;
    pixel.median = median(false, pixel.channels);
    const bool known =
        !cubes.sigma.data && pixel.channels == rule.channels && rule.median_sigma > 0;
    pixel.median_sigma = known ? rule.median_sigma : median(true, pixel.channels);
    return pixel;
  }

  TESSERA_BOTH StokesSums sums(const StokesState& s) const {
    StokesSums made{};
    for (int k = 0; k < rule.channels; ++k)
      if (counts(k))
        stokes_add(s.trial, channels[k], s.order, rule, s.stage, value(k), 1 / sigma(k), made);
    return made;
  }
};

/// Why a pixel is not fitted at all; kStokesIsFitted: it is.
TESSERA_BOTH inline int stokes_refusal(const StokesPixel& pixel, const StokesRule& rule) {
  if (pixel.channels < rule.min_channels) return kStokesFewChannels;
  return rule.snr == 0 || pixel.snr() >= rule.snr ? kStokesIsFitted : kStokesLowSnr;
}

/// The rule for a pixel: one that lacks channels has no order that they cannot determine.
TESSERA_BOTH inline StokesRule stokes_rule_for(const StokesPixel& pixel, const StokesRule& rule) {
  StokesRule own = rule;
  if (own.first_order < own.last_order && own.last_order > pixel.channels - 1)
    own.last_order = pixel.channels - 1;
  return own;
}

/// Fits one pixel; `model` is where its first channel goes, `plane` the step to the next.
template <class T>
TESSERA_BOTH inline void stokes_fit_one(const StokesColumn<T>& column, T* model, long long plane,
                                        T* maps, long long maps_plane) {
  const StokesRule& rule = column.rule;
  const StokesPixel pixel = column.look();
  int end = stokes_refusal(pixel, rule);
  StokesState s;
  if (end == kStokesIsFitted) {
    const StokesRule own = stokes_rule_for(pixel, rule);
    stokes_begin(s, pixel.mean, own);
    while (s.phase == kStokesTries) stokes_advance(s, column.sums(s), own);
    end = stokes_end_of(s.phase);
  }
  if (end == kStokesIsFitted) {
    double least = 0, most = 0;
    for (int k = 0; k < rule.channels; ++k) {
      const double value = stokes_model(s.best, column.channels[k], s.best_order, rule.log);
      least = k == 0 || !(value >= least) ? value : least;
      most = k == 0 || !(value <= most) ? value : most;
    }
    if (!is_stokes_divisor(least, most, pixel.floor(rule.floor))) end = kStokesBelowFloor;
  }
  const StokesValues v =
      end == kStokesIsFitted ? stokes_values(s, pixel, rule) : stokes_no_values(pixel, end);
  for (int place = 0; place < kStokesPlaces; ++place)
    maps[place * maps_plane] = static_cast<T>(v.at[place]);
  for (int k = 0; model && k < rule.channels; ++k)
    model[k * plane] = static_cast<T>(
        end == kStokesIsFitted ? stokes_model(s.best, column.channels[k], s.best_order, rule.log)
                               : __builtin_bit_cast(double, 0x7ff8000000000000ULL));
}

}  // namespace tessera
