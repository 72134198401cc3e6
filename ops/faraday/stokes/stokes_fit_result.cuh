// SPDX-License-Identifier: Apache-2.0
// From the curve over the band to coefficients at the reference frequency, with their covariance.
#pragma once

#include "ops/faraday/stokes/stokes_fit_step.cuh"

namespace tessera {

/// Places of the values: StokesPlanes of tessera/stokes_fit.hpp, which device code does not read.
enum StokesPlace : int {
  kStokesCoefficient = 0,
  kStokesError = 6,
  kStokesCovariance = 12,
  kStokesAlpha = 33,
  kStokesAlphaError,
  kStokesOrder,
  kStokesReference,
  kStokesChiSquared,
  kStokesReduced,
  kStokesSnr,
  kStokesChannels,
  kStokesStatus,
  kStokesPlaces
};

/// StokesStatus.
enum StokesEnd : int {
  kStokesIsFitted,
  kStokesFewChannels,
  kStokesLowSnr,
  kStokesIsUndetermined,
  kStokesNotConverged,
  kStokesBelowFloor
};

/// Properties of a pixel that are known before the fit.
struct StokesPixel {
  int channels = 0;
  double inverse_squares = 0;  ///< sum of 1 / f^2
  double mean = 0;             ///< of I
  double median = 0, median_sigma = 0;

