// SPDX-License-Identifier: Apache-2.0
// The table of methods: what each refuses, its expected cost, how it is made.
#include "ops/sources/sources_problem.hpp"

namespace tessera {
namespace {

double reference_seconds(const SourcesProblem& p, const Machine&) {
  return kOnlyOnRequest + p.bytes() / 1e8;
}

double runs_cpu_seconds(const SourcesProblem& p, const Machine& m) {
  return p.bytes() / m.cpu_bytes_per_second;
}

}  // namespace

const std::vector<SourcesMethod>& sources_methods() {
  static const std::vector<SourcesMethod> methods{
      {"reference", Backend::cpu, refuses_on_host, reference_seconds, make_sources_reference},
      {"runs", Backend::cpu, refuses_on_host, runs_cpu_seconds, make_sources_runs_cpu},
  };
  return methods;
}

}  // namespace tessera
