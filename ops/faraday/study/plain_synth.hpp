// SPDX-License-Identifier: Apache-2.0
/// Rotation measure synthesis by hand on the CPU.
#pragma once

#include <complex>

namespace tessera {

/// Input and output of the loops: `given` [pixels][channels], `turns` [depths][channels] with the
/// weights in them, `made` [pixels][depths].
template <class T>
struct PlainSynth {
  const std::complex<T>* given;
  const std::complex<T>* turns;
  std::complex<T>* made;
  int pixels, channels, depths;
};

/// The talk's four loops, one thread.
template <class T>
void plain_synth(const PlainSynth<T>& s);

/// The same with planes: q and u [channels][pixels], real and imaginary [depths][pixels].
template <class T>
struct PlaneSynth {
  const T *q, *u;
  const std::complex<T>* turns;
  T *real, *imaginary;
  int pixels, channels, depths;
};

/// Neighbouring pixels in the innermost loop, so that compilers vectorise it, in tiles that stay in
/// a cache.
template <class T>
void layout_synth(const PlaneSynth<T>& s, int threads);

}  // namespace tessera
