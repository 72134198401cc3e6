// SPDX-License-Identifier: Apache-2.0
// The results computed from the few numbers that a pass over a spectrum finds: one rule for host
// and device, in double.
#pragma once

#include "ops/faraday/faraday_band.cuh"
#include "tessera/view.hpp"

#if !defined(__CUDACC__)
#include <cmath>
#endif

namespace tessera {

/// Positions of the values, in the order of FaradayMap.
enum FaradayPlace : int {
  kFaradayMaxPi,
  kFaradayPeakRm,
  kFaradayRm,
  kFaradayRmError,
  kFaradayPi,
  kFaradayPiDebiased,
  kFaradaySnr,
  kFaradayAngle,
  kFaradayAngleError,
  kFaradayAngle0,
  kFaradayAngle0Error,
  kFaradayNoise,
  kFaradaySecondMoment,
  kFaradayRmErrorFwhm,
  kFaradayPlaces
};

/// Values common to all spectra of a problem.
struct FaradayPeakRule {
  FaradayBandValues band{};  ///< of pixels whose own is not given; NaN noise: measured
  double lambda2_0 = 0;
  double lowest_phi = 0, highest_phi = 0;
  double step = 0;  ///< the smallest between depths; 0: there is none
  int depths = 0;
};

/// Measured noise leaves out depths [peak - guard, peak + guard).
TESSERA_BOTH inline int faraday_guard(const FaradayPeakRule& rule, double fwhm) {
#if !defined(__CUDACC__)
  using std::ceil;
#endif
  const double steps = 2 * ceil(fwhm / rule.step);  // infinite without a step
  return steps < rule.depths ? static_cast<int>(steps) : rule.depths;
}

/// Findings of a pass. Among equals the first wins; NaN never does.
struct FaradayTop {
  int highest = -1;    ///< index of the largest |F| of all depths; -1: all are NaN
  int index = -1;      ///< the same without the first and the last depth
  double max_pi = 0;   ///< |F| at `highest`
  double peak_rm = 0;  ///< the depth there
  double phi[3] = {}, real[3] = {}, imaginary[3] = {};  ///< at index - 1, index, index + 1
};

struct FaradayValues {
  double at[kFaradayPlaces];
  double real, imaginary;  ///< F at the fitted depth
};

TESSERA_BOTH inline double faraday_nothing() {
#if defined(__CUDACC__)
  return nan("");
#else
  return std::nan("");
#endif
}

/// |F|^2 as the only computation that decides which depth is the peak: no fused multiply-add.
TESSERA_BOTH inline double faraday_power(double real, double imaginary) {
#if defined(__CUDA_ARCH__)
  return __dadd_rn(__dmul_rn(real, real), __dmul_rn(imaginary, imaginary));
#else
  return real * real + imaginary * imaginary;
#endif
}

/// Degrees in [0, 180).
TESSERA_BOTH inline double faraday_half_turn(double degrees) {
#if !defined(__CUDACC__)
  using std::fmod;
#endif
  double rest = fmod(degrees, 180.0);
  if (rest < 0) rest += 180;
  return rest >= 180 ? 0 : rest;  // a remainder of -1e-20 becomes 180 above
}

/// Depth and amplitude at the vertex of the parabola through three points at any distances; false
/// if it opens upwards, is degenerate, or has its vertex outside the grid.
TESSERA_BOTH inline bool faraday_parabola(const FaradayTop& top, const FaradayPeakRule& rule,
                                          double& phi, double& amplitude) {
#if !defined(__CUDACC__)
  using std::sqrt;
#endif
  double y[3];
  for (int k = 0; k < 3; ++k) y[k] = sqrt(faraday_power(top.real[k], top.imaginary[k]));
  const double before = top.phi[1] - top.phi[0], after = top.phi[2] - top.phi[1];
  if (!(before * after > 0)) return false;
  const double rise = (y[1] - y[0]) / before, fall = (y[2] - y[1]) / after;
  const double bend = (fall - rise) / (before + after);
  const double slope = (rise * after + fall * before) / (before + after);
  if (!(bend < 0)) return false;
  phi = top.phi[1] - slope / (2 * bend);
  amplitude = y[1] - slope * slope / (4 * bend);
  return phi >= rule.lowest_phi && phi <= rule.highest_phi;
}

/// Errors and angles of a fitted peak: those of a straight line through angles over lambda^2
/// (Brentjens & de Bruyn 2005, A.12 and A.20), with the weights of the pixel's own channels.
TESSERA_BOTH inline void faraday_angles(const FaradayPeakRule& rule, const FaradayBandValues& band,
                                        FaradayValues& v) {
#if !defined(__CUDACC__)
  using std::atan2;
  using std::sqrt;
#endif
  constexpr double kDegrees = 57.295779513082320877;
  const double rm = v.at[kFaradayRm], n = band.at[kFaradayBandChannels];
  const double mean = band.at[kFaradayBandMean], spread = band.at[kFaradayBandSpread];
  // Radians, at the mean. Noise makes a peak higher, by 1.8% at S/N 8: by that much the error would
  // be too small.
  const double error = band.at[kFaradayBandNoise] / (2 * v.at[kFaradayPiDebiased]);
  const double stretch = band.at[kFaradayBandStretch], lean = band.at[kFaradayBandLean];
  const auto wider = [&](double lambda2) {  // the error there over that at the mean
    const double away = (lambda2 - mean) / spread;
    return sqrt(1 + 2 * away * lean + away * away * stretch * stretch);
  };
  v.at[kFaradayRmError] = error * stretch / spread;
  const double angle = faraday_half_turn(0.5 * kDegrees * atan2(v.imaginary, v.real));
  v.at[kFaradayAngle] = angle;
  v.at[kFaradayAngleError] = kDegrees * error * wider(rule.lambda2_0);
  v.at[kFaradayAngle0] = faraday_half_turn(angle - kDegrees * rm * rule.lambda2_0);
  v.at[kFaradayAngle0Error] = kDegrees * error * sqrt((n - 1) / (n - 2)) * wider(0);
}

/// All maps of a spectrum. A pixel without data is NaN in all of them.
TESSERA_BOTH inline FaradayValues faraday_values(const FaradayTop& top, const FaradayPeakRule& rule,
                                                 const FaradayBandValues& band,
                                                 double second_moment) {
#if !defined(__CUDACC__)
  using std::sqrt;
#endif
  FaradayValues v;
  for (double& value : v.at) value = faraday_nothing();
  v.real = v.imaginary = faraday_nothing();
  if (top.highest < 0) return v;
  v.at[kFaradayMaxPi] = top.max_pi;
  v.at[kFaradayPeakRm] = top.peak_rm;
  const double noise = band.at[kFaradayBandNoise];
  v.at[kFaradayNoise] = noise;
  v.at[kFaradaySecondMoment] = second_moment;
  double rm, pi;
  if (top.index < 0 || !faraday_parabola(top, rule, rm, pi)) return v;
  v.at[kFaradayRm] = rm;
  v.at[kFaradayPi] = pi;
  v.at[kFaradayRmErrorFwhm] = band.at[kFaradayBandFwhm] * noise / (2 * pi);
  v.at[kFaradaySnr] = pi / noise;
  v.at[kFaradayPiDebiased] = pi >= 5 * noise ? sqrt(pi * pi - 2.3 * noise * noise) : pi;
  const int other = (rm - top.phi[1]) * (top.phi[2] - top.phi[1]) > 0 ? 2 : 0;
  const double share = (rm - top.phi[1]) / (top.phi[other] - top.phi[1]);
  v.real = top.real[1] + share * (top.real[other] - top.real[1]);
  v.imaginary = top.imaginary[1] + share * (top.imaginary[other] - top.imaginary[1]);
  faraday_angles(rule, band, v);
  return v;
}

/// A value in the maps' type. 179.9999999 degrees become 180 in float, which is 0.
template <class T>
TESSERA_BOTH inline T faraday_value_as(double value, int place) {
  const T rounded = static_cast<T>(value);
  const bool half_turn = place == kFaradayAngle || place == kFaradayAngle0;
  return half_turn && rounded >= 180 ? T(0) : rounded;
}

/// Whether the numbers outside the peak (two per depth) are too few to measure noise.
TESSERA_BOTH inline bool faraday_too_few(unsigned long long count, int depths) {
  return static_cast<double>(count) < 2 * 0.3 * depths;
}

}  // namespace tessera
