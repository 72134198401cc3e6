// SPDX-License-Identifier: Apache-2.0
/// The X-engine as products of complex matrices in float, by CBLAS with its own number of
/// threads; the conversion of bytes to floats is part of it.
#pragma once

#include <string>

namespace tessera {

/// `given` [channel][input][time] of 8 bits, `made` [channel][i][j] of complex floats.
struct BlasXEngine {
  const signed char* given;
  float* made;
  int inputs, samples, channels;
  bool add = false;  ///< to `made`
};

/// "" or the reason.
std::string why_no_xengine_blas();
/// As in the talk: a matrix times its own conjugate transpose.
void blas_xengine_cgemm(const BlasXEngine& x);
/// Only the pairs on and below the diagonal.
void blas_xengine_cherk(const BlasXEngine& x);

}  // namespace tessera
