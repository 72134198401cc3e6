// SPDX-License-Identifier: Apache-2.0
// The kernel of the fit, run thread by thread on the CPU: the bits of the CPU's method.
#include <gtest/gtest.h>

#include "ops/faraday/stokes/stokes_fit_problem.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/random_voxels.hpp"
#include "tests/support/stokes_cubes.hpp"
#include "tests/support/warps_on_cpu.hpp"
// After the shim, which it is read through.
#include "ops/faraday/stokes/cuda/stokes_fit.cuh"

namespace tessera {
namespace {

using testing::expect_same_values;
using testing::Guarded;
using testing::StokesCube;

FaradayTarget stokes_target(AnyMutableView v) { return {v.data, v.pixel, v.row, v.plane}; }

template <class T>
void check(Size size, StokesFitOptions options, bool cube_of_noise) {
  const StokesCube<T> cube(size);
  if (!cube_of_noise) options.sigma = cube.sigma;
  const StokesVoxels voxels{cube.i.view(), cube_of_noise ? AnyView(cube.noise.view()) : AnyView()};
  options.backend = Backend::cpu;
  const StokesFit plan(cube.i.info(), cube.frequencies, options);
  EXPECT_EQ(plan.method(), "simd");
  Image model(cube.i.info()), maps(plan.output());
  plan(voxels, model.view(), maps.view());

  const StokesFitProblem problem = stokes_fit_problem(cube.i.info(), cube.frequencies, options);
  const Guarded to_model(size, TypeOf<T>::value, 1), to_maps(plan.output().size, TypeOf<T>::value);
  const StokesFitArgs args{stokes_cubes(voxels.i, voxels.sigma),
                           stokes_target(to_model.view()),
                           stokes_target(to_maps.view()),
                           problem.channels.data(),
                           problem.rule,
                           size.width,
                           1LL * size.width * size.height};
  const auto blocks = static_cast<unsigned>((args.pixels + kStokesThreads - 1) / kStokesThreads);
  testing::run_blocks({blocks, 1}, kStokesThreads, [&] { stokes_fit_pixels<T>(args); });
  expect_same_values<T>(maps.view(), to_maps.view());
  expect_same_values<T>(model.view(), to_model.view());
  EXPECT_TRUE(to_model.untouched_outside() && to_maps.untouched_outside());
}

TEST(StokesFitKernel, IsTheCpusMethodToTheLastBit) {
  for (const StokesCurve curve : {StokesCurve::log, StokesCurve::linear})
    for (const StokesLoss loss : {StokesLoss::squares, StokesLoss::cauchy})
      for (const bool cube : {false, true}) {
        check<float>({1, 1, 1, 5}, {.curve = curve, .loss = loss}, cube);
        check<float>({37, 4, 1, 20}, {.curve = curve, .order = -4, .loss = loss}, cube);
        check<double>({41, 2, 1, 13}, {.curve = curve, .order = 3, .snr = 0, .loss = loss}, cube);
      }
}

}  // namespace
}  // namespace tessera
