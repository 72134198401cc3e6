// SPDX-License-Identifier: Apache-2.0
// Bands of cubes on a GPU: the reference's bits. Cubes in host memory stay there.
#include <gtest/gtest.h>

#include "core/machine.hpp"
#include "tests/support/device_image.hpp"
#include "tests/support/random_voxels.hpp"
#include "tests/support/short_view.hpp"

namespace tessera {
namespace {

using testing::DeviceImage;
using testing::expect_same_values;
using testing::RandomVoxels;

class FaradayBandsOnCuda : public ::testing::Test {
 protected:
  void SetUp() override {
    if (this_machine().devices.empty())
      GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  }
};

template <class T>
void check(Size size) {
  const RandomVoxels<T> in(size);
  const FaradayVoxels voxels{in.q.view(), in.u.view(), in.weight.view(), in.sigma.view()};
  const FaradayBands reference(in.q.info(), in.axes,
                               {.backend = Backend::cpu, .method = "reference"});
  Image expected(reference.output()), weighed_q(in.q.info()), weighed_u(in.q.info());
  reference(voxels, expected.view());
  reference.weigh(voxels, weighed_q.view(), weighed_u.view());

  Stream stream(0);
  const DeviceImage q = testing::upload(in.q, stream), u = testing::upload(in.u, stream),
                    weight = testing::upload(in.weight, stream),
                    sigma = testing::upload(in.sigma, stream);
  const FaradayBands plan(q.view.info(), in.axes);
  EXPECT_EQ(plan.backend(), Backend::cuda);
  const DeviceImage bands(plan.output(), stream);
  plan({q.view, u.view, weight.view, sigma.view}, bands.view, stream);
  plan.weigh({q.view, u.view, weight.view, sigma.view}, q.view, u.view, stream);
  expect_same_values<T>(expected.view(), testing::short_view(testing::download(bands, stream)));
  expect_same_values<T>(weighed_q.view(), testing::short_view(testing::download(q, stream)));
  expect_same_values<T>(weighed_u.view(), testing::short_view(testing::download(u, stream)));
}

TEST_F(FaradayBandsOnCuda, AreTheReferenceInFloat) {
  check<float>({1, 1, 1, 3});
  check<float>({300, 70, 1, 40});
}
TEST_F(FaradayBandsOnCuda, AreTheReferenceInDouble) { check<double>({67, 9, 1, 31}); }

TEST_F(FaradayBandsOnCuda, CubesInHostMemoryStayThere) {
  const RandomVoxels<float> in({4, 3, 1, 5});
  EXPECT_EQ(FaradayBands(in.q.info(), in.axes).backend(), Backend::cpu);
}

}  // namespace
}  // namespace tessera
