// SPDX-License-Identifier: Apache-2.0
// Strips in the form kernels take, and estimated costs of the CUDA methods.
#include "ops/faraday/synth/cuda/faraday_cuda.hpp"

#include "tessera/image.hpp"

namespace tessera {
namespace {

FaradaySource source_of(const AnyView& v) { return {v.data, v.pixel, v.row, v.plane}; }
FaradayTarget target_of(const AnyMutableView& v) { return {v.data, v.pixel, v.row, v.plane}; }

/// For Q, U and the spectra.
double cube_bytes(const FaradayProblem& p) {
  return 2 * static_cast<double>(bytes_of(p.image) + bytes_of(p.output));
}

double copy_seconds(const FaradayProblem& p) {
  if (p.image.device != kHost) return 0;
  return link_seconds(p.device, 2.0 * static_cast<double>(bytes_of(p.image)),
                      2.0 * static_cast<double>(bytes_of(p.output)));
}

}  // namespace

FaradayStrip strip_of(const FaradayCall& call) {
  return {{call.q, call.u}, {call.real, call.imaginary}, 0};
}

FaradayCubes cubes_of(const FaradayStrip& strip) {
  const Size& size = strip.in.front().size;
  return {source_of(strip.in[0]),
          source_of(strip.in[1]),
          target_of(strip.out[0]),
          target_of(strip.out[1]),
          size.width,
          1LL * size.width * size.height};
}

// Four real products per depth and channel, or two if both signs share them, at 44% of the FMA
// peak, for doubles too, which is optimistic except for the largest devices. Packing, products and
// spectra go through memory. 60 us for launches. Measured on an H200: 5.4 ms for 300 x 512^2 ->
// 401, 6.3 in double.
double faraday_gemm_cuda_seconds(const FaradayProblem& p, const Machine& m) {
  const double flops = (p.axes.symmetric() ? 4 : 8) * p.products(),
               rate = 0.44 * m.device_flops(p.device);
  return 60e-6 + flops / rate + 3 * cube_bytes(p) / m.device_bytes_per_second(p.device) +
         copy_seconds(p);
}

// The cubes at 27% of the memory bandwidth; kernels for a shape are compiled once. Measured on an
// H200: 1.25 ms for 300 x 512^2 -> 401.
double faraday_nufft_cuda_seconds(const FaradayProblem& p, const Machine& m) {
  return 20e-6 + 3.7 * cube_bytes(p) / m.device_bytes_per_second(p.device) + copy_seconds(p);
}

}  // namespace tessera
