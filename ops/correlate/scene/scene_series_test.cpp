// SPDX-License-Identifier: Apache-2.0
// Several plans for one photograph, on the CPU and on a device.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/compare.hpp"
#include "tessera/scene_planes.hpp"
#include "tests/support/device_image.hpp"
#include "tests/support/double_image.hpp"
#include "tests/support/files.hpp"
#include "tests/support/on_cuda.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"

namespace tessera::testing {
namespace {

TEST(SceneSeries, HasTheBitsOfEveryPlan) {
  const Image photograph = random_image({61, 47, 3}, Type::u8, 5);
  std::vector<ScenePlanes> plans;
  const auto add = [&](const ScenePlanesOptions& options) {
    plans.emplace_back(photograph.info(), options);
  };
  add({.gradient_scale = 2, .texture_scale = 3});
  add({.gradient_scale = 1, .texture_scale = 3});
  add({.gradient_scale = 1, .texture_scale = 5, .strength = OrientationStrength::energy});
  add({.coding = ColourCoding::linear, .gradient_scale = 2});
  add({.gradient_scale = 2, .texture_scale = 6, .normalise = PlaneNormalisation::unit});
  Stream stream(kHost, 2);
  std::vector<int> seen(plans.size(), 0);
  scene_planes(
      plans, photograph.view(),
      [&](std::size_t k, const AnyView& made) {
        ++seen[k];
        Image alone(plans[k].output());
        plans[k](photograph.view(), alone.view());
        EXPECT_EQ(bytes_of_view(made), bytes_of_view(short_view(alone))) << k;
      },
      stream);
  EXPECT_EQ(seen, std::vector<int>(plans.size(), 1));
  const ScenePlanesUse none = [](std::size_t, const AnyView&) { FAIL() << "there is no plan"; };
  scene_planes({}, photograph.view(), none, stream);
  plans.emplace_back(ImageInfo{{61, 46, 3}, Type::u8, kHost});
  expect_error([&] { scene_planes(plans, photograph.view(), none, stream); }, ErrorKind::usage,
               "same single photograph");
}

using SceneSeriesOnCuda = OnCuda;

TEST_F(SceneSeriesOnCuda, IsLikeTheCpus) {
  Stream stream(0);
  const Image photo = random_image({301, 203, 3}, Type::u8, 6);
  const DeviceImage there = upload(photo, stream);
  std::vector<ScenePlanes> plans, cpu;
  for (const PlaneNormalisation how :
       {PlaneNormalisation::none, PlaneNormalisation::zscore, PlaneNormalisation::unit})
    for (const double scale : {1.0, 4.0}) {
      plans.emplace_back(there.view.info(),
                         ScenePlanesOptions{.gradient_scale = scale, .normalise = how});
      cpu.emplace_back(photo.info(), ScenePlanesOptions{.gradient_scale = scale, .normalise = how});
    }
  int seen = 0;
  scene_planes(
      plans, there.view,
      [&](std::size_t k, const AnyView& planes) {
        ++seen;
        Image made(planes.size, Type::f32), right(cpu[k].output()), alone(planes.size, Type::f32);
        device_stream(stream).copy(planes, made.view());
        const DeviceImage own({planes.size, Type::f32, 0}, stream);
        plans[k](there.view, own.view, stream);
        device_stream(stream).copy(own.view, alone.view());
        stream.wait();
        EXPECT_EQ(bytes_of_view(short_view(made)), bytes_of_view(short_view(alone))) << k;
        cpu[k](photo.view(), right.view());
        const Image truth = in_double(right.view());
        for (int p = 0; p < 4; ++p) {
          const AnyView expected = truth.view().only_plane(p);
          // The direction of a short vector is known less well.
          const double part = k >= 4 ? 1e-2 : 2e-4;
          const double bound = part * std::max(1.0, largest_magnitude(expected));
          EXPECT_EQ(compare(expected, made.view().only_plane(p), bound).disagreement, "")
              << k << " plane " << p;
        }
      },
      stream);
  EXPECT_EQ(seen, 6);
}

}  // namespace
}  // namespace tessera::testing
