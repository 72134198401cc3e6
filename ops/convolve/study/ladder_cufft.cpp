// SPDX-License-Identifier: Apache-2.0
#include "ops/convolve/study/ladder_cufft.hpp"

#include "ops/convolve/convolve_problem.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

ConvolveProblem cufft_problem(const ConvolveCase& c, int device) {
  ConvolveProblem p;
  p.image = p.output = {c.image_on_host().size, Type::f32, device};
  p.filter_width = c.filter_size().width;
  p.filter_height = c.filter_size().height;
  p.anchor = {p.filter_width / 2, p.filter_height / 2};
  p.border = Border::replicate;
  p.device = device;
  const View<const float> weights = c.filter().as<float>();
  p.weights.assign(weights.data, weights.data + weights.size.samples());
  return p;
}

}  // namespace

int cufft_padded(int side) {
  constexpr int kMostPower = 1024, kStep = 512;
  if (side > kMostPower) return (side + kStep - 1) / kStep * kStep;
  int power = 1;
  while (power < side) power *= 2;
  return power;
}

PreparedRung prepare_cufft(const ConvolveCase& c, Stream& stream) {
  const ConvolveProblem problem = cufft_problem(c, stream.device());
  if (const std::string reason = why_no_fft_library_on_device(problem); !reason.empty())
    return {.absent = reason};
  PreparedRung rung;
  const std::shared_ptr<const ConvolveRunner> runner =
      make_convolve_fft_library_padded(problem, cufft_padded);
  rung.bound = runner->error_factor() * c.largest_pixel();
  rung.flops = problem.flops();  // as if it were direct
  rung.run = [runner, in = c.image_on_device(), out = c.out()](Stream& on) {
    runner->run(Piece{in, 0}, MutablePiece{out, 0}, on);
  };
  return rung;
}

}  // namespace tessera
