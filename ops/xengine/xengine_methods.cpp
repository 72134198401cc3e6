// SPDX-License-Identifier: Apache-2.0
// The table of methods: what each refuses, what it should cost, how it is made.
#include "ops/xengine/cpu/xengine_dot.hpp"
#include "ops/xengine/cpu/xengine_host.hpp"
#include "ops/xengine/cuda/xengine_cuda.hpp"
#include "tune/method_list.hpp"

namespace tessera {
namespace {

std::string refuses_nothing(const XEngineProblem&) { return ""; }

// The reference is only used on request: it never wins by cost.
double reference_seconds(const XEngineProblem& p, const Machine&) {
  return kOnlyOnRequest + 2e-9 * p.products();
}

// A share of the FMA peak, rows of panels that are filled up, and the time of packing. It predicts
// 0.9 to 1.06 of the times of README.md's table (one Neoverse N1, 40 Gflop/s) for cit and 0.9 to
// 1.02 for tci; for cf32 in tci it is 0.57, 0.72 and 0.92 (8, 32 and 128 antennas): packing is one
// number here.
double fma_cpu_seconds(const XEngineProblem& p, const Machine& m) {
  const bool in_double = p.options.samples == SampleType::ci16;
  const double peak = 0.8 * m.cpu_flops / (in_double ? 2 : 1), inputs = p.shape.inputs();
  const double filled_up = 1 + (in_double ? 3 : 10) / inputs;
  const double packing = 3e-9 * inputs * p.shape.channels * kTypicalSamples / m.threads;
  return filled_up * 2 * p.products() / peak + packing;
}

}  // namespace

const std::vector<XEngineMethod>& xengine_methods() {
  static const std::vector<XEngineMethod> methods{
      {"reference", Backend::cpu, refuses_nothing, reference_seconds, make_xengine_reference},
      {"dot", Backend::cpu, why_no_dot, dot_seconds, make_dot},
      {"fma", Backend::cpu, refuses_nothing, fma_cpu_seconds, make_xengine_fma_cpu},
      {"wgmma", Backend::cuda, why_no_xengine_wgmma, xengine_wgmma_seconds, make_xengine_wgmma},
      {"mma", Backend::cuda, why_no_xengine_mma, xengine_mma_seconds, make_xengine_mma},
      {"dp4a", Backend::cuda, why_no_xengine_dp4a, xengine_dp4a_seconds, make_xengine_dp4a},
      {"fma", Backend::cuda, why_no_xengine_fma_cuda, xengine_fma_cuda_seconds,
       make_xengine_fma_cuda},
  };
  return methods;
}

static const RegisteredMethods xengine_methods_list("xengine", [] {
  return names_of_methods(xengine_methods());
});

}  // namespace tessera
