// SPDX-License-Identifier: Apache-2.0
// The table of methods of RM-CLEAN: what each refuses, its estimated cost, how it is made.
#include "ops/faraday/clean/cuda/faraday_clean_cuda.hpp"
#include "ops/faraday/clean/faraday_clean_problem.hpp"
#include "tune/method_list.hpp"

namespace tessera {
namespace {

std::string refuses_device_spectra(const FaradayCleanProblem& p) {
  return why_not_on_host(p.spectra);
}

/// Passes over spectra: the number of iterations depends on the data; a dozen is usual.
double passes(const FaradayCleanProblem& p) {
  return 12 * static_cast<double>(p.spectra.size.pixels());
}

// The reference is only used on request: it never wins by cost.
double reference_seconds(const FaradayCleanProblem& p, const Machine&) {
  return kOnlyOnRequest + 1e-8 * passes(p);
}

// 14 instructions per depth and pass, at half the rate of the FMA peak; 60% of that is reached
// (Neoverse N1).
double simd_seconds(const FaradayCleanProblem& p, const Machine& m) {
  const double wide = p.spectra.type == Type::f64 ? 2 : 1;
  return 14 * wide * passes(p) / (0.6 * m.cpu_flops / 2);
}

}  // namespace

const std::vector<FaradayCleanMethod>& faraday_clean_methods() {
  static const std::vector<FaradayCleanMethod> methods{
      {"reference", Backend::cpu, refuses_device_spectra, reference_seconds,
       make_faraday_clean_reference},
      {"simd", Backend::cpu, refuses_device_spectra, simd_seconds, make_faraday_clean_simd},
      {"warps", Backend::cuda, why_no_faraday_clean_warps, faraday_clean_warps_seconds,
       make_faraday_clean_warps},
      {"blocks", Backend::cuda, why_no_faraday_clean_blocks, faraday_clean_blocks_seconds,
       make_faraday_clean_blocks},
  };
  return methods;
}

static const RegisteredMethods faraday_clean_methods_list("faraday clean", [] {
  return names_of_methods(faraday_clean_methods());
});

}  // namespace tessera
