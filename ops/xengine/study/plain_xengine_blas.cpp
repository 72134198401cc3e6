// SPDX-License-Identifier: Apache-2.0
#if TESSERA_HAVE_CBLAS
#include <cblas.h>
#endif

#include <vector>

#include "core/parallel.hpp"
#include "ops/xengine/study/plain_xengine_blas.hpp"
#include "tessera/error.hpp"

namespace tessera {

#if TESSERA_HAVE_CBLAS
namespace {

/// Calls product(matrix, made) for every channel; the matrix has one row per input.
template <class Product>
void each_channel(const BlasXEngine& x, Product product) {
  const long long count = 2LL * x.inputs * x.samples;
  std::vector<float> matrix(static_cast<std::size_t>(count));
  const int threads = available_threads();
  for (int c = 0; c < x.channels; ++c) {
    parallel_for(x.inputs, threads, [&](int i) {
      for (long long k = 2LL * i * x.samples; k < 2LL * (i + 1) * x.samples; ++k)
        matrix[static_cast<std::size_t>(k)] = x.given[c * count + k];
    });
    product(matrix.data(), x.made + 2LL * c * x.inputs * x.inputs);
  }
}

}  // namespace

std::string why_no_xengine_blas() { return ""; }

void blas_xengine_cgemm(const BlasXEngine& x) {
  const float one[] = {1, 0}, zero[] = {0, 0};
  each_channel(x, [&](const float* a, float* c) {
    cblas_cgemm(CblasRowMajor, CblasNoTrans, CblasConjTrans, x.inputs, x.inputs, x.samples, one, a,
                x.samples, a, x.samples, zero, c, x.inputs);
  });
}

void blas_xengine_cherk(const BlasXEngine& x) {
  each_channel(x, [&](const float* a, float* c) {
    cblas_cherk(CblasRowMajor, CblasLower, CblasNoTrans, x.inputs, x.samples, 1, a, x.samples, 0, c,
                x.inputs);
  });
}
#else
std::string why_no_xengine_blas() { return "CBLAS was not built in"; }

void blas_xengine_cgemm(const BlasXEngine&) {
  throw Error(ErrorKind::failure, "xengine: " + why_no_xengine_blas());
}
void blas_xengine_cherk(const BlasXEngine&) {
  throw Error(ErrorKind::failure, "xengine: " + why_no_xengine_blas());
}
#endif

}  // namespace tessera
