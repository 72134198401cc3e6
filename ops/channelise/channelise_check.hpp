// SPDX-License-Identifier: Apache-2.0
/// Checks of the filter bank. All throw Error(usage), and Error(resources) for what is too large.
#pragma once

#include "ops/channelise/channelise_problem.hpp"

namespace tessera {

/// Checks everything that a plan is made of.
ChanneliseProblem make_channelise_problem(const XEngineShape& shape,
                                          const ChanneliseOptions& options,
                                          const ChanneliseTables& tables);

/// The samples are those that the spectra need, and all memory is there.
void check_channelise_call(const ChanneliseProblem& problem, const RawVoltages& in,
                           const SpectraBlock& out, int device);

/// Writes the mask of the spectra, if there is one, and returns whether any is missing.
bool mark_missing_spectra(const ChanneliseProblem& problem, const RawVoltages& in,
                          const SpectraBlock& out);

}  // namespace tessera
