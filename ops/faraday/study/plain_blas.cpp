// SPDX-License-Identifier: Apache-2.0
#include "ops/faraday/study/plain_blas.hpp"

#include "core/cblas.hpp"

namespace tessera {

std::string why_no_plain_blas() { return why_no_cblas(); }

void blas_synth(const PlainSynth<float>& s) {
  const float one[] = {1, 0}, zero[] = {0, 0};
  cblas_on_all_cores().cgemm(Cblas::kRowMajor, Cblas::kAsIs, Cblas::kTransposed, s.pixels, s.depths,
                             s.channels, one, s.given, s.channels, s.turns, s.channels, zero,
                             s.made, s.depths);
}

void blas_synth(const PlainSynth<double>& s) {
  const double one[] = {1, 0}, zero[] = {0, 0};
  cblas_on_all_cores().zgemm(Cblas::kRowMajor, Cblas::kAsIs, Cblas::kTransposed, s.pixels, s.depths,
                             s.channels, one, s.given, s.channels, s.turns, s.channels, zero,
                             s.made, s.depths);
}

void stacked_synth(const StackedSynth<float>& s) {
  cblas_on_all_cores().sgemm(Cblas::kRowMajor, Cblas::kAsIs, Cblas::kAsIs, 2 * s.depths, s.pixels,
                             2 * s.channels, 1, s.matrix, 2 * s.channels, s.given, s.pixels, 0,
                             s.made, s.pixels);
}

void stacked_synth(const StackedSynth<double>& s) {
  cblas_on_all_cores().dgemm(Cblas::kRowMajor, Cblas::kAsIs, Cblas::kAsIs, 2 * s.depths, s.pixels,
                             2 * s.channels, 1, s.matrix, 2 * s.channels, s.given, s.pixels, 0,
                             s.made, s.pixels);
}

}  // namespace tessera
