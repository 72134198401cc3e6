// SPDX-License-Identifier: Apache-2.0
// The table of methods: what each refuses, what it should cost, how it is made.
#include "ops/faraday/faraday_nufft.hpp"
#include "ops/faraday/faraday_problem.hpp"

namespace tessera {
namespace {

std::string refuses_device_images(const FaradayProblem& p) { return why_not_on_host(p.image); }

std::string why_no_nufft_on_host(const FaradayProblem& p) {
  const std::string reason = why_not_on_host(p.image);
  return reason.empty() ? why_no_faraday_nufft(p) : reason;
}

// The reference is there to be asked for: it never wins by cost.
double reference_seconds(const FaradayProblem& p, const Machine&) {
  return kOnlyOnRequest + 5e-8 * p.products();
}

}  // namespace

const std::vector<FaradayMethod>& faraday_methods() {
  static const std::vector<FaradayMethod> methods{
      {"reference", Backend::cpu, refuses_device_images, reference_seconds, make_faraday_reference},
      {"nufft", Backend::cpu, why_no_nufft_on_host, faraday_nufft_cpu_seconds,
       make_faraday_nufft_cpu},
  };
  return methods;
}

}  // namespace tessera
