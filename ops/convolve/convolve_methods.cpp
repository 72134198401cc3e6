// SPDX-License-Identifier: Apache-2.0
// The table of methods: what each refuses, what it should cost, how it is made. Those for GPUs are
// in convolve_methods_cuda.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ops/convolve/box_sums.hpp"
#include "ops/convolve/convolve_problem.hpp"
#include "ops/convolve/convolve_tiles.hpp"
#include "ops/convolve/inside_prefix.hpp"
#include "tune/method_list.hpp"

namespace tessera {
namespace {

// Such a filter alone takes gigabytes.
std::string refuses_endless_filters(const ConvolveProblem& p) {
  if (fft_tile_shape(p).across > 0) return "";
  return fmt::format(
      "the filter is {}x{}, larger than the largest transform; direct takes every size",
      p.filter_width, p.filter_height);
}

double doubling(const ConvolveProblem& p) { return p.sums == Type::f64 ? 2 : 1; }

// The reference is only used on request: it never wins by cost.
double reference_seconds(const ConvolveProblem& p, const Machine&) { return 1e3 + p.flops() / 1e8; }

// 0.9 of the FMA peak, once the pixels are in the cache (measured: 3x3 to 43x43, Neoverse N1).
double direct_cpu_seconds(const ConvolveProblem& p, const Machine& m) {
  return doubling(p) * p.flops() / (0.9 * m.cpu_flops) + 2 * p.bytes() / m.cpu_bytes_per_second;
}

// Additions down the columns, and one more pass per binary digit of the width along the rows, in
// units of the time that doubles take: measured on one core of an x86-64 Xeon with AVX-512, boxes
// of 3 to 101, next to separable, which is as fast at 15x15 of f32.
double running_cpu_seconds(const ConvolveProblem& p, const Machine& m) {
  const double passes = std::floor(std::log2(p.filter_width));
  const double flops = (36 + 20 * passes) * static_cast<double>(p.output.size.samples());
  return box_sums(p).bytes() / 8.0 * flops / m.cpu_flops + 2 * p.bytes() / m.cpu_bytes_per_second;
}

// Its rows are read and written as often as direct's, and 3x3 is a little faster (Neoverse N1, Xeon
// with AVX-512).
double terms_cpu_seconds(const ConvolveProblem& p, const Machine& m, std::size_t terms) {
  const double flops = 2.0 * static_cast<double>(terms) * (p.filter_width + p.filter_height) *
                       static_cast<double>(p.output.size.samples());
  return doubling(p) * flops / (0.6 * m.cpu_flops) + 1.95 * p.bytes() / m.cpu_bytes_per_second;
}
double separable_cpu_seconds(const ConvolveProblem& p, const Machine& m) {
  return terms_cpu_seconds(p, m, 1);
}
double lowrank_cpu_seconds(const ConvolveProblem& p, const Machine& m) {
  if (p.split_in_one().exact()) return 1e9;  // one term: separable has it
  return terms_cpu_seconds(p, m, p.split_in_few().terms.size());
}

// 40% of the FMA peak when 5 n log2 n flop are counted for a complex transform of n points (a pair
// of tiles has one each way) and copies of the tiles as two more passes: measured on a Neoverse-N1.
double fft_cpu_seconds(const ConvolveProblem& p, const Machine& m) {
  if (!fft_keeps_the_bound(p)) return 1e9;
  const TileShape shape = fft_tile_shape(p);
  const double flops = 5.0 * fft_tile_cost(p, shape) * tile_results(p, shape);
  return doubling(p) * flops / (0.40 * m.cpu_flops) + p.bytes() / m.cpu_bytes_per_second;
}

std::vector<ConvolveMethod> all_methods() {
  std::vector<ConvolveMethod> methods{
      {"reference", Backend::cpu, refuses_on_host, reference_seconds, make_convolve_reference},
      {"direct", Backend::cpu, refuses_on_host, direct_cpu_seconds, make_convolve_direct_cpu},
      {"running", Backend::cpu, refuses_on_host<why_not_running>, running_cpu_seconds,
       make_convolve_running_cpu},
      {"separable", Backend::cpu, refuses_on_host<why_not_separable>, separable_cpu_seconds,
       make_convolve_separable_cpu},
      {"lowrank", Backend::cpu, refuses_on_host<why_not_lowrank>, lowrank_cpu_seconds,
       make_convolve_lowrank_cpu},
      {"fft", Backend::cpu, refuses_on_host<why_no_fft, refuses_endless_filters>, fft_cpu_seconds,
       make_convolve_fft_cpu},
  };
  for (const ConvolveMethod& method : convolve_cuda_methods()) methods.push_back(method);
  return methods;
}

}  // namespace

std::string why_no_fft(const ConvolveProblem& p) {
  return p.finite_weights ? "" : "the filter has weights that are not finite; direct takes these";
}

std::string why_not_separable(const ConvolveProblem& p) {
  if (const std::string reason = why_no_fft(p); !reason.empty() || p.split_in_one().exact())
    return reason;
  return fmt::format(
      "the filter is not the product of a row and a column: the nearest one leaves {:.2g} of its "
      "weights",
      p.split_in_one().residual / p.split_in_one().magnitude);
}

std::string why_not_lowrank(const ConvolveProblem& p) {
  if (const std::string reason = why_no_fft(p); !reason.empty() || !p.split_in_few().terms.empty())
    return reason;
  if (std::max(p.filter_width, p.filter_height) > p.split_side)
    return fmt::format("the filter is {}x{}; filters of sides up to {} are split", p.filter_width,
                       p.filter_height, p.split_side);
  return "the filter is not a sum of a few products of a row and a column: direct is as fast";
}

bool fft_keeps_the_bound(const ConvolveProblem& p) {
  return p.weights.size() >= 81 && largest_inside_share(p, inside_prefix(p)) <= 8;
}

const std::vector<ConvolveMethod>& convolve_methods() {
  static const std::vector<ConvolveMethod> methods = all_methods();
  return methods;
}

static const RegisteredMethods convolve_methods_list("convolve", [] {
  return names_of_methods(convolve_methods());
});

ProblemKey problem_key(const ConvolveProblem& p) {
  return {{{"in", std::string(name_of(p.image.type))}},
          {{"fw", p.filter_width},
           {"fh", p.filter_height},
           {"pixels", static_cast<double>(p.image.size.pixels())}}};
}

}  // namespace tessera
