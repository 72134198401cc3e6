// SPDX-License-Identifier: Apache-2.0
#include "ops/faraday/study/plain_synth.hpp"

namespace tessera {

// Complex products by hand: those of C++ check for infinities every time.
template <class T>
void plain_synth(const PlainSynth<T>& s) {
  for (int pixel = 0; pixel < s.pixels; ++pixel)
    for (int p = 0; p < s.depths; ++p) {
      const std::complex<T>* const given = s.given + 1LL * pixel * s.channels;
      const std::complex<T>* const turns = s.turns + 1LL * p * s.channels;
      T real = 0, imaginary = 0;
      for (int k = 0; k < s.channels; ++k) {
        real += given[k].real() * turns[k].real() - given[k].imag() * turns[k].imag();
        imaginary += given[k].real() * turns[k].imag() + given[k].imag() * turns[k].real();
      }
      s.made[1LL * pixel * s.depths + p] = {real, imaginary};
    }
}

template void plain_synth(const PlainSynth<float>&);
template void plain_synth(const PlainSynth<double>&);

}  // namespace tessera
