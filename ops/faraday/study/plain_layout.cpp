// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/parallel.hpp"
#include "ops/faraday/study/plain_synth.hpp"

namespace tessera {
namespace {

constexpr int kTile = 64;  // pixels: all their channels stay in a cache of 512 KB

template <class T>
void synth_tile(const PlaneSynth<T>& s, int first, int count) {
  T real[kTile], imaginary[kTile];
  for (int p = 0; p < s.depths; ++p) {
    std::fill_n(real, kTile, T{0});
    std::fill_n(imaginary, kTile, T{0});
    for (int k = 0; k < s.channels; ++k) {
      const T c = s.turns[1LL * p * s.channels + k].real();
      const T d = s.turns[1LL * p * s.channels + k].imag();
      const T* const q = s.q + 1LL * k * s.pixels + first;
      const T* const u = s.u + 1LL * k * s.pixels + first;
      for (int x = 0; x < count; ++x) {
        real[x] += q[x] * c - u[x] * d;
        imaginary[x] += q[x] * d + u[x] * c;
      }
    }
    std::copy_n(real, count, s.real + 1LL * p * s.pixels + first);
    std::copy_n(imaginary, count, s.imaginary + 1LL * p * s.pixels + first);
  }
}

}  // namespace

template <class T>
void layout_synth(const PlaneSynth<T>& s, int threads) {
  parallel_for((s.pixels + kTile - 1) / kTile, threads, [&](int tile) {
    synth_tile(s, tile * kTile, std::min(kTile, s.pixels - tile * kTile));
  });
}

template void layout_synth(const PlaneSynth<float>&, int);
template void layout_synth(const PlaneSynth<double>&, int);

}  // namespace tessera
