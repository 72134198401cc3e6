// SPDX-License-Identifier: Apache-2.0
// The table of methods: what each refuses, what it should cost, how it is made.
#include "ops/xengine/xengine_host.hpp"

namespace tessera {
namespace {

std::string refuses_nothing(const XEngineProblem&) { return ""; }

// The reference is there to be asked for: it never wins by cost.
double reference_seconds(const XEngineProblem& p, const Machine&) {
  return kOnlyOnRequest + 2e-9 * p.products();
}

// Shares of the FMA peak are filled in below by measurement.
double fma_cpu_seconds(const XEngineProblem& p, const Machine& m) {
  const double peak = p.options.samples == SampleType::ci16 ? m.cpu_flops / 2 : m.cpu_flops;
  return 2 * p.products() / (0.6 * peak);
}

}  // namespace

const std::vector<XEngineMethod>& xengine_methods() {
  static const std::vector<XEngineMethod> methods{
      {"reference", Backend::cpu, refuses_nothing, reference_seconds, make_xengine_reference},
      {"fma", Backend::cpu, refuses_nothing, fma_cpu_seconds, make_xengine_fma_cpu},
  };
  return methods;
}

}  // namespace tessera
