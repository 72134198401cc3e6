// SPDX-License-Identifier: Apache-2.0
/// What an ensemble has done so far, in a file beside its output: OUT.partial. A run that was ended
/// in any way goes on from it (docs/robustness.md).
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "jobs/batch_files.hpp"
#include "jobs/correlate/ensemble.hpp"
#include "tessera/options.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// One image that was looked at.
struct SceneOutcome {
  std::string input;  ///< its file, or its files with commas between
  std::string error;  ///< why it is not among the images; "" where it is
  std::vector<std::string> warnings;

  static constexpr auto fields() {
    using O = SceneOutcome;
    return std::tuple{field("input", &O::input, "the file"),
                      field("error", &O::error, "why it was left out"),
                      field("warnings", &O::warnings, "what was missing and filled")};
  }
};

struct EnsembleState {
  std::string parameters;               ///< all that decides a result
  std::vector<std::string> signatures;  ///< of the images looked at: names, sizes and times
  std::vector<SceneOutcome> outcomes;   ///< of the same
  Size planes;                          ///< of every image
  std::string ran;                      ///< the plan in words
  int normalised = 0;                   ///< images whose planes were
  Ensemble ensemble;
};

/// Puts it in place whole, or leaves the one before.
void save_state(const std::string& path, const EnsembleState& state);

/// False where there is none, it is no such file, its parameters are others, or its images are not
/// the first of these.
bool load_state(const std::string& path, const std::string& parameters,
                const std::vector<std::string>& signatures, EnsembleState& state);

}  // namespace tessera
