// SPDX-License-Identifier: Apache-2.0
// Estimated times of the CUDA methods, for a typical block that comes from the host.
#include <algorithm>

#include "ops/xengine/cuda/xengine_cuda.hpp"

namespace tessera {
namespace {

/// Multiply-adds at a multiple of the rate of the device's f32 ones; samples over the link, while
/// those before are multiplied; sums read and written.
double seconds_at(double rate, const XEngineProblem& p, const Machine& m) {
  const double bytes =
      1.0 * p.shape.inputs() * p.shape.channels * kTypicalSamples * bytes_of(p.options.samples);
  const double sums = 16.0 * static_cast<double>(p.shape.values()) * p.shape.channels;
  const double multiplied = 2 * p.products() / (rate * m.device_flops(p.device));
  return 30e-6 + std::max(multiplied, link_seconds(p.device, bytes, 0)) +
         sums / m.device_bytes_per_second(p.device);
}

}  // namespace

// int8 tensor cores have 30 times the f32 rate (compute capability 9.0; 32 times in 8.0); tiles use
// about a third of that for products that are wanted.
double xengine_wgmma_seconds(const XEngineProblem& p, const Machine& m) {
  return seconds_at(10, p, m);
}
// mma.sync reaches about six tenths of that on 9.0.
double xengine_mma_seconds(const XEngineProblem& p, const Machine& m) {
  return seconds_at(6, p, m);
}
// Four products per instruction, at half the rate of f32.
double xengine_dp4a_seconds(const XEngineProblem& p, const Machine& m) {
  return seconds_at(1, p, m);
}
// 64-bit sums of integers take two or more instructions per product.
double xengine_fma_cuda_seconds(const XEngineProblem& p, const Machine& m) {
  return seconds_at(is_integer(p.options.samples) ? 0.2 : 0.5, p, m);
}

}  // namespace tessera
