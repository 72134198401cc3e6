// SPDX-License-Identifier: Apache-2.0
// The table of methods: what each refuses, what it should cost, how it is made.
#include "ops/convolve/convolve_problem.hpp"

namespace tessera {
namespace {

std::string refuses_device_images(const ConvolveProblem& p) { return why_not_on_host(p.image); }
std::string refuses_without_device(const ConvolveProblem& p) { return why_no_device(p.device); }

// The reference is there to be asked for: it never wins by cost.
double reference_seconds(const ConvolveProblem& p, const Machine&) { return 1e3 + p.flops() / 1e8; }

double direct_cpu_seconds(const ConvolveProblem& p, const Machine& m) {
  const double doubling = p.sums == Type::f64 ? 2 : 1;
  return doubling * p.flops() / (0.5 * m.cpu_flops) + p.bytes() / m.cpu_bytes_per_second;
}

// 0.2 of the FMA peak and 20 us a launch: rough, and enough to tell a GPU from a CPU.
double direct_cuda_seconds(const ConvolveProblem& p, const Machine& m) {
  const double doubling = p.sums == Type::f64 ? 2 : 1;
  const double kernel = doubling * p.flops() / (0.2 * m.device_flops(p.device)) +
                        p.bytes() / m.device_bytes_per_second(p.device);
  const double copies = p.image.device == kHost ? p.bytes() / m.link_bytes_per_second : 0;
  return 20e-6 + kernel + copies;
}

}  // namespace

const std::vector<ConvolveMethod>& convolve_methods() {
  static const std::vector<ConvolveMethod> methods{
      {"reference", Backend::cpu, refuses_device_images, reference_seconds,
       make_convolve_reference},
      {"direct", Backend::cpu, refuses_device_images, direct_cpu_seconds, make_convolve_direct_cpu},
      {"direct", Backend::cuda, refuses_without_device, direct_cuda_seconds,
       make_convolve_direct_cuda},
  };
  return methods;
}

ProblemKey problem_key(const ConvolveProblem& p) {
  return {{{"in", std::string(name_of(p.image.type))}},
          {{"fw", p.filter_width},
           {"fh", p.filter_height},
           {"pixels", static_cast<double>(p.image.size.pixels())}}};
}

}  // namespace tessera
