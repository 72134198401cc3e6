// SPDX-License-Identifier: Apache-2.0
/// The fast ways from samples to words, once per SIMD target. Only whole panels and whole words.
#pragma once

#include <cstdint>

namespace tessera {

/// How samples are read: bytes of ci8 or halves of bytes.
struct DotSamples {
  bool halves = false, offset_binary = false, real_low = false;
};

/// Inputs are contiguous from `from` on; `offsets` gives the samples, two per step. words:
/// [step][input of the panel].
using DotZip = void (*)(const DotSamples& kind, const unsigned char* from, const long long* offsets,
                        int steps, int panel, std::uint32_t* words);
/// Samples of ci8 are contiguous in time, or in `pairs` with those of the next input: four steps
/// from every input of a panel.
using DotWeave = void (*)(const DotSamples& kind, bool pairs, const unsigned char* const* from,
                          long long offset, int panel, std::uint32_t* words);

/// Null if the target has no vectors.
struct DotWordFunctions {
  DotZip zip;
  DotWeave weave;
};
DotWordFunctions dot_word_functions();

}  // namespace tessera
