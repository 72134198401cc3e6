// SPDX-License-Identifier: Apache-2.0
/// The talk's sum as products of matrices, by CBLAS with its own number of threads.
#pragma once

#include <string>

#include "ops/faraday/study/plain_synth.hpp"

namespace tessera {

/// "" or the reason.
std::string why_no_plain_blas();

/// Complex: one product of all pixels or, with fewer of them, one of a series.
void blas_synth(const PlainSynth<float>& s);
void blas_synth(const PlainSynth<double>& s);

/// Real: planes of Q, then U, `given` [2 channels][pixels]; `matrix` [2 depths][2 channels]; real
/// parts, then imaginary ones, `made` [2 depths][pixels].
template <class T>
struct StackedSynth {
  const T *given, *matrix;
  T* made;
  int pixels, channels, depths;
};
void stacked_synth(const StackedSynth<float>& s);
void stacked_synth(const StackedSynth<double>& s);

}  // namespace tessera
