// SPDX-License-Identifier: Apache-2.0
/// The X-engine by hand on the CPU.
#pragma once

namespace tessera {

/// Input and output of the loops: `given` of 8 bits, [channel][input][time] or
/// [channel][time][input], re and im side by side; `made` [channel][i][j][re, im].
struct PlainXEngine {
  const signed char* given;
  int* made;
  int inputs, samples, channels;
  bool add = false;  ///< to `made`, which otherwise begins at 0
};

/// The talk's loops, all pairs, one thread: [input][time], as in the talk's CPU program.
void plain_xengine_it(const PlainXEngine& x);
/// The same loops on [time][input], where the innermost one jumps.
void plain_xengine_ti(const PlainXEngine& x);

/// [input][time]: real and imaginary parts separate and in 16 bits, so that compilers vectorise the
/// innermost loop, and only pairs below the diagonal. Each thread does one channel at a time.
void planes_xengine(const PlainXEngine& x, int threads);

}  // namespace tessera
