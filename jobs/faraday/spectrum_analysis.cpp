// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/spectrum_analysis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "core/counted.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Without Stokes I the model is 1, whatever its order: then no order is too high.
StokesPoints stokes_points(const StokesSpectrum& spectrum, const SpectrumChoices& choices,
                           int& order) {
  order = choices.order;
  if (spectrum.has_i() && !choices.ignore_i)
    return {spectrum.frequency, spectrum.i, spectrum.i_error};
  const std::size_t count = spectrum.frequency.size();
  const std::set<double> distinct(spectrum.frequency.begin(), spectrum.frequency.end());
  order = std::min(order, static_cast<int>(distinct.size()) - 1);
  return {spectrum.frequency, std::vector(count, 1.0), std::vector(count, 0.0)};
}

/// The frequency of the mean wavelength squared: near what the depths will refer to.
double middle_frequency(const std::vector<double>& frequency) {
  double sum = 0;
  for (const double f : frequency) sum += 1 / (f * f) / static_cast<double>(frequency.size());
  return 1 / std::sqrt(sum);
}

/// A channel that a division made infinite counts as missing.
double finite_or_nan(double value) { return std::isfinite(value) ? value : kNan; }

FractionalSpectrum fractions_of(const StokesSpectrum& spectrum, const StokesModel& model) {
  FractionalSpectrum made{.model = model};
  for (std::size_t k = 0; k < spectrum.frequency.size(); ++k) {
    const double i = model.at(spectrum.frequency[k]);
    made.q.push_back(finite_or_nan(spectrum.q[k] / i));
    made.u.push_back(finite_or_nan(spectrum.u[k] / i));
    made.q_error.push_back(finite_or_nan(spectrum.q_error[k] / std::abs(i)));
    made.u_error.push_back(finite_or_nan(spectrum.u_error[k] / std::abs(i)));
    made.error.push_back((made.q_error[k] + made.u_error[k]) / 2);
  }
  return made;
}

std::vector<double> weights_of(const FractionalSpectrum& spectrum, SpectrumWeights how) {
  std::vector<double> weights;
  for (std::size_t k = 0; k < spectrum.q.size(); ++k) {
    const double error = spectrum.error[k];
    const double weight = how == SpectrumWeights::uniform ? 1 : error > 0 ? 1 / (error * error) : 0;
    const bool there = std::isfinite(spectrum.q[k]) && std::isfinite(spectrum.u[k]);
    weights.push_back(there && std::isfinite(weight) ? weight : 0);
  }
  const bool none = std::none_of(weights.begin(), weights.end(), [](double w) { return w > 0; });
  if (none && how == SpectrumWeights::variance)
    throw Error(ErrorKind::usage,
                fmt::format("faraday: none of {} has Q, U and errors above 0, which weights "
                            "by variance need; give errors or --weights uniform",
                            counted(weights.size(), "channel")));
  return weights;
}

std::vector<std::complex<double>> synthesise(const FractionalSpectrum& spectrum,
                                             const FaradayAxes& axes) {
  const ImageInfo info{{1, 1, 1, axes.channels()}, Type::f64};
  const FaradaySynth plan(info, axes, {.backend = Backend::cpu, .method = "reference"});
  Image q(info), u(info), real(plan.output()), imaginary(plan.output());
  std::copy(spectrum.q.begin(), spectrum.q.end(), q.as<double>().data);
  std::copy(spectrum.u.begin(), spectrum.u.end(), u.as<double>().data);
  plan(q.view(), u.view(), real.view(), imaginary.view());
  std::vector<std::complex<double>> values;
  for (int p = 0; p < axes.depths(); ++p)
    values.push_back(spectrum.i_reference * std::complex(real.as<double>().at(0, 0, 0, p),
                                                         imaginary.as<double>().at(0, 0, 0, p)));
  return values;
}

/// Channels without an error do not add to it.
double theoretical_noise(const FractionalSpectrum& spectrum, const FaradayAxes& axes) {
  std::vector<double> sigma = spectrum.error;
  for (double& value : sigma)
    if (!std::isfinite(value)) value = 0;
  return std::abs(spectrum.i_reference) * faraday_noise(axes, sigma);
}

/// Notes doubts about the fit, which the status then also has, as in RM-Tools.
void judge_model(const StokesPoints& points, StokesModel& model, std::vector<std::string>& notes) {
  int negative = 0, weak = 0;
  for (std::size_t k = 0; k < points.frequency.size(); ++k) {
    negative += model.at(points.frequency[k]) < 0;
    weak += model.at(points.frequency[k]) < points.error[k];
  }
  const std::size_t all = points.frequency.size();
  if (negative > 0)
    notes.push_back(fmt::format("the model of Stokes I is negative in {} of {}", negative,
                                counted(all, "channel")));
  if (weak > 0)
    notes.push_back(fmt::format("the model of Stokes I is below the error in {} of {}", weak,
                                counted(all, "channel")));
  model.status += (negative > 0 ? 128 : 0) + (weak > 0 ? 64 : 0);
}

}  // namespace

SpectrumAnalysis analyse_spectrum(const StokesSpectrum& spectrum, const FaradayOptions& options,
                                  const SpectrumChoices& choices) {
  check_ranges("faraday", choices);
  int order = 0;
  const StokesPoints points = stokes_points(spectrum, choices, order);
  const StokesModel first =
      fit_stokes_model(points, choices.curve, order, middle_frequency(spectrum.frequency));
  SpectrumAnalysis made;
  made.fractions = fractions_of(spectrum, first);
  made.axes =
      faraday_axes({spectrum.frequency, weights_of(made.fractions, choices.weights)}, options);
  // The same curve relative to the frequency that angles refer to, with its errors there.
  StokesModel& model = made.fractions.model;
  model = fit_stokes_model(points, choices.curve, first.order, made.axes.frequency_0());
  made.fractions.i_reference = model.at(model.reference);
  judge_model(points, model, made.notes);
  made.rmsf = faraday_rmsf(made.axes, choices.fit_rmsf || made.axes.lambda2_0 == 0);
  made.dirty = synthesise(made.fractions, made.axes);
  made.noise = theoretical_noise(made.fractions, made.axes);
  made.peak = faraday_peak(made.dirty, made.axes, made.rmsf.fwhm, made.noise);
  made.measured_noise = faraday_peak(made.dirty, made.axes, made.rmsf.fwhm, kNan).noise;
  measure_scatter(made);
  if (choices.cleans()) made.cleaned = clean_spectrum(made, choices);
  return made;
}

}  // namespace tessera
