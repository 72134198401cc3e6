// SPDX-License-Identifier: Apache-2.0
#include "ops/xengine/study/plain_xengine_blas.hpp"

#include <vector>

#include "core/cblas.hpp"
#include "core/parallel.hpp"

namespace tessera {
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

std::string why_no_xengine_blas() { return why_no_cblas(); }

void blas_xengine_cgemm(const BlasXEngine& x) {
  const float one[] = {1, 0}, before[] = {x.add ? 1.0F : 0.0F, 0};
  const Cblas& blas = cblas_on_all_cores();
  each_channel(x, [&](const float* a, float* c) {
    blas.cgemm(Cblas::kRowMajor, Cblas::kAsIs, Cblas::kAdjoint, x.inputs, x.inputs, x.samples, one,
               a, x.samples, a, x.samples, before, c, x.inputs);
  });
}

void blas_xengine_cherk(const BlasXEngine& x) {
  const Cblas& blas = cblas_on_all_cores();
  each_channel(x, [&](const float* a, float* c) {
    blas.cherk(Cblas::kRowMajor, Cblas::kLower, Cblas::kAsIs, x.inputs, x.samples, 1, a, x.samples,
               x.add ? 1.0F : 0.0F, c, x.inputs);
  });
}

}  // namespace tessera
