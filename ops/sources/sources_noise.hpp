// SPDX-License-Identifier: Apache-2.0
/// The correlation of the noise: samples of the significance while rows pass, and what they show
/// once the places of sources are known.
#pragma once

#include <vector>

#include "ops/sources/sources_problem.hpp"
#include "ops/sources/sources_runs.hpp"
#include "tessera/sources.hpp"

namespace tessera {

/// Squares of pixels spread evenly over the image; all of it if it is small.
class SourceNoiseSamples {
 public:
  SourceNoiseSamples(const Size& image, int reach);

  /// Rows that begin with row `first` of the image.
  void add(const SourceRows& rows, int first);
  /// Takes pixels out: those of sources.
  void leave_out(const std::vector<SourceRun>& runs);
  long long bytes() const;

  /// Correlations at distances up to `reach`, those that are more than three times their error;
  /// `pixels` receives the number of pixels. A correlation at (0, 0) is not among them.
  std::vector<SourceLag> lags(int threads, long long& pixels) const;

 private:
  struct Square {
    int x = 0, y = 0, width = 0, height = 0;
    std::vector<float> values;  ///< NaN: blank, or of a source
  };
  int reach_;
  std::vector<Square> squares_;
};

/// The correlation of white noise smoothed by a beam.
std::vector<SourceLag> lags_of_beam(const SourceShape& beam, int reach);

/// Decides by the options, measures, and notes in the list where the correlation comes from.
void find_source_noise(const SourcesProblem& problem, const SourceNoiseSamples& samples,
                       int threads, SourceList& list);

}  // namespace tessera
