// SPDX-License-Identifier: Apache-2.0
// The table of methods: what each refuses, what it should cost, how it is made.
#include <cmath>

#include "ops/correlate/match/match_problem.hpp"
#include "tune/method_list.hpp"

namespace tessera {
namespace {

double values_of(const MatchProblem& p) {
  return static_cast<double>(p.output.size.pixels()) * p.channels();
}

double match_reference_seconds(const MatchProblem& p, const Machine&) {
  return kOnlyOnRequest + 2e-8 * values_of(p) * static_cast<double>(p.pixels());
}

// Eight operations per window and binary digit of the template's sides, on doubles in the cache.
double spread_seconds(const MatchProblem& p, const Machine& m) {
  const double digits = 2 + std::log2(p.width) + std::log2(p.height);
  return 16 * digits * values_of(p) / (0.2 * m.cpu_flops) +
         static_cast<double>(bytes_of(p.image)) / m.cpu_bytes_per_second;
}

// Convolve's tables know which of its methods is faster here, so the other one is not worth its own
// model.
constexpr double kNotTheFaster = 10;

double match_direct_seconds(const MatchProblem& p, const Machine& m) {
  const double products = 4 * static_cast<double>(p.pixels()) * values_of(p) / (0.9 * m.cpu_flops);
  return spread_seconds(p, m) + products * (p.products == "fft" ? kNotTheFaster : 1);
}
// 400 operations per value: two transforms of a tile of 256x256 and their halo.
double match_fft_seconds(const MatchProblem& p, const Machine& m) {
  const double products = 400 * values_of(p) / (0.4 * m.cpu_flops);
  const double direct = match_direct_seconds(p, m);
  const double all = spread_seconds(p, m) + products;
  if (p.products == "fft") return std::min(all, direct / 2);
  return p.products == "direct" ? std::max(all, 2 * direct) : all;
}

}  // namespace

const std::vector<MatchMethod>& match_methods() {
  static const std::vector<MatchMethod> methods{
      {"reference", Backend::cpu, refuses_on_host, match_reference_seconds, make_match_reference},
      {"direct", Backend::cpu, refuses_on_host, match_direct_seconds, make_match_direct_cpu},
      {"fft", Backend::cpu, refuses_on_host, match_fft_seconds, make_match_fft_cpu},
  };
  return methods;
}

static const RegisteredMethods match_methods_list("match",
                                                  [] { return names_of_methods(match_methods()); });

}  // namespace tessera
