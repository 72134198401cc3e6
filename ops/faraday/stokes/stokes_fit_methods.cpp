// SPDX-License-Identifier: Apache-2.0
// The table of methods: what each refuses, its estimated cost, how it is made.
#include "ops/faraday/stokes/cuda/stokes_fit_cuda.hpp"
#include "ops/faraday/stokes/stokes_fit_problem.hpp"
#include "tune/method_list.hpp"

namespace tessera {
namespace {

// The reference is only used on request: it never wins by cost.
double stokes_reference_seconds(const StokesFitProblem& p, const Machine&) {
  return kOnlyOnRequest + 1e-6 * static_cast<double>(p.image.size.pixels());
}
// 5 passes over the channels, 12 ns each on one core of an x86-64 with AVX2.
double stokes_rows_seconds(const StokesFitProblem& p, const Machine& m) {
  return 6e-8 * static_cast<double>(p.image.size.pixels()) / m.threads;
}

}  // namespace

const std::vector<StokesFitMethod>& stokes_fit_methods() {
  static const std::vector<StokesFitMethod> methods{
      {"reference", Backend::cpu, refuses_on_host<>, stokes_reference_seconds,
       make_stokes_fit_reference},
      {"simd", Backend::cpu, refuses_on_host<>, stokes_rows_seconds, make_stokes_fit_rows},
      {"columns", Backend::cuda, why_no_stokes_columns, stokes_columns_seconds,
       make_stokes_columns},
  };
  return methods;
}

static const RegisteredMethods stokes_fit_methods_list("faraday fit-i", [] {
  return names_of_methods(stokes_fit_methods());
});

}  // namespace tessera
