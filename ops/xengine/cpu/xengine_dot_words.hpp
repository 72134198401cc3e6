// SPDX-License-Identifier: Apache-2.0
/// Samples of any layout as words of panels.
#pragma once

#include <cstdint>

#include "ops/xengine/xengine_problem.hpp"

namespace tessera {

/// A stretch of time of a channel, and which panels, of how many inputs, are wanted. Steps beyond
/// the samples and inputs beyond the array's become zeros. `first_sample` is even.
struct DotStretch {
  int channel = 0;
  long long first_sample = 0;
  int samples = 0, steps = 0;
  int panel = 0, first_panel = 0, panels = 0;
};

/// words: [panel][step][input of the panel]; panels are `panel_words` apart, and `words` points to
/// the first. Invalid samples become zeros.
void gather_words(const XEngineProblem& problem, const VoltageBlock& block,
                  const DotStretch& stretch, std::uint32_t* words, long long panel_words);

}  // namespace tessera
