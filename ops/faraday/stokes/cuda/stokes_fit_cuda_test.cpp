// SPDX-License-Identifier: Apache-2.0
// The fit on a GPU: the bits of the CPU's method, for cubes of the host and of the device.
#include <gtest/gtest.h>

#include "core/machine.hpp"
#include "tests/support/device_image.hpp"
#include "tests/support/random_voxels.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/stokes_cubes.hpp"

namespace tessera {
namespace {

using testing::DeviceImage;
using testing::expect_same_values;
using testing::StokesCube;

class StokesFitOnCuda : public ::testing::Test {
 protected:
  void SetUp() override {
    if (this_machine().devices.empty())
      GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  }
};

template <class T>
void check(Size size, StokesFitOptions options) {
  const StokesCube<T> cube(size);
  options.backend = Backend::cpu;
  const StokesFit cpu(cube.i.info(), cube.frequencies, options);
  Image model(cube.i.info()), maps(cpu.output());
  cpu({cube.i.view(), cube.noise.view()}, model.view(), maps.view());

  options.backend = Backend::cuda;
  const StokesFit host(cube.i.info(), cube.frequencies, options);
  Image host_model(cube.i.info()), host_maps(cpu.output());
  host({cube.i.view(), cube.noise.view()}, host_model.view(), host_maps.view());
  expect_same_values<T>(model.view(), host_model.view());
  expect_same_values<T>(maps.view(), host_maps.view());

  Stream stream(0);
  const DeviceImage i = testing::upload(cube.i, stream),
                    noise = testing::upload(cube.noise, stream);
  const StokesFit plan(i.view.info(), cube.frequencies, options);
  const DeviceImage to_model(i.view.info(), stream), to_maps(plan.output(), stream);
  plan({i.view, noise.view}, to_model.view, to_maps.view, stream);
  expect_same_values<T>(model.view(), testing::short_view(testing::download(to_model, stream)));
  expect_same_values<T>(maps.view(), testing::short_view(testing::download(to_maps, stream)));
}

TEST_F(StokesFitOnCuda, IsTheCpusMethodToTheLastBit) {
  check<float>({1, 1, 1, 6}, {});
  check<float>({300, 40, 1, 36}, {.order = -3});
  check<double>({67, 9, 1, 31}, {.curve = StokesCurve::linear, .loss = StokesLoss::cauchy});
}

}  // namespace
}  // namespace tessera
