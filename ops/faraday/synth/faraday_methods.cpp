// SPDX-License-Identifier: Apache-2.0
// The table of methods: what each refuses, its estimated cost, how it is made.
#include <cmath>

#include "ops/faraday/synth/cpu/faraday_gemm.hpp"
#include "ops/faraday/synth/cpu/faraday_turns.hpp"
#include "ops/faraday/synth/cuda/faraday_cuda.hpp"
#include "ops/faraday/synth/faraday_nufft.hpp"
#include "ops/faraday/synth/faraday_problem.hpp"
#include "tune/method_list.hpp"

namespace tessera {
namespace {

// The reference is only used on request: it never wins by cost.
double reference_seconds(const FaradayProblem& p, const Machine&) {
  return kOnlyOnRequest + 5e-8 * p.products();
}

/// Four real multiply-adds per product, two on a symmetric grid, of two flop each. In double the
/// peak is half.
double flops(const FaradayProblem& p) {
  return 8 * p.products() * (p.axes.symmetric() ? 0.5 : 1) * (p.image.type == Type::f64 ? 2 : 1);
}
double bytes(const FaradayProblem& p) {
  return 2.0 * static_cast<double>(bytes_of(p.image) + bytes_of(p.output));
}
/// The cost of padding the last tile.
double padding(const FaradayProblem& p, double width) {
  const double tiles = static_cast<double>(p.image.size.width) * p.image.size.height / width;
  return std::ceil(tiles) / tiles;
}

// Fractions of the FMA peak, and the time for packing and unpacking, fitted to 16 to 1000 channels,
// 3 to 2001 depths and 64x64 to 256x256 pixels (Neoverse N1): most estimates are within a tenth.
double direct_cpu_seconds(const FaradayProblem& p, const Machine& m) {
  const double share = p.image.type == Type::f64 ? 0.74 : 0.86;
  return padding(p, 12) * flops(p) / (share * m.cpu_flops) + 3 * bytes(p) / m.cpu_bytes_per_second;
}
double gemm_cpu_seconds(const FaradayProblem& p, const Machine& m) {
  const double share = p.image.type == Type::f64 ? 0.88 : 0.86;
  return padding(p, 512) * flops(p) / (share * m.cpu_flops) + 5 * bytes(p) / m.cpu_bytes_per_second;
}

}  // namespace

const std::vector<FaradayMethod>& faraday_methods() {
  static const std::vector<FaradayMethod> methods{
      {"reference", Backend::cpu, refuses_on_host, reference_seconds, make_faraday_reference},
      {"direct", Backend::cpu, refuses_on_host<why_no_faraday_tables>, direct_cpu_seconds,
       make_faraday_direct_cpu},
      {"gemm", Backend::cpu, refuses_on_host<why_no_faraday_gemm>, gemm_cpu_seconds,
       make_faraday_gemm_cpu},
      {"nufft", Backend::cpu, refuses_on_host<why_no_faraday_nufft>, faraday_nufft_cpu_seconds,
       make_faraday_nufft_cpu},
      {"gemm", Backend::cuda, why_no_faraday_gemm_on_device, faraday_gemm_cuda_seconds,
       make_faraday_gemm_cuda},
      {"nufft", Backend::cuda, why_no_faraday_nufft_on_device, faraday_nufft_cuda_seconds,
       make_faraday_nufft_cuda},
  };
  return methods;
}

static const RegisteredMethods faraday_methods_list("faraday synth", [] {
  return names_of_methods(faraday_methods());
});

}  // namespace tessera
