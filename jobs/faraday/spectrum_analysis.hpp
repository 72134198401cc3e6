// SPDX-License-Identifier: Apache-2.0
/// All that is computed of one polarised spectrum, in double: fractions of Stokes I, Faraday
/// spectrum, RMSF, peak, RM-CLEAN, scatter.
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
            field("weights", &C::weights, "of channels: 1 / error squared, or all alike"),
            field("ignore-i", &C::ignore_i, "take Q and U as they are, whatever Stokes I is"),
            field("curve", &C::curve,
                  "what is fitted to Stokes I: a polynomial of logarithms or not"),
            field("order", &C::order,
                  "of that polynomial; negative: at most that order, as high as it pays",
                  Range{-kMostStokesOrder, kMostStokesOrder}),
            field("fit-rmsf", &C::fit_rmsf, "the RMSF's width by a fit, not by theory"),
            field("clean", &C::clean, "take the side lobes out (RM-CLEAN)"),
            field("cutoff", &C::cutoff,
                  "clean, down to this |residual|; negative: so many times the noise by theory; "
                  "auto: "
                  "-3, where clean is asked for"),
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

/// Q and U over the model of Stokes I, which is 1 where there is none.
struct FractionalSpectrum {
  StokesModel model;       ///< about the reference frequency of the depths
  double i_reference = 1;  ///< Stokes I there
  std::vector<double> q, u, q_error, u_error, error;  ///< `error`: of both, a channel
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
  double measured_noise = 0;                ///< beside its peak
  FaradayPeak peak;
  AddedScatter scatter_q, scatter_u, scatter;  ///< about one Faraday thin source
  std::optional<CleanedSpectrum> cleaned;
  std::vector<std::string> notes;  ///< what is worth a look
};

/// Throws Error(usage) where nothing can be computed.
SpectrumAnalysis analyse_spectrum(const StokesSpectrum& spectrum, const FaradayOptions& options,
                                  const SpectrumChoices& choices);

/// The two parts that stand for themselves.
CleanedSpectrum clean_spectrum(const SpectrumAnalysis& dirty, const SpectrumChoices& choices);
void measure_scatter(SpectrumAnalysis& analysis);

}  // namespace tessera