  TESSERA_BOTH double root() const {
#if !defined(__CUDACC__)
    using std::sqrt;
#endif
    return sqrt(static_cast<double>(channels));
  }
  TESSERA_BOTH double snr() const { return median * root() / median_sigma; }
  TESSERA_BOTH double floor(double sigmas) const { return sigmas * (median_sigma / root()); }
};

struct StokesValues {
  double at[kStokesPlaces];
};

/// NaN in all places, except those that pixels have that are not fitted.
TESSERA_BOTH inline StokesValues stokes_no_values(const StokesPixel& pixel, int status) {
  StokesValues v;
  for (double& value : v.at) value = __builtin_bit_cast(double, 0x7ff8000000000000ULL);
  v.at[kStokesChannels] = pixel.channels;
  if (pixel.channels > 0) v.at[kStokesSnr] = pixel.snr();
  v.at[kStokesStatus] = status;
  return v;
}

/// Powers of u from Legendre's polynomials of a + b u: sum over j of p_j P_j = sum over k of u^k
/// sum over j of at[k][j] p_j.
struct StokesPowers {
  double at[kStokesTerms][kStokesTerms];
};

TESSERA_BOTH inline StokesPowers stokes_powers(double a, double b) {
  constexpr double kLegendre[kStokesTerms][kStokesTerms] = {{1, 0, 0, 0, 0, 0},
                                                            {0, 1, 0, 0, 0, 0},
                                                            {-0.5, 0, 1.5, 0, 0, 0},
                                                            {0, -1.5, 0, 2.5, 0, 0},
                                                            {0.375, 0, -3.75, 0, 4.375, 0},
                                                            {0, 1.875, 0, -8.75, 0, 7.875}};
  StokesPowers powers;
  double of[kStokesTerms][kStokesTerms];  // (a + b u)^i in powers of u
  for (int i = 0; i < kStokesTerms; ++i)
    for (int k = 0; k < kStokesTerms; ++k) {
      if (i == 0)
        of[i][k] = k == 0 ? 1 : 0;
      else
        of[i][k] = of[i - 1][k] * a + (k > 0 ? of[i - 1][k - 1] * b : 0);
    }
  for (int k = 0; k < kStokesTerms; ++k)
    for (int j = 0; j < kStokesTerms; ++j) {
      double sum = 0;
      for (int i = 0; i <= j; ++i) sum = sum + kLegendre[j][i] * of[i][k];
      powers.at[k][j] = sum;
    }
  return powers;
}

/// out = J V J^T with V the inverse of J^T J in terms of the trial, for terms 0 to order.
TESSERA_BOTH inline void stokes_covariance(const StokesSums& sums, int order,
                                           const StokesPowers& jacobian, double* out) {
  double lower[kStokesGram], scale[kStokesTerms];
  stokes_factor(sums, order, 0, lower, scale);
  // Rows of J scale L^-T: the covariance is their product with themselves.
  double rows[kStokesTerms][kStokesTerms];
  for (int k = 0; k <= order; ++k)
    for (int i = 0; i <= order; ++i) {
      double sum = jacobian.at[k][i] * scale[i];
      for (int j = 0; j < i; ++j) sum = sum - lower[stokes_gram_place(i, j)] * rows[k][j];
      rows[k][i] = sum / lower[stokes_gram_place(i, i)];
    }
  for (int i = 0; i < kStokesTerms; ++i)
    for (int j = 0; j <= i; ++j) {
      double sum = 0;
      for (int k = 0; i <= order && k <= order; ++k) sum = sum + rows[i][k] * rows[j][k];
      out[stokes_gram_place(i, j)] = sum;
    }
}

/// alpha and its error, from coefficients and their covariance.
TESSERA_BOTH inline void stokes_alpha(bool log, int order, StokesValues& v) {
#if !defined(__CUDACC__)
  using std::sqrt;
#endif
  const double* const c = v.at + kStokesCoefficient;
  const double* const covariance = v.at + kStokesCovariance;
  if (log) {
    v.at[kStokesAlpha] = order > 0 ? c[1] : 0;
    v.at[kStokesAlphaError] = order > 0 ? sqrt(covariance[stokes_gram_place(1, 1)]) : 0;
    return;
  }
  double value = 0, slope = 0;
  for (int k = 0; k <= order; ++k) {
    value = value + c[k];
    slope = slope + k * c[k];
  }
  const double alpha = slope / value;
  double variance = 0;
  for (int i = 0; i <= order; ++i)
    for (int j = 0; j <= order; ++j)
      variance =
          variance + ((i - alpha) / value) * ((j - alpha) / value) *
                         covariance[i >= j ? stokes_gram_place(i, j) : stokes_gram_place(j, i)];
  v.at[kStokesAlpha] = alpha;
  v.at[kStokesAlphaError] = sqrt(variance > 0 ? variance : 0);
}

/// The results of a pixel whose fit has ended well.
TESSERA_BOTH inline StokesValues stokes_values(const StokesState& s, const StokesPixel& pixel,
                                               const StokesRule& rule) {
#if !defined(__CUDACC__)
  using std::sqrt;
#endif
  StokesValues v = stokes_no_values(pixel, kStokesIsFitted);
  const int order = s.best_order;
  const double reference =
      rule.reference > 0 ? rule.reference : 1 / sqrt(pixel.inverse_squares / pixel.channels);
  StokesPowers powers =
      rule.log ? stokes_powers((stokes_log(reference) / kStokesLn10 - rule.middle) / rule.half,
                               1 / rule.half)
               : stokes_powers(-rule.middle / rule.half, reference / rule.half);
  double* const c = v.at + kStokesCoefficient;
  for (int k = 0; k < kStokesTerms; ++k) {
    double sum = 0;
    for (int j = rule.log ? 1 : 0; k <= order && j <= order; ++j)
      sum = sum + powers.at[k][j] * s.best.p[j];
    c[k] = rule.log && k > 0 ? sum / kStokesLn10 : sum;
  }
  if (rule.log) {
    const double share = stokes_exp(c[0] > kStokesMostExponent    ? kStokesMostExponent
                                    : c[0] < -kStokesMostExponent ? -kStokesMostExponent
                                                                  : c[0]);
    c[0] = s.best.p[0] * share;
    for (int j = 1; j < kStokesTerms; ++j) {
      powers.at[0][j] = c[0] * powers.at[0][j];
      for (int k = 1; k < kStokesTerms; ++k) powers.at[k][j] = powers.at[k][j] / kStokesLn10;
    }
    powers.at[0][0] = share;  // and nothing else depends on p0
  }
  stokes_covariance(s.best_sums, order, powers, v.at + kStokesCovariance);
  for (int k = 0; k < kStokesTerms; ++k)
    v.at[kStokesError + k] = sqrt(v.at[kStokesCovariance + stokes_gram_place(k, k)]);
  stokes_alpha(rule.log, order, v);
  v.at[kStokesOrder] = order;
  v.at[kStokesReference] = reference;
  v.at[kStokesChiSquared] = s.best_sums.loss;
  if (const int spare = pixel.channels - order - 1; spare > 0)
    v.at[kStokesReduced] = s.best_sums.loss / spare;
  return v;
}

TESSERA_BOTH inline int stokes_end_of(int phase) {
  return phase == kStokesFitted         ? kStokesIsFitted
         : phase == kStokesUndetermined ? kStokesIsUndetermined
                                        : kStokesNotConverged;
}

/// Whether Q and U can be divided by a model with these extremes; a floor below 0: all can.
TESSERA_BOTH inline bool is_stokes_divisor(double least, double most, double floor) {
  if (floor < 0) return is_stokes_value(least) && is_stokes_value(most);
  return least > (floor > 1.17549435e-38 ? floor : 1.17549435e-38) && most <= 3.4028234663852886e38;
}

}  // namespace tessera
