// SPDX-License-Identifier: Apache-2.0
/// What the formats of imagers, UVFITS and Measurement Sets, have in common.
#pragma once

#include <string>
#include <vector>

#include "jobs/xengine/xengine_outputs.hpp"

namespace tessera {

/// Throws Error(usage) if positions or a phase centre are not known: these formats have no way to
/// say so. `format` needs them: "UVFITS".
void check_known(const std::string& format, const XEngineJob& job, const XEngineDescription& d);

/// Assumes frequencies and times that a recording lacks; a note says which.
void assume_missing(XEngineDescription& d, std::vector<std::string>& notes);

/// `signs` says what the products and u, v, w are.
std::vector<std::string> imaging_history(const std::string& signs, const XEngineJob& job,
                                         const XEngineDescription& d);

/// (u, v, w) go along, so it lasts as long as they do.
struct ImagingIntegration {
  std::vector<std::array<double, 3>> uvw;
  UvfitsIntegration values;
};
ImagingIntegration imaging_integration(const XEngineIntegration& in, XEngineDescription& d,
                                       double dut1);

/// The note of a phase centre that moves.
inline constexpr const char* kDriftNote =
    "the phase centre of every integration is the zenith at its middle";

}  // namespace tessera
