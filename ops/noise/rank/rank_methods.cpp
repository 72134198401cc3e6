// SPDX-License-Identifier: Apache-2.0
// The table of methods: what each refuses, what it should cost, how it is made. All give the same
// bytes.
#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "ops/noise/noise_problem.hpp"
#include "ops/noise/rank/rank_boxes.hpp"
#include "ops/noise/rank/rank_network.cuh"
#include "tune/method_list.hpp"

namespace tessera {
namespace {

std::string why_not_square(const RankProblem& p) {
  const bool side = p.width == 3 || p.width == 5 || p.width == 7;
  return p.is_box() && p.width == p.height && side ? "" : "the footprint is not 3x3, 5x5 or 7x7";
}
std::string why_not_network(const RankProblem& p) {
  return p.count() <= kMostWires ? ""
                                 : fmt::format("the footprint has more than {} pixels", kMostWires);
}
std::string why_not_full(const RankProblem& p) {
  return p.windows_are_full() ? "" : "border inside leaves windows of several sizes";
}
std::string why_not_counted(const RankProblem& p) {
  return p.count() <= 65535 ? "" : "the footprint has more than 65535 pixels";
}
std::string why_not_bytes(const RankProblem& p) {
  return p.image.type == Type::u8 ? "" : "only u8 images have histograms of 256 values";
}
std::string why_not_rectangle(const RankProblem& p) {
  return p.is_box() ? "" : "the footprint is not a full rectangle";
}
std::string why_not_box(const RankProblem& p) {
  return p.is_centred_box() ? "" : "the footprint is not a full rectangle about its centre";
}

double samples_of(const RankProblem& p) { return static_cast<double>(p.output.size.samples()); }

// The reference is only used on request, or if nothing else can run.
double reference_seconds(const RankProblem& p, const Machine&) {
  return kOnlyOnRequest + 1e-8 * p.count() * samples_of(p);
}

// Nanoseconds of one core per vector, over threads.
double vectors_seconds(const RankProblem& p, const Machine& m, double ns) {
  return 1e-9 * ns * static_cast<double>(bytes_of(p.output)) / m.vector_bytes / m.threads;
}
// Measured on a Neoverse-V1 with 512x512 images of u8 and f32 (README.md of this folder).
double square_seconds(const RankProblem& p, const Machine& m) {
  return vectors_seconds(p, m, p.width == 3 ? 6 : p.width == 5 ? 18 : 39);
}
double network_seconds(const RankProblem& p, const Machine& m) {
  const double n = p.count(), halvings = std::log2(n);
  return vectors_seconds(p, m, 0.6 * n + 0.18 * n * halvings * halvings);
}
double bisect_seconds(const RankProblem& p, const Machine& m) {
  const double bits = 8.0 * bytes_of(p.image.type), wide = p.count() > 255 ? 2 : 1;
  return vectors_seconds(p, m, wide * bits * (1.2 + 0.37 * p.count()));
}

// Half of the 20 ns that a pixel takes on a Xeon with AVX-512, on which bisection and columns take
// twice their time here too. A level is one vector of 32 bytes, or two of 16.
double histogram_seconds(const RankProblem& p, const Machine& m) {
  return (m.vector_bytes < 32 ? 20e-9 : 10e-9) * samples_of(p) / m.threads;
}

// The methods of noise were timed on a slower machine; what counts here is their time over that of
// the networks.
constexpr double kColumnsOverNetworks = 0.36;

double box_seconds(const RankProblem& p, const Machine& m, Backend backend, const char* name) {
  for (const NoiseMethod& method : noise_methods())
    if (method.backend == backend && method.name == std::string_view(name))
      return method.seconds(box_problem_of(p), m) * p.output.size.channels * p.output.size.planes;
  return kOnlyOnRequest;
}
double columns_seconds(const RankProblem& p, const Machine& m) {
  return kColumnsOverNetworks * box_seconds(p, m, Backend::cpu, "columns");
}
double boxes_seconds(const RankProblem& p, const Machine& m) {
  return box_seconds(p, m, Backend::cpu, "boxes");
}
// Comparisons of a GPU at a fifth of its multiply-adds, and 20 us per launch. Steps are those that
// an H200 took for 4096x4096 pixels of u8, u16 and f32.
double cuda_seconds(const RankProblem& p, const Machine& m, double steps) {
  const double bytes = 2 * static_cast<double>(bytes_of(p.output));
  const double kernel = 2 * steps * samples_of(p) / (0.2 * m.device_flops(p.device)) +
                        bytes / m.device_bytes_per_second(p.device);
  return 20e-6 + kernel + copy_seconds(p.image, p.output, p.device);
}
double square_cuda_seconds(const RankProblem& p, const Machine& m) {
  return cuda_seconds(p, m, p.width == 3 ? 80 : p.width == 5 ? 180 : 420);
}
// The kernel for several planes has not run on a device yet: only if nothing else can run.
double bisect_cuda_seconds(const RankProblem& p, const Machine& m) {
  return (p.is_flat() ? 0 : kOnlyOnRequest) +
         cuda_seconds(p, m, 8.0 * bytes_of(p.image.type) * 13 * p.count());
}
double boxes_cuda_seconds(const RankProblem& p, const Machine& m) {
  return box_seconds(p, m, Backend::cuda, "boxes");
}
double warps_cuda_seconds(const RankProblem& p, const Machine& m) {
  return box_seconds(p, m, Backend::cuda, "warps");
}

}  // namespace

const std::vector<RankMethod>& rank_methods() {
  static const std::vector<RankMethod> methods{
      {"reference", Backend::cpu, refuses_on_host, reference_seconds, make_rank_reference},
      {"square", Backend::cpu, refuses_on_host<why_not_square, why_not_full>, square_seconds,
       make_rank_square_cpu},
      {"network", Backend::cpu, refuses_on_host<why_not_network, why_not_full>, network_seconds,
       make_rank_network_cpu},
      {"bisect", Backend::cpu, refuses_on_host<why_not_counted>, bisect_seconds,
       make_rank_bisect_cpu},
      {"histogram", Backend::cpu,
       refuses_on_host<why_not_bytes, why_not_rectangle, why_not_counted>, histogram_seconds,
       make_rank_histogram_cpu},
      {"columns", Backend::cpu, refuses_on_host<why_not_box>, columns_seconds,
       make_rank_columns_cpu},
      {"boxes", Backend::cpu, refuses_on_host<why_not_box>, boxes_seconds, make_rank_boxes_cpu},
      {"square", Backend::cuda, refuses_on_device<why_not_square>, square_cuda_seconds,
       make_rank_square_cuda},
      {"bisect", Backend::cuda, refuses_on_device<>, bisect_cuda_seconds, make_rank_bisect_cuda},
      {"boxes", Backend::cuda, refuses_on_device<why_not_box>, boxes_cuda_seconds,
       make_rank_boxes_cuda},
      {"warps", Backend::cuda, refuses_on_device<why_not_box>, warps_cuda_seconds,
       make_rank_warps_cuda},
  };
  return methods;
}

static const RegisteredMethods rank_methods_list("rank",
                                                 [] { return names_of_methods(rank_methods()); });

}  // namespace tessera
