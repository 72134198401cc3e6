// SPDX-License-Identifier: Apache-2.0
// The kernels of the bands, run thread by thread on the CPU: the reference's numbers, to the last
// bit.
#include <gtest/gtest.h>

#include "ops/faraday/bands/faraday_bands_views.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/random_voxels.hpp"
#include "tests/support/warps_on_cpu.hpp"
// After the shim, which it is read through.
#include "ops/faraday/bands/cuda/faraday_bands.cuh"

namespace tessera {
namespace {

using testing::expect_same_values;
using testing::Guarded;
using testing::RandomVoxels;

FaradayTarget target_of(AnyMutableView v) { return {v.data, v.pixel, v.row, v.plane}; }

template <class T>
void check(Size size, bool weights, bool noise) {
  const RandomVoxels<T> in(size);
  const FaradayVoxels voxels{in.q.view(), in.u.view(),
                             weights ? AnyView(in.weight.view()) : AnyView(),
                             noise ? AnyView(in.sigma.view()) : AnyView()};
  const FaradayBands reference(in.q.info(), in.axes,
                               {.backend = Backend::cpu, .method = "reference"});
  Image expected(reference.output()), q(in.q.info()), u(in.q.info());
  reference(voxels, expected.view());
  reference.weigh(voxels, q.view(), u.view());

  std::vector<FaradayBandChannel> channels;
  for (std::size_t k = 0; k < in.axes.lambda2.size(); ++k)
    channels.push_back({in.axes.lambda2[k], in.axes.weight[k], std::nan("")});
  const Guarded bands(reference.output().size, TypeOf<T>::value, 1),
      to_q(size, TypeOf<T>::value, 1), to_u(size, TypeOf<T>::value, 0);
  const FaradayBandsArgs args{faraday_band_cubes(voxels),
                              target_of(bands.view()),
                              target_of(to_q.view()),
                              target_of(to_u.view()),
                              channels.data(),
                              {in.axes.lambda2_0, in.axes.fwhm, in.axes.channels()},
                              size.width,
                              1LL * size.width * size.height};
  const auto blocks =
      static_cast<unsigned>((args.pixels + kFaradayBandThreads - 1) / kFaradayBandThreads);
  testing::run_blocks({blocks, 1}, kFaradayBandThreads, [&] {
    faraday_band_pixels<T>(args);
    faraday_weigh_pixels<T>(args);
  });
  expect_same_values<T>(expected.view(), bands.view());
  expect_same_values<T>(q.view(), to_q.view());
  expect_same_values<T>(u.view(), to_u.view());
  EXPECT_TRUE(bands.untouched_outside() && to_q.untouched_outside() && to_u.untouched_outside());
}

TEST(FaradayBandsKernels, AreTheReferenceToTheLastBit) {
  for (const bool weights : {false, true})
    for (const bool noise : {false, true}) {
      check<float>({1, 1, 1, 3}, weights, noise);
      check<float>({37, 9, 1, 11}, weights, noise);  // two blocks
      check<double>({5, 3, 1, 20}, weights, noise);
    }
}

}  // namespace
}  // namespace tessera
