// SPDX-License-Identifier: Apache-2.0
/// What the ceilings' kernels take; the host reads this too.
#pragma once

namespace tessera {

struct FmaArgs {
  float* out;  ///< one a thread, so that the work cannot be left out
  float factor, addend;
  int rounds;
};
inline constexpr int kFmaSteps = 32;  ///< of every chain, a round
struct FmaKnobs {
  int chains = 8;
};

struct CopyArgs {
  const void* from;
  void* to;
  long long count;  ///< of 16-byte words
};
struct CopyKnobs {
  int words = 4;  ///< a thread
};

}  // namespace tessera
