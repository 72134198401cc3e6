// SPDX-License-Identifier: Apache-2.0
#if TESSERA_HAVE_CBLAS
#include <cblas.h>
#endif

#include "ops/faraday/study/plain_blas.hpp"
#include "tessera/error.hpp"

namespace tessera {

#if TESSERA_HAVE_CBLAS
std::string why_no_plain_blas() { return ""; }

void blas_synth(const PlainSynth<float>& s) {
  const float one[] = {1, 0}, zero[] = {0, 0};
  cblas_cgemm(CblasRowMajor, CblasNoTrans, CblasTrans, s.pixels, s.depths, s.channels, one, s.given,
              s.channels, s.turns, s.channels, zero, s.made, s.depths);
}

void blas_synth(const PlainSynth<double>& s) {
  const double one[] = {1, 0}, zero[] = {0, 0};
  cblas_zgemm(CblasRowMajor, CblasNoTrans, CblasTrans, s.pixels, s.depths, s.channels, one, s.given,
              s.channels, s.turns, s.channels, zero, s.made, s.depths);
}
#else
std::string why_no_plain_blas() { return "CBLAS was not built in"; }

void blas_synth(const PlainSynth<float>&) {
  throw Error(ErrorKind::failure, "faraday: " + why_no_plain_blas());
}
void blas_synth(const PlainSynth<double>&) {
  throw Error(ErrorKind::failure, "faraday: " + why_no_plain_blas());
}
#endif

}  // namespace tessera
