// SPDX-License-Identifier: Apache-2.0
// The table of methods: what each refuses, what it should cost, how it is made.
#include <fmt/format.h>

#include "ops/convolve/convolve_problem.hpp"
#include "ops/convolve/convolve_tiles.hpp"
#include "ops/convolve/fft_library.hpp"
#include "ops/convolve/inside_prefix.hpp"

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

std::string refuses_fft_cpu(const ConvolveProblem& p) {
  if (const std::string reason = why_not_on_host(p.image); !reason.empty()) return reason;
  if (fft_tile_shape(p).across > 0) return "";
  return fmt::format(
      "the filter is {}x{}; tiles take up to 769 a side, fft-library and direct more",
      p.filter_width, p.filter_height);
}
std::string refuses_fft_library_cpu(const ConvolveProblem& p) {
  if (const std::string reason = why_not_on_host(p.image); !reason.empty()) return reason;
  return why_no_fft_library();
}

// Only where results keep to direct's bound as well: measured from 9x9 weights on
// (docs/accuracy.md), while border inside multiplies what is left of an error by its factor.
bool fft_keeps_the_bound(const ConvolveProblem& p) {
  return p.weights.size() >= 81 && largest_inside_share(p, inside_prefix(p)) <= 8;
}

// Samples that tiles make, those beyond the image included; `parts` tiles go together.
double tile_samples(const ConvolveProblem& p, TileShape shape, int parts) {
  const auto filled = [](int size, int tile) { return 1.0 * ((size + tile - 1) / tile) * tile; };
  return filled(p.output.size.width, parts * shape.columns(p)) *
         filled(p.output.size.height, shape.rows(p)) * p.output.size.channels *
         p.output.size.planes;
}

// 40% of the FMA peak when 5 n log2 n flop are counted for a complex transform of n points (a pair
// of tiles has one each way) and copies of the tiles as two more passes: measured on a Neoverse-N1.
double fft_cpu_seconds(const ConvolveProblem& p, const Machine& m) {
  if (!fft_keeps_the_bound(p)) return 1e9;
  const double doubling = p.sums == Type::f64 ? 2 : 1;
  const TileShape shape = fft_tile_shape(p);
  const double flops = 5.0 * fft_tile_cost(p, shape) * tile_samples(p, shape, 2);
  return doubling * flops / (0.40 * m.cpu_flops) + p.bytes() / m.cpu_bytes_per_second;
}

// There to be asked for, and for filters that tiles of our own are too small for; 15% as above.
double fft_library_cpu_seconds(const ConvolveProblem& p, const Machine& m) {
  if (!fft_keeps_the_bound(p)) return 1e9;
  const double doubling = p.sums == Type::f64 ? 2 : 1;
  const TileShape shape = library_tile_shape(p);
  const double flops = 5.0 * fft_tile_cost(p, shape) * tile_samples(p, shape, 1);
  return doubling * flops / (0.15 * m.cpu_flops) + p.bytes() / m.cpu_bytes_per_second;
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
      {"fft", Backend::cpu, refuses_fft_cpu, fft_cpu_seconds, make_convolve_fft_cpu},
      {"fft-library", Backend::cpu, refuses_fft_library_cpu, fft_library_cpu_seconds,
       make_convolve_fft_library_cpu},
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
