// SPDX-License-Identifier: Apache-2.0
// The table of methods: what each refuses, its estimated cost, how it is made.
#include "ops/faraday/bands/cuda/faraday_bands_cuda.hpp"
#include "ops/faraday/bands/faraday_bands_problem.hpp"

namespace tessera {
namespace {

// The reference is only used on request: it never wins by cost.
double bands_reference_seconds(const FaradayBandsProblem& p, const Machine&) {
  return kOnlyOnRequest + 1e-8 * static_cast<double>(p.image.size.pixels());
}
double band_rows_seconds(const FaradayBandsProblem& p, const Machine&) {
  return 2e-9 * static_cast<double>(p.image.size.pixels());
}

}  // namespace

const std::vector<FaradayBandsMethod>& faraday_bands_methods() {
  static const std::vector<FaradayBandsMethod> methods{
      {"reference", Backend::cpu, refuses_on_host<>, bands_reference_seconds,
       make_faraday_bands_reference},
      {"simd", Backend::cpu, refuses_on_host<>, band_rows_seconds, make_faraday_bands_rows},
      {"columns", Backend::cuda, why_no_faraday_band_columns, faraday_band_columns_seconds,
       make_faraday_band_columns},
  };
  return methods;
}

}  // namespace tessera
