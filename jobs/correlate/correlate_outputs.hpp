// SPDX-License-Identifier: Apache-2.0
/// The files an ensemble becomes, each old or whole.
#pragma once

#include <string>
#include <vector>

#include "jobs/correlate/correlate_job.hpp"

namespace tessera {

/// Names beside the maps: "scenes.fits" has "scenes.csv", "scenes.json" and "scenes.fits.partial".
struct CorrelateNames {
  explicit CorrelateNames(const std::string& output);
  std::string profiles, summary, state;
};

/// All files that the job makes or may make, the maps first.
std::vector<std::string> output_files(const CorrelateJob& job);

/// Throws Error(usage), before anything is computed, for names and formats that cannot be, folders
/// that are not there and, unless the job has `force` or a kept state says that they are its own,
/// files that exist.
void check_outputs(const CorrelateJob& job);

/// Writes them all, the maps last, and fills the result's names.
void write_outputs(const CorrelateJob& job, const CorrelateFigures& figures,
                   CorrelateResult& result);

}  // namespace tessera
