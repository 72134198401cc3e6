// SPDX-License-Identifier: Apache-2.0
#include "ops/noise/cuda/noise_subtract_cuda.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ops/noise/cuda/noise_cuda.hpp"
#include "ops/noise/cuda/noise_subtract_args.cuh"

namespace tessera {

void launch_noise_subtract(const NoiseProblem& problem, AnyView in, AnyView background,
                           AnyMutableView difference, Stream& stream) {
  if (in.size.empty()) return;
  const GpuKernel& kernel = noise_kernel(
      problem, {"noise_subtract",
                fmt::format("noise_subtract_{}_{}", name_of(in.type), name_of(difference.type)),
                fmt::format("noise_subtract_rows<{}, {}>", kernel_type(in.type),
                            kernel_type(difference.type)),
                "NoiseSubtractArgs"});
  const auto across = static_cast<unsigned>((in.size.width - 1) / kNoiseSubtractThreads + 1);
  const auto down = static_cast<unsigned>(std::min(in.size.height, kMostBlocks));
  kernel.launch(stream, {across, down}, {kNoiseSubtractThreads}, 0,
                NoiseSubtractArgs{in.data,
                                  background.data,
                                  difference.data,
                                  in.size.width,
                                  in.size.height,
                                  {in.pixel, in.row},
                                  {background.pixel, background.row},
                                  {difference.pixel, difference.row},
                                  problem.blanks});
}

}  // namespace tessera
