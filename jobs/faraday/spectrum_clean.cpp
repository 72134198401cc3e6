// SPDX-License-Identifier: Apache-2.0
// RM-CLEAN of one spectrum, and its scatter around its peak.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "jobs/faraday/spectrum_analysis.hpp"
#include "tessera/error.hpp"
#include "tessera/faraday_clean.hpp"

namespace tessera {
namespace {

using Values = std::vector<std::complex<double>>;

/// A spectrum as the two images that plans take.
struct SpectrumImage {
  Image real, imaginary;

  explicit SpectrumImage(const ImageInfo& info) : real(info), imaginary(info) {}
  void put(const Values& values) {
    for (std::size_t p = 0; p < values.size(); ++p) {
      real.as<double>().data[p] = values[p].real();
      imaginary.as<double>().data[p] = values[p].imag();
    }
  }
  Values values() const {
    Values made;
    for (int p = 0; p < real.info().size.planes; ++p)
      made.emplace_back(real.as<double>().data[p], imaginary.as<double>().data[p]);
    return made;
  }
};

}  // namespace

CleanedSpectrum clean_spectrum(const SpectrumAnalysis& dirty, const SpectrumChoices& choices) {
  // A negative threshold is a multiple of the theoretical noise.
  const auto threshold = [&](double value) {
    if (value < 0 && !(dirty.noise > 0))
      throw Error(ErrorKind::usage,
                  fmt::format("faraday: a cutoff of {} is a multiple of the noise, and the errors "
                              "of the spectrum give a noise of {}; give a cutoff above 0",
                              value, dirty.noise));
    return value < 0 ? -value * dirty.noise : value;
  };
  FaradayCleanOptions options{.cutoff = threshold(choices.cutoff.value_or(-3)),
                              .gain = choices.gain,
                              .iterations = choices.iterations,
                              .backend = Backend::cpu,
                              .method = "reference"};
  if (choices.window) options.window = threshold(*choices.window);
  const ImageInfo info{{1, 1, 1, dirty.axes.depths()}, Type::f64};
  SpectrumImage from(info), clean(info), components(info);
  Image iterations(Size{1, 1}, Type::f64);
  from.put(dirty.dirty);
  const FaradayClean plan(info, dirty.rmsf, options);
  plan({from.real.view(), from.imaginary.view()},
       {clean.real.view(), clean.imaginary.view(), components.real.view(),
        components.imaginary.view(), iterations.view()});
  CleanedSpectrum made{.value = clean.values(), .components = components.values()};
  made.cutoff = options.cutoff;
  made.iterations = static_cast<int>(iterations.as<double>().at(0, 0));
  constexpr double kMeasured = std::numeric_limits<double>::quiet_NaN();
  const double fwhm = dirty.rmsf.fwhm;
  made.peak = faraday_peak(made.value, dirty.axes, fwhm, dirty.noise);
  made.measured_noise = faraday_peak(made.value, dirty.axes, fwhm, kMeasured).noise;
  made.components_moment =
      faraday_peak(made.components, dirty.axes, fwhm, dirty.noise).second_moment;
  return made;
}

void measure_scatter(SpectrumAnalysis& analysis) {
  const FractionalSpectrum& spectrum = analysis.fractions;
  const double fraction = analysis.peak.pi_debiased / spectrum.i_reference;
  const double angle_0 = analysis.peak.angle_0 * std::numbers::pi / 180;
  std::vector<double> of_q, of_u, of_both;
  for (std::size_t k = 0; k < spectrum.q.size(); ++k) {
    if (!(analysis.axes.weight[k] > 0)) continue;
    const double turn = 2 * (angle_0 + analysis.peak.rm * analysis.axes.lambda2[k]);
    of_q.push_back((spectrum.q[k] - fraction * std::cos(turn)) / spectrum.q_error[k]);
    of_u.push_back((spectrum.u[k] - fraction * std::sin(turn)) / spectrum.u_error[k]);
  }
  of_both = of_q;
  of_both.insert(of_both.end(), of_u.begin(), of_u.end());
  analysis.scatter_q = added_scatter(of_q);
  analysis.scatter_u = added_scatter(of_u);
  analysis.scatter = added_scatter(of_both);
}

}  // namespace tessera
