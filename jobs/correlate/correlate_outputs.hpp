// SPDX-License-Identifier: Apache-2.0
/// The output files of an ensemble, each either the old one or complete.
#pragma once

#include <string>
#include <vector>

#include "jobs/correlate/correlate_job.hpp"

namespace tessera {

/// Names derived from that of the maps: "scenes.fits" has "scenes.csv", "scenes.json" and
/// "scenes.fits.partial".
struct CorrelateNames {
  explicit CorrelateNames(const std::string& output);
  std::string profiles, summary, state;
};

/// All files that the job makes or may make, the maps first.
std::vector<std::string> output_files(const CorrelateJob& job);

/// Throws Error(usage), before anything is computed, for impossible names and formats, missing
/// folders and files that exist, unless the job has `force` or a saved state says that they are its
/// own.
void check_outputs(const CorrelateJob& job);

/// Writes them all, the maps last, and fills the result's names.
void write_outputs(const CorrelateJob& job, const CorrelateFigures& figures,
                   CorrelateResult& result);

}  // namespace tessera
