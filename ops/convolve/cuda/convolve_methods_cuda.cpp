// SPDX-License-Identifier: Apache-2.0
// The methods for GPUs: what each refuses, and its estimated cost. The costs are rough, for devices
// without a tuning table: fractions of the peaks as measured on an H200.
#include "ops/convolve/box_sums.hpp"
#include "ops/convolve/convolve_problem.hpp"
#include "ops/convolve/cuda/convolve_run_time.hpp"

namespace tessera {
namespace {

std::string why_not_signed(const ConvolveProblem& p) {
  return p.output.type == Type::i16 ? "results of i16 are made on the CPU; give output type f32"
                                    : "";
}

/// 20 us per launch, the copies of a host image, and the longer of arithmetic and memory.
double seconds_of(const ConvolveProblem& p, const Machine& m, double flops, double share,
                  double passes) {
  const double doubling = p.sums == Type::f64 ? 2 : 1;
  const double arithmetic = doubling * flops / (share * m.device_flops(p.device));
  const double memory = passes * p.bytes() / m.device_bytes_per_second(p.device);
  const double copies = copy_seconds(p.image, p.output, p.device);
  return 20e-6 + std::max(arithmetic, memory) + 0.5 * std::min(arithmetic, memory) + copies;
}

double direct_seconds(const ConvolveProblem& p, const Machine& m) {
  const bool fixed = p.sums == Type::f32 && compiling_pays(p);
  return seconds_of(p, m, p.flops(), fixed ? 0.8 : 0.19, 1.1);
}

// As an H200 does: sums pass through memory, 62 bytes per sample, and every block begins with a
// whole window of rows. The sums of floats have twice the bytes, and were timed up to 1024x1024
// only.
double running_seconds(const ConvolveProblem& p, const Machine& m) {
  const double bytes =
      62 * std::max(1.0, box_sums(p).bytes() / 4.0) * static_cast<double>(p.output.size.samples());
  return 20e-6 + 0.5e-6 * p.filter_height + bytes / m.device_bytes_per_second(p.device) +
         copy_seconds(p.image, p.output, p.device);
}

double terms_seconds(const ConvolveProblem& p, const Machine& m, std::size_t terms) {
  if (!compiling_pays(p)) return 1e9;
  const double flops = 2.0 * static_cast<double>(terms) * (p.filter_width + 1.4 * p.filter_height) *
                       static_cast<double>(p.output.size.samples());
  return seconds_of(p, m, flops, 0.55, 1.1 * static_cast<double>(terms));
}
double separable_seconds(const ConvolveProblem& p, const Machine& m) {
  return terms_seconds(p, m, 1);
}
double lowrank_seconds(const ConvolveProblem& p, const Machine& m) {
  if (p.split_in_one().exact()) return 1e9;  // one term is the separable method
  return terms_seconds(p, m, p.split_in_few().terms.size() + 1);
}

// Tiles of 128 x 128: 5 n log2 n flop per complex transform of a pair, in each direction.
double fft_seconds(const ConvolveProblem& p, const Machine& m) {
  if (!fft_keeps_the_bound(p)) return 1e9;
  const double across = 129 - p.filter_width, down = 129 - p.filter_height;
  const double pairs = std::ceil(p.output.size.width / (2 * across)) *
                       std::ceil(p.output.size.height / down) * p.output.size.channels *
                       p.output.size.planes;
  return seconds_of(p, m, pairs * 2 * 5 * 16384 * 14, 0.35, 1.1);
}

// For explicit requests, and for filters too large for tiles.
double fft_library_seconds(const ConvolveProblem& p, const Machine& m) {
  if (!fft_keeps_the_bound(p)) return 1e9;
  return 100e-6 + seconds_of(p, m, 0, 1, 20);
}

}  // namespace

std::vector<ConvolveMethod> convolve_cuda_methods() {
  return {
      {"direct", Backend::cuda, refuses_on_device<why_not_signed>, direct_seconds,
       make_convolve_direct_cuda},
      {"running", Backend::cuda,
       refuses_on_device<why_not_signed, why_not_running_on_device, why_not_running>,
       running_seconds, make_convolve_running_cuda},
      {"separable", Backend::cuda,
       refuses_on_device<why_not_signed, why_not_separable_on_device, why_not_separable>,
       separable_seconds, make_convolve_separable_cuda},
      {"lowrank", Backend::cuda,
       refuses_on_device<why_not_signed, why_not_separable_on_device, why_not_lowrank>,
       lowrank_seconds, make_convolve_lowrank_cuda},
      {"fft", Backend::cuda,
       refuses_on_device<why_not_signed, why_no_fft, why_no_fft_tiles_on_device>, fft_seconds,
       make_convolve_fft_cuda},
      {"fft-library", Backend::cuda,
       refuses_on_device<why_not_signed, why_no_fft, why_no_fft_library_on_device>,
       fft_library_seconds, make_convolve_fft_library_cuda},
  };
}

}  // namespace tessera
