// SPDX-License-Identifier: Apache-2.0
// The table of methods: what each refuses, its estimated cost, how it is made.
#include "ops/faraday/maps/cuda/faraday_maps_cuda.hpp"
#include "ops/faraday/maps/faraday_maps_problem.hpp"

namespace tessera {
namespace {

std::string refuses_device_images(const FaradayMapsProblem& p) {
  return why_not_on_host(p.spectra);
}

// The reference is only used on request: it never wins by cost.
double reference_seconds(const FaradayMapsProblem& p, const Machine&) {
  return kOnlyOnRequest + 2e-8 * static_cast<double>(p.spectra.size.pixels());
}

// 2.3 ns per depth for the pass, 7 with the second moment, 36 if the noise is measured (Neoverse
// N1, a busy core, 401 depths); scales with threads.
double simd_seconds(const FaradayMapsProblem& p, const Machine&) {
  return 2.3e-9 * static_cast<double>(p.spectra.size.pixels());
}

}  // namespace

const std::vector<FaradayMapsMethod>& faraday_maps_methods() {
  static const std::vector<FaradayMapsMethod> methods{
      {"reference", Backend::cpu, refuses_device_images, reference_seconds,
       make_faraday_maps_reference},
      {"simd", Backend::cpu, refuses_device_images, simd_seconds, make_faraday_maps_simd},
      {"columns", Backend::cuda, why_no_faraday_columns, faraday_columns_seconds,
       make_faraday_columns},
  };
  return methods;
}

}  // namespace tessera
