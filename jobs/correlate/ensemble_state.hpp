// SPDX-License-Identifier: Apache-2.0
/// The state of an unfinished ensemble, in a file next to its output: OUT.partial. A run that was
/// interrupted in any way continues from it (docs/robustness.md).
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "jobs/batch_files.hpp"
#include "jobs/correlate/ensemble.hpp"
#include "tessera/options.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// One image that was processed.
struct SceneOutcome {
  std::string input;  ///< its file, or its files separated by commas
  std::string error;  ///< why it was left out; "" if it was not
  std::vector<std::string> warnings;

  static constexpr auto fields() {
    using O = SceneOutcome;
    return std::tuple{field("input", &O::input, "the file"),
                      field("error", &O::error, "why it was left out"),
                      field("warnings", &O::warnings, "parts that were missing and filled")};
  }
};

struct EnsembleState {
  std::string parameters;               ///< everything that determines a result
  std::vector<std::string> signatures;  ///< of the processed images: names, sizes and times
  std::vector<SceneOutcome> outcomes;   ///< of the same images
  Size planes;                          ///< of every image
  std::string ran;                      ///< the plan in words
  int normalised = 0;                   ///< images whose planes were normalised
  Ensemble ensemble;
};

/// Replaces the file completely, or leaves the old one.
void save_state(const std::string& path, const EnsembleState& state);

/// False if there is no such file, it is damaged (`note` then says so), its parameters differ, or
/// its images are not the first of these. Throws Error(input) if it is not a regular file.
bool load_state(const std::string& path, const std::string& parameters,
                const std::vector<std::string>& signatures, EnsembleState& state,
                std::string& note);

}  // namespace tessera
