// SPDX-License-Identifier: Apache-2.0
// The table of methods: what each refuses, what it should cost, how it is made.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ops/noise/grid/noise_grid_methods.hpp"
#include "tessera/image.hpp"
#include "tune/method_list.hpp"

namespace tessera {
namespace {

std::string why_not_sliding(const NoiseProblem& p) {
  if (p.estimator == NoiseEstimator::iqr) return "";
  return fmt::format("estimator {} is made of each box by itself", name_of(p.estimator));
}
std::string why_not_by_itself(const NoiseProblem& p) {
  return p.mode == NoiseMode::binned ? "mode binned is made of boxes that slide" : "";
}

double pixels_of(const NoiseProblem& p) { return static_cast<double>(p.image.size.pixels()); }
double values_of(const NoiseProblem& p) { return pixels_of(p) * p.box.width * p.box.height; }
double orders_of(const NoiseProblem& p) { return static_cast<double>(p.orders.size()); }

// How much longer sliding boxes take than those of up to 64 by 64: measured to 1024 by 1024
// (README.cpu.md, README.cuda.md).
double growth(const NoiseProblem& p, double squared) {
  const double beyond = std::max(0.0, std::sqrt(1.0 * p.box.width * p.box.height) - 64);
  return 1 + 0.0044 * beyond + squared * beyond * beyond;
}

// The time of an H200 for boxes of 64 by 64 over the time of one core: measured.
double share_on_device(const NoiseProblem& p) {
  switch (p.estimator) {
    case NoiseEstimator::mad:
      return 0.0037;
    case NoiseEstimator::clip:
      return 0.0014;
    case NoiseEstimator::mode:
      return 0.0020;
    default:
      return 0.0045;
  }
}

// The reference is only used on request: it never wins by cost.
double reference_seconds(const NoiseProblem& p, const Machine&) {
  return kOnlyOnRequest + 1e-7 * values_of(p);
}

double boxes_cpu_seconds(const NoiseProblem& p, const Machine& m) {
  return 1e-9 * noise_box_ns(p) * pixels_of(p) / m.threads;
}

// Nanoseconds per pixel: marks and columns, then each quantile.
double columns_cpu_seconds(const NoiseProblem& p, const Machine& m) {
  const double ns = p.mode == NoiseMode::binned ? 35 + 16 * orders_of(p) : 70 + 27 * orders_of(p);
  return 1e-9 * ns * growth(p, 2.5e-6) * pixels_of(p) / m.threads;
}

// Times of an H200 (60e12 flop per second), and 20 us per launch: rough, but enough to choose
// between GPU and CPU.
double cuda_seconds(const NoiseProblem& p, const Machine& m, double ns_on_a_large_device,
                    long long copied_back) {
  const double kernel = 1e-9 * ns_on_a_large_device * 60e12 / m.device_flops(p.device);
  const double copies = p.image.device == kHost
                            ? link_seconds(p.device, static_cast<double>(bytes_of(p.image)),
                                           static_cast<double>(copied_back))
                            : 0;
  return 20e-6 + kernel + copies;
}
double boxes_cuda_seconds(const NoiseProblem& p, const Machine& m) {
  return cuda_seconds(p, m, share_on_device(p) * noise_box_ns(p) * pixels_of(p),
                      bytes_of(p.output));
}
double warps_cuda_seconds(const NoiseProblem& p, const Machine& m) {
  const double ns = p.mode == NoiseMode::binned ? (0.02 + 0.06 * orders_of(p)) * growth(p, 1.7e-5)
                                                : (0.16 + 0.055 * orders_of(p)) * growth(p, 7.5e-6);
  return cuda_seconds(p, m, ns * pixels_of(p), bytes_of(p.output));
}

double nodes_of(const NoiseGridProblem& p) {
  return static_cast<double>(p.nodes.columns.size() * p.nodes.rows.size());
}
double points_cpu_seconds(const NoiseGridProblem& p, const Machine& m) {
  return 1e-9 * noise_box_ns(p) * nodes_of(p) / m.threads;
}
// The maps are drawn on the host.
double points_cuda_seconds(const NoiseGridProblem& p, const Machine& m) {
  return cuda_seconds(p, m, share_on_device(p) * noise_box_ns(p) * nodes_of(p), 0);
}

}  // namespace

// Measured: small boxes are counted, larger ones have histograms; distances are a second list,
// clipping reads the list several times, and mode also finds medians of it.
double noise_box_ns(const NoiseProblem& p) {
  const double values = 1.0 * p.box.width * p.box.height;
  const double quantiles = std::min(200 + 11 * values, 2000 + 4.2 * values);
  switch (p.estimator) {
    case NoiseEstimator::mad:
      return 1.9 * quantiles;
    case NoiseEstimator::clip:
      return 2.1 * quantiles;
    case NoiseEstimator::mode:
      return 4.8 * quantiles;
    default:
      return quantiles;
  }
}

const std::vector<NoiseMethod>& noise_methods() {
  static const std::vector<NoiseMethod> methods{
      {"reference", Backend::cpu, refuses_on_host, reference_seconds, make_noise_reference},
      {"boxes", Backend::cpu, refuses_on_host<why_not_by_itself>, boxes_cpu_seconds,
       make_noise_boxes_cpu},
      {"columns", Backend::cpu, refuses_on_host<why_not_sliding>, columns_cpu_seconds,
       make_noise_columns_cpu},
      {"boxes", Backend::cuda, refuses_on_device<why_not_by_itself>, boxes_cuda_seconds,
       make_noise_boxes_cuda},
      {"warps", Backend::cuda, refuses_on_device<why_not_sliding>, warps_cuda_seconds,
       make_noise_warps_cuda},
  };
  return methods;
}

static const RegisteredMethods noise_methods_list("noise",
                                                  [] { return names_of_methods(noise_methods()); });

const std::vector<NoiseGridMethod>& noise_grid_methods() {
  static const std::vector<NoiseGridMethod> methods{
      {"boxes", Backend::cpu, refuses_on_host, points_cpu_seconds,
       [](const NoiseGridProblem& p) { return make_noise_points_cpu(p); }},
      {"boxes", Backend::cuda, refuses_on_device, points_cuda_seconds,
       [](const NoiseGridProblem& p) { return make_noise_points_cuda(p); }},
  };
  return methods;
}

}  // namespace tessera
