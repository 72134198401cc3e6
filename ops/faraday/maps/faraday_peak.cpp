// SPDX-License-Identifier: Apache-2.0
// The definition: one spectrum, in double.
#include "ops/faraday/maps/faraday_peak.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ops/faraday/maps/faraday_median.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

static_assert(static_cast<int>(FaradayMap::max_pi) == kFaradayMaxPi &&
              static_cast<int>(FaradayMap::snr) == kFaradaySnr &&
              static_cast<int>(FaradayMap::angle_0_error) == kFaradayAngle0Error &&
              static_cast<int>(FaradayMap::second_moment) == kFaradaySecondMoment &&
              static_cast<int>(FaradayMap::rm_error_fwhm) == kFaradayRmErrorFwhm &&
              Names<FaradayMap>::list.size() == kFaradayPlaces);

/// The smallest step between neighbours, 0 if there is none.
double smallest_step(const FaradayAxes& axes) {
  if (axes.regular()) return axes.dphi;
  double smallest = 0;
  for (std::size_t p = 1; p < axes.phi.size(); ++p) {
    const double step = std::abs(axes.phi[p] - axes.phi[p - 1]);
    if (step > 0 && (smallest == 0 || step < smallest)) smallest = step;
  }
  return smallest;
}

void fill_neighbours(std::span<const double> phi, std::span<const double> real,
                     std::span<const double> imaginary, FaradayTop& top) {
  for (int k = 0; k < 3; ++k) {
    const auto p = static_cast<std::size_t>(top.index - 1 + k);
    top.phi[k] = phi[p];
    top.real[k] = real[p];
    top.imaginary[k] = imaginary[p];
  }
}

}  // namespace

FaradayPeakRule faraday_peak_rule(const FaradayAxes& axes, double fwhm, double noise) {
  FaradayPeakRule rule;
  rule.lambda2_0 = axes.lambda2_0;
  rule.depths = axes.depths();
  const auto [low, high] = std::minmax_element(axes.phi.begin(), axes.phi.end());
  rule.lowest_phi = *low;
  rule.highest_phi = *high;
  rule.step = smallest_step(axes);
  FaradayBandSums sums;
  for (std::size_t k = 0; k < axes.lambda2.size(); ++k)
    if (axes.weight[k] > 0)
      sums.add({axes.lambda2[k], axes.weight[k], 0}, axes.lambda2_0, axes.weight[k], 0);
  rule.band = faraday_band_values(sums, {axes.lambda2_0, fwhm, axes.channels()});
  rule.band.at[kFaradayBandFwhm] = fwhm;
  rule.band.at[kFaradayBandNoise] = noise;
  return rule;
}

void gather_faraday_noise(std::span<const double> real, std::span<const double> imaginary,
                          const FaradayPeakRule& rule, double fwhm, int index,
                          std::vector<double>& values) {
  const int guard = faraday_guard(rule, fwhm);
  const auto gather = [&](bool beside_the_peak) {
    values.clear();
    for (int p = 0; p < rule.depths; ++p) {
      const auto k = static_cast<std::size_t>(p);
      if (beside_the_peak && p >= index - guard && p < index + guard) continue;
      if (!std::isfinite(real[k]) || !std::isfinite(imaginary[k])) continue;
      values.push_back(real[k]);
      values.push_back(imaginary[k]);
    }
  };
  gather(index >= 0);
  if (faraday_too_few(values.size(), rule.depths)) gather(false);
}

double measured_faraday_noise(std::span<const double> real, std::span<const double> imaginary,
                              const FaradayPeakRule& rule, double fwhm, int index,
                              std::vector<double>& values) {
  gather_faraday_noise(real, imaginary, rule, fwhm, index, values);
  if (values.empty()) return faraday_nothing();
  const double middle = plain_median(values);
  for (double& value : values) value = std::abs(value - middle);
  return plain_median(values) / 0.6745;
}

FaradaySpectrumPeak::FaradaySpectrumPeak(const FaradayAxes& axes, double fwhm, double noise)
    : phi_(axes.phi), rule_(faraday_peak_rule(axes, fwhm, noise)) {}

