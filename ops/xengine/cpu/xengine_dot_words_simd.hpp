// SPDX-License-Identifier: Apache-2.0
/// The fast ways from samples to words, once a SIMD target. Panels are whole, and so are words.
#pragma once

#include <cstdint>

namespace tessera {

/// How samples are read: bytes of ci8 or halves of bytes.
struct DotSamples {
  bool halves = false, offset_binary = false, real_low = false;
};

/// Inputs lie side by side from `from` on, samples where `offsets` say: two of a step. words:
/// [step][input of the panel].
using DotZip = void (*)(const DotSamples& kind, const unsigned char* from, const long long* offsets,
                        int steps, int panel, std::uint32_t* words);
/// Samples of ci8 lie side by side in time, or in `pairs` with those of the next input: four steps
/// from every input of a panel.
using DotWeave = void (*)(const DotSamples& kind, bool pairs, const unsigned char* const* from,
                          long long offset, int panel, std::uint32_t* words);

/// Null where the target has no vectors.
struct DotWordFunctions {
  DotZip zip;
  DotWeave weave;
};
DotWordFunctions dot_word_functions();

}  // namespace tessera
