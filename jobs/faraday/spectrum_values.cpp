// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/spectrum_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tessera {
namespace {

std::string with_point(const std::string& digits) {
  const bool whole = digits.find_first_not_of("-0123456789") == std::string::npos;
  return whole ? digits + ".0" : digits;
}

/// Ignores NaN.
double median(std::vector<double> values) {
  std::erase_if(values, [](double v) { return std::isnan(v); });
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

/// Single precision, as in RM-Tools' files, from order 5 down.
std::string listed(const std::array<double, kMostStokesOrder + 1>& numbers) {
  std::string text;
  for (auto number = numbers.rbegin(); number != numbers.rend(); ++number)
    text += (text.empty() ? "" : ",") + with_point(fmt::format("{}", static_cast<float>(*number)));
  return text;
}

void put_peak(const FaradayPeak& peak, double measured_noise, const FaradayAxes& axes,
              SpectrumPeakValues& values) {
  values.dFDFcorMAD = measured_noise;
  values.phiPeakPIfit_rm2 = peak.rm;
  values.dPhiPeakPIfit_rm2 = peak.rm_error_fwhm;
  values.dRM_rm2 = peak.rm_error;
  values.ampPeakPIfit = peak.pi;
  values.ampPeakPIfitEff = peak.pi_debiased;
  values.dAmpPeakPIfit = peak.noise;
  values.snrPIfit = peak.snr;
  values.indxPeakPIfit = (peak.rm - axes.phi.front()) / axes.dphi;
  values.peakFDFimagFit = peak.imaginary;
  values.peakFDFrealFit = peak.real;
  values.polAngleFit_deg = peak.angle;
  const double biased = peak.pi_debiased / peak.pi;  // RM-Tools divides by the biased intensity
  values.dPolAngleFit_deg = peak.angle_error * biased;
  values.polAngle0Fit_deg = peak.angle_0;
  values.dPolAngle0Fit_deg = peak.angle_0_error * biased;
}

void put_channels(const FaradayAxes& axes, SpectrumSynthValues& values) {
  std::vector<double> steps;
  values.min_freq = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < axes.frequency.size(); ++k) {
    if (k > 0) steps.push_back(axes.frequency[k] - axes.frequency[k - 1]);
    if (!(axes.weight[k] > 0)) continue;
    values.min_freq = std::min(values.min_freq, axes.frequency[k]);
    values.max_freq = std::max(values.max_freq, axes.frequency[k]);
    ++values.N_channels;
  }
  values.median_channel_width = median(std::move(steps));
}

void put_model(const FractionalSpectrum& spectrum, SpectrumSynthValues& values) {
  const StokesModel& model = spectrum.model;
  values.Ifreq0 = spectrum.i_reference;
  values.polyCoeffs = listed(model.coefficient);
  values.polyCoefferr = listed(model.error);
  values.polyOrd = model.order;
  values.IfitStat = model.status;
  values.IfitChiSqRed = model.chi_squared / (model.channels - model.order - 1);
  values.fit_function = name_of(model.curve);
}

}  // namespace

std::string python_number(double value) { return with_point(fmt::format("{}", value)); }

SpectrumSynthValues synth_values(const SpectrumAnalysis& analysis, const StokesSpectrum& spectrum,
                                 const std::string& unit) {
  SpectrumSynthValues values;
  const FaradayAxes& axes = analysis.axes;
  put_peak(analysis.peak, analysis.measured_noise, axes, values);
  put_model(analysis.fractions, values);
  put_channels(axes, values);
  values.lam0Sq_m2 = axes.lambda2_0;
  values.freq0_Hz = axes.frequency_0();
  values.fwhmRMSF = analysis.rmsf.fwhm;
  std::vector<double> errors;
  for (std::size_t k = 0; k < spectrum.q_error.size(); ++k)
    errors.push_back((spectrum.q_error[k] + spectrum.u_error[k]) / 2);
  values.dQU = median(std::move(errors));
  values.dFDFth = analysis.noise;
  values.units = unit;
  values.fracPol = analysis.peak.pi_debiased / analysis.fractions.i_reference;
  const auto put_scatter = [](const AddedScatter& from, double& value, double& minus,
                              double& plus) {
    value = from.value;
    minus = from.minus;
    plus = from.plus;
  };
  put_scatter(analysis.scatter_q, values.sigmaAddQ, values.dSigmaAddMinusQ, values.dSigmaAddPlusQ);
  put_scatter(analysis.scatter_u, values.sigmaAddU, values.dSigmaAddMinusU, values.dSigmaAddPlusU);
  put_scatter(analysis.scatter, values.sigmaAddC, values.dSigmaAddMinusC, values.dSigmaAddPlusC);
  return values;
}

SpectrumCleanValues clean_values(const SpectrumAnalysis& analysis) {
  const CleanedSpectrum& cleaned = *analysis.cleaned;
  SpectrumCleanValues values;
  put_peak(cleaned.peak, cleaned.measured_noise, analysis.axes, values);
  values.cleanCutoff = cleaned.cutoff;
  values.nIter = cleaned.iterations;
  values.mom2CCFDF = cleaned.components_moment;
  const double ratio = cleaned.measured_noise / analysis.noise;
  values.dPhiObserved_rm2 = cleaned.peak.rm_error_fwhm * ratio;
  values.dAmpObserved = cleaned.measured_noise;
  values.dPolAngleFitObserved_deg = values.dPolAngleFit_deg * ratio;
  values.dPolAngleFit0Observed_deg = values.dPolAngle0Fit_deg * ratio;
  return values;
}

}  // namespace tessera
