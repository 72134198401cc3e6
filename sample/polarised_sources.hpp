// SPDX-License-Identifier: Apache-2.0
/// Polarised sources: their properties, and their emission at a frequency.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sample/polarised_options.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// Emission at one Faraday depth, or spread evenly around it.
struct PolarisedComponent {
  double rm = 0;     ///< rad/m^2
  double flux = 0;   ///< polarised, at the reference frequency and the source's centre
  double angle = 0;  ///< degrees, at lambda = 0
};

struct PolarisedSource {
  double x = 0, y = 0;  ///< pixel centres have whole coordinates
  PolarisedComponent first, second;
  double thickness = 0;  ///< of the first component, rad/m^2
  double index = 0;      ///< flux is proportional to frequency to this power
  double fraction = 0;   ///< polarised fraction of the total flux
};

/// From top to bottom. The same for a seed on every machine; throws Error(usage) if that many do
/// not fit.
std::vector<PolarisedSource> draw_polarised(const Size& size, std::uint64_t seed,
                                            const PolarisedOptions& options);

/// A frequency as used by sources.
struct PolarisedChannel {
  double frequency = 0;  ///< Hz
  double lambda2 = 0;    ///< m^2
  double log_ratio = 0;  ///< the logarithm of frequency / reference frequency
  bool dead = false;
};

/// The reference is the frequency of the mean lambda^2 of channels that are not dead: fluxes are
/// those that rotation measure synthesis finds there.
std::vector<PolarisedChannel> polarised_channels(const PolarisedOptions& options,
                                                 std::uint64_t seed);

struct StokesFlux {
  double q = 0, u = 0, i = 0;
};
/// At the source's centre:
///
///     Q + i U = (f / f_0)^index sum over components of
///               flux exp(2 i (angle + rm lambda^2)) sin(thickness lambda^2) / (thickness lambda^2)
StokesFlux flux_at(const PolarisedSource& source, const PolarisedChannel& channel);

/// The truth as text: a line of names, then one for each source.
std::string truth_as_csv(const std::vector<PolarisedSource>& sources);

}  // namespace tessera