FaradayTop FaradaySpectrumPeak::top(std::span<const double> real,
                                    std::span<const double> imaginary) const {
  FaradayTop top;
  double highest = -1, inner = -1;
  for (int p = 0; p < rule_.depths; ++p) {
    const auto k = static_cast<std::size_t>(p);
    const double power = faraday_power(real[k], imaginary[k]);
    if (power > highest) {
      highest = power;
      top.highest = p;
    }
    if (p > 0 && p + 1 < rule_.depths && power > inner) {
      inner = power;
      top.index = p;
    }
  }
  if (top.highest < 0) return top;
  top.max_pi = std::sqrt(highest);
  top.peak_rm = phi_[static_cast<std::size_t>(top.highest)];
  if (top.index >= 0) fill_neighbours(phi_, real, imaginary, top);
  return top;
}

double FaradaySpectrumPeak::second_moment(std::span<const double> real,
                                          std::span<const double> imaginary) const {
  const auto height = [&](std::size_t p) {
    return std::sqrt(faraday_power(real[p], imaginary[p]));
  };
  double sum = 0, first = 0, second = 0;
  for (std::size_t p = 0; p < phi_.size(); ++p) {
    sum += height(p);
    first += phi_[p] * height(p);
  }
  const double mean = first / sum;
  for (std::size_t p = 0; p < phi_.size(); ++p)
    second += (phi_[p] - mean) * (phi_[p] - mean) * height(p);
  return std::sqrt(second / sum);
}

FaradayValues FaradaySpectrumPeak::values(std::span<const double> real,
                                          std::span<const double> imaginary, FaradayBandValues band,
                                          std::vector<double>& room) const {
  const FaradayTop found = top(real, imaginary);
  double& noise = band.at[kFaradayBandNoise];
  if (std::isnan(noise))
    noise = measured_faraday_noise(real, imaginary, rule_, band.at[kFaradayBandFwhm], found.index,
                                   room);
  return faraday_values(found, rule_, band, second_moment(real, imaginary));
}

FaradayPeak faraday_peak(std::span<const std::complex<double>> spectrum, const FaradayAxes& axes,
                         double fwhm, double noise) {
  if (std::ssize(spectrum) != axes.depths() || spectrum.empty())
    throw Error(ErrorKind::usage, fmt::format("faraday maps: the spectrum has {} values and the "
                                              "axes {} depths; give one value per depth",
                                              spectrum.size(), axes.depths()));
  std::vector<double> real, imaginary, room;
  for (const std::complex<double>& f : spectrum) {
    real.push_back(f.real());
    imaginary.push_back(f.imag());
  }
  const FaradaySpectrumPeak peak(axes, fwhm, noise);
  const FaradayValues v = peak.values(real, imaginary, peak.rule().band, room);
  FaradayPeak out{peak.top(real, imaginary).index};
  double* const places[] = {&out.max_pi,
                            &out.peak_rm,
                            &out.rm,
                            &out.rm_error,
                            &out.pi,
                            &out.pi_debiased,
                            &out.snr,
                            &out.angle,
                            &out.angle_error,
                            &out.angle_0,
                            &out.angle_0_error,
                            &out.noise,
                            &out.second_moment,
                            &out.rm_error_fwhm};
  for (std::size_t k = 0; k < std::size(places); ++k) *places[k] = v.at[k];
  out.real = v.real;
  out.imaginary = v.imaginary;
  return out;
}

double faraday_noise(const FaradayAxes& axes, std::span<const double> sigma) {
  if (std::ssize(sigma) != axes.channels())
    throw Error(
        ErrorKind::usage,
        fmt::format("faraday: {} noise values are given for {} channels; give one per channel",
                    sigma.size(), axes.channels()));
  double squares = 0;
  for (std::size_t k = 0; k < sigma.size(); ++k)
    if (axes.weight[k] > 0) squares += axes.weight[k] * axes.weight[k] * sigma[k] * sigma[k];
  return std::sqrt(squares) / axes.weight_sum;
}

}  // namespace tessera
