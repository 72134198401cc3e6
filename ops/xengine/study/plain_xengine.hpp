// SPDX-License-Identifier: Apache-2.0
/// The X-engine by hand on the CPU.
#pragma once

namespace tessera {

/// What the loops read and write: `given` of 8 bits, [channel][input][time] or
/// [channel][time][input], re and im side by side; `made` [channel][i][j][re, im].
struct PlainXEngine {
  const signed char* given;
  int* made;
  int inputs, samples, channels;
};

/// The talk's loops, all pairs, one thread: [input][time], as it has them for the CPU.
void plain_xengine_it(const PlainXEngine& x);
/// The same loops on [time][input], where the innermost one jumps.
void plain_xengine_ti(const PlainXEngine& x);

/// [input][time]: real and imaginary parts apart and in 16 bits, so that compilers make vectors of
/// the innermost loop, and only pairs below the diagonal. A channel at a time on each thread.
void planes_xengine(const PlainXEngine& x, int threads);

}  // namespace tessera
