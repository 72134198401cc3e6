// SPDX-License-Identifier: Apache-2.0
// The table of methods: what each refuses, what it should cost, how it is made.
#include "ops/xengine/xengine_dot.hpp"
#include "ops/xengine/xengine_host.hpp"

namespace tessera {
namespace {

std::string refuses_nothing(const XEngineProblem&) { return ""; }

// The reference is there to be asked for: it never wins by cost.
double reference_seconds(const XEngineProblem& p, const Machine&) {
  return kOnlyOnRequest + 2e-9 * p.products();
}

}  // namespace

const std::vector<XEngineMethod>& xengine_methods() {
  static const std::vector<XEngineMethod> methods{
      {"reference", Backend::cpu, refuses_nothing, reference_seconds, make_xengine_reference},
      {"dot", Backend::cpu, why_no_dot, dot_seconds, make_dot},
  };
  return methods;
}

}  // namespace tessera
