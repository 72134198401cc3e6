// SPDX-License-Identifier: Apache-2.0
/// Everything that is computed from one polarised spectrum, in double: fractions of Stokes I,
/// Faraday spectrum, RMSF, peak, RM-CLEAN, scatter.
#pragma once

#include <complex>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "jobs/faraday/spectrum_file.hpp"
#include "jobs/faraday/spectrum_scatter.hpp"
#include "jobs/faraday/stokes_model.hpp"
#include "tessera/faraday_clean.hpp"
#include "tessera/faraday_maps.hpp"

namespace tessera {

enum class SpectrumWeights : unsigned char { variance, uniform };
template <>
struct Names<SpectrumWeights> {
  static constexpr std::array<std::pair<std::string_view, SpectrumWeights>, 2> list{
      {{"variance", SpectrumWeights::variance}, {"uniform", SpectrumWeights::uniform}}};
};

struct SpectrumChoices {
  SpectrumWeights weights = SpectrumWeights::variance;
  bool ignore_i = false;
  StokesCurve curve = StokesCurve::log;
  int order = 2;
  bool fit_rmsf = false;
  bool clean = false;
  std::optional<double> cutoff;
  double gain = 0.1;
  int iterations = 1000;
  std::optional<double> window;

  static constexpr auto fields() {
    using C = SpectrumChoices;
    return std::tuple_cat(
        std::tuple{
            field("weights", &C::weights, "weights of channels: 1 / error squared, or all equal"),
            field("ignore-i", &C::ignore_i,
                  "use Q and U as they are, without dividing by Stokes I"),
            field("curve", &C::curve,
                  "the curve fitted to Stokes I: a polynomial of the logarithms or of the values"),
            field("order", &C::order,
                  "order of that polynomial; negative: the best order from 0 to its magnitude",
                  Range{-kMostStokesOrder, kMostStokesOrder}),
            field("fit-rmsf", &C::fit_rmsf,
                  "measure the RMSF's width by a fit instead of by theory"),
            field("clean", &C::clean, "remove the side lobes (RM-CLEAN)"),
            field("cutoff", &C::cutoff,
                  "clean down to this |residual|; negative: a multiple of the theoretical noise; "
                  "auto: -3, if clean is given"),
        },
        component_fields<C>(),
        std::tuple{
            field("window", &C::window,
                  "then clean around the components found, down to this; negative as above; auto: "
                  "do not"),
        });
  }
  bool cleans() const { return clean || cutoff || window; }
};

/// Q and U over the model of Stokes I, which is 1 if there is none.
struct FractionalSpectrum {
  StokesModel model;       ///< relative to the reference frequency of the depths
  double i_reference = 1;  ///< Stokes I there
  std::vector<double> q, u, q_error, u_error, error;  ///< `error`: of both, per channel
};

struct CleanedSpectrum {
  std::vector<std::complex<double>> value, components;
  double cutoff = 0;  ///< in the spectrum's unit
  int iterations = 0;
  FaradayPeak peak;
  double measured_noise = 0;
  double components_moment = 0;  ///< second moment of |components|, rad/m^2; NaN without any
};

struct SpectrumAnalysis {
  FractionalSpectrum fractions;
  FaradayAxes axes;
  FaradayRmsf rmsf;
  std::vector<std::complex<double>> dirty;  ///< in the unit of Stokes I
  double noise = 0;                         ///< of `dirty` by theory
  double measured_noise = 0;                ///< measured outside its peak
  FaradayPeak peak;
  AddedScatter scatter_q, scatter_u, scatter;  ///< about one Faraday thin source
  std::optional<CleanedSpectrum> cleaned;
  std::vector<std::string> notes;  ///< for the user
};

/// Throws Error(usage) if nothing can be computed.
SpectrumAnalysis analyse_spectrum(const StokesSpectrum& spectrum, const FaradayOptions& options,
                                  const SpectrumChoices& choices);

/// The two independent parts.
CleanedSpectrum clean_spectrum(const SpectrumAnalysis& dirty, const SpectrumChoices& choices);
void measure_scatter(SpectrumAnalysis& analysis);

}  // namespace tessera
