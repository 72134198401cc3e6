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

}  // namespace tessera
