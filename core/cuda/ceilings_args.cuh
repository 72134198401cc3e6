// SPDX-License-Identifier: Apache-2.0
/// Arguments of the ceilings' kernels; the host reads this too.
#pragma once

namespace tessera {

struct FmaArgs {
  float* out;  ///< one per thread, so that the work cannot be optimised away
  float factor, addend;
  int rounds;
};
inline constexpr int kFmaSteps = 32;  ///< of every chain, per round
struct FmaKnobs {
  int chains = 8;
};

struct CopyArgs {
  const void* from;
  void* to;
  long long count;  ///< of 16-byte words
};
struct CopyKnobs {
  int words = 4;  ///< per thread
};

}  // namespace tessera
