// SPDX-License-Identifier: Apache-2.0
// The table of methods: what each refuses, what it should cost, how it is made.
#include "ops/convolve/convolve_problem.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tessera {
namespace {

std::string refuses_device_images(const ConvolveProblem& p) { return why_not_on_host(p.image); }
std::string refuses_without_device(const ConvolveProblem& p) { return why_no_device(p.device); }

std::string refuses_split(const ConvolveProblem& p) {
  return p.finite_weights ? "" : "the filter has weights that are not finite";
}

std::string refuses_separable_cpu(const ConvolveProblem& p) {
  std::string reason = refuses_device_images(p);
  if (reason.empty()) reason = refuses_split(p);
  if (!reason.empty() || p.split_in_one().exact()) return reason;
  return fmt::format(
      "the filter is not the product of a row and a column: the nearest one leaves {:.2g} of its "
      "weights",
      p.split_in_one().residual / p.split_in_one().magnitude);
}

std::string refuses_lowrank_cpu(const ConvolveProblem& p) {
  std::string reason = refuses_device_images(p);
  if (reason.empty()) reason = refuses_split(p);
  if (!reason.empty() || !p.split_in_few().terms.empty()) return reason;
  if (std::max(p.filter_width, p.filter_height) > p.split_side)
    return fmt::format("the filter is {}x{}; filters of sides up to {} are split", p.filter_width,
                       p.filter_height, p.split_side);
  return "the filter is no sum of few products of a row and a column: direct is as cheap";
}

// The reference is there to be asked for: it never wins by cost.
double reference_seconds(const ConvolveProblem& p, const Machine&) { return 1e3 + p.flops() / 1e8; }

// 0.9 of the FMA peak, once the pixels are in the cache (measured: 3x3 to 43x43, Neoverse N1).
double direct_cpu_seconds(const ConvolveProblem& p, const Machine& m) {
  const double doubling = p.sums == Type::f64 ? 2 : 1;
  return doubling * p.flops() / (0.9 * m.cpu_flops) + 2 * p.bytes() / m.cpu_bytes_per_second;
}

double terms_cpu_seconds(const ConvolveProblem& p, const Machine& m, std::size_t terms) {
  const double doubling = p.sums == Type::f64 ? 2 : 1;
  const double flops = 2.0 * static_cast<double>(terms) * (p.filter_width + p.filter_height) *
                       static_cast<double>(p.output.size.samples());
  return doubling * flops / (0.6 * m.cpu_flops) + 2.5 * p.bytes() / m.cpu_bytes_per_second;
}
double separable_cpu_seconds(const ConvolveProblem& p, const Machine& m) {
  return terms_cpu_seconds(p, m, 1);
}
double lowrank_cpu_seconds(const ConvolveProblem& p, const Machine& m) {
  return terms_cpu_seconds(p, m, p.split_in_few().terms.size());
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
      {"separable", Backend::cpu, refuses_separable_cpu, separable_cpu_seconds,
       make_convolve_separable_cpu},
      {"lowrank", Backend::cpu, refuses_lowrank_cpu, lowrank_cpu_seconds,
       make_convolve_lowrank_cpu},
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
