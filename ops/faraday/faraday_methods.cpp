// SPDX-License-Identifier: Apache-2.0
// The table of methods: what each refuses, what it should cost, how it is made.
#include "ops/faraday/faraday_problem.hpp"

namespace tessera {
namespace {

std::string refuses_device_images(const FaradayProblem& p) { return why_not_on_host(p.image); }

// The reference is there to be asked for: it never wins by cost.
double reference_seconds(const FaradayProblem& p, const Machine&) {
  return kOnlyOnRequest + 5e-8 * p.products();
}

}  // namespace

const std::vector<FaradayMethod>& faraday_methods() {
  static const std::vector<FaradayMethod> methods{
      {"reference", Backend::cpu, refuses_device_images, reference_seconds, make_faraday_reference},
  };
  return methods;
}

}  // namespace tessera
