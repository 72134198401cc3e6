// SPDX-License-Identifier: Apache-2.0
// The kernels of photographs' planes, run thread by thread on the CPU, compared with the CPU's own.
#include <gtest/gtest.h>

#include "core/compare.hpp"
#include "ops/correlate/scene/scene_colour.hpp"
#include "ops/correlate/scene/scene_orientation.hpp"
#include "tests/support/double_image.hpp"
#include "tests/support/poison.hpp"
// Last of all headers.
#include "tests/support/block_on_cpu.hpp"
// After the shim, through which they are compiled.
#include "ops/correlate/scene/cuda/scene_planes.cuh"

namespace tessera {

/// The shared memory of the block that runs.
double scene_sums[kSceneThreads];

namespace testing {
namespace {

/// The passes of SceneOnDevice.
struct KernelPlanes {
  int width, height;
  long long pixels = 1LL * width * height;
  std::vector<float> colours = std::vector<float>(3UL * static_cast<std::size_t>(pixels));
  std::vector<float> doubled = colours, planes;

  static Place blocks(long long threads) {
    return {static_cast<unsigned>((threads + kSceneThreads - 1) / kSceneThreads), 1};
  }

  template <class T>
  void colour(const Image& photograph, ColourCoding coding) {
    const AnyView view = photograph.view();
    const std::vector<float> light = light_of_samples(view.type, coding);
    const SceneColourArgs args{
        view.data,     view.pixel,         view.row,     width,
        height,        view.size.channels, light.data(), coding == ColourCoding::linear,
        colours.data()};
    run_each_thread(blocks(pixels), kSceneThreads, [&] { scene_colour<T>(args); });
  }

  void line(const std::vector<double>& weights, const float* in, float* out, int count, bool down) {
    const std::vector<float> row(weights.begin(), weights.end());
    const SceneLineArgs args{in,    out,    row.data(), static_cast<int>(row.size()) / 2,
                             width, height, count,      down};
    run_each_thread(blocks(pixels * count), kSceneThreads, [&] { scene_line(args); });
  }

  void orient(const ScenePlanesOptions& options) {
    const auto fine = gaussian_row(options.gradient_scale), slope = derivative_row(fine),
               coarse = gaussian_row(options.texture_scale);
    std::vector<float> between(colours.size()), gradients(colours.size());
    float* const down = gradients.data() + pixels;
    line(slope, colours.data(), between.data(), 1, false);
    line(fine, between.data(), gradients.data(), 1, true);
    line(fine, colours.data(), between.data(), 1, false);
    line(slope, between.data(), down, 1, true);
    const SceneDoubledArgs args{gradients.data(), down, doubled.data(), pixels};
    run_each_thread(blocks(pixels), kSceneThreads, [&] { scene_doubled(args); });
    line(coarse, doubled.data(), between.data(), 3, false);
    line(coarse, between.data(), gradients.data(), 3, true);
    planes.assign(colours.begin() + pixels, colours.end());
    planes.resize(4UL * static_cast<std::size_t>(pixels));
    const SceneOrientArgs made{gradients.data(), planes.data() + 2 * pixels, pixels,
                               options.strength == OrientationStrength::coherence};
    run_each_thread(blocks(pixels), kSceneThreads, [&] { scene_orient(made); });
  }

  void normalise(PlaneNormalisation how) {
    std::vector<double> sums(4 * kSceneParts), squares(4 * kSceneParts);
    const SceneNormaliseArgs args{planes.data(), sums.data(), squares.data(), pixels};
    if (how == PlaneNormalisation::unit)
      run_each_thread({blocks(pixels).x, 2}, kSceneThreads, [&] { scene_unit(args); });
    if (how != PlaneNormalisation::zscore) return;
    run_blocks({kSceneParts, 4}, kSceneThreads, [&] { scene_sum(args); });
    run_blocks({kSceneParts, 4}, kSceneThreads, [&] { scene_square(args); });
    run_each_thread({kSceneParts, 4}, kSceneThreads, [&] { scene_zscore(args); });
  }

  void expect_like(const Image& photograph, const ScenePlanesOptions& options) {
    const Image made = scene_planes(photograph.view(), options);
    const Image right = in_double(made.view());
    for (int p = 0; p < 4; ++p) {
      const AnyView expected = right.view().only_plane(p);
      const AnyView found =
          packed(planes.data() + p * pixels, ImageInfo{{width, height}, Type::f32, kHost});
      const double bound = (p < 2 ? 1e-4 : 2e-5) * std::max(1.0, largest_magnitude(expected));
      EXPECT_EQ(compare(expected, found, bound).disagreement, "")
          << p << " of " << name_of(photograph.info().type) << " " << changed_options(options);
    }
  }
};

template <class T>
void expect_kernels_right(int channels, const ScenePlanesOptions& options) {
  const Image photograph = random_image({37, 23, channels}, TypeOf<T>::value, 5);
  KernelPlanes made{37, 23};
  made.colour<T>(photograph, options.coding);
  made.orient(options);
  made.normalise(options.normalise);
  made.expect_like(photograph, options);
}

TEST(SceneKernelsOnCpu, EveryTypeIsLikeTheCpus) {
  constexpr auto kNone = PlaneNormalisation::none;
  for (const int channels : {1, 2, 3, 4})
    for (const ColourCoding coding : {ColourCoding::srgb, ColourCoding::linear}) {
      expect_kernels_right<unsigned char>(channels, {.coding = coding, .normalise = kNone});
      expect_kernels_right<unsigned short>(channels, {.coding = coding, .normalise = kNone});
      expect_kernels_right<float>(channels, {.coding = coding, .normalise = kNone});
      expect_kernels_right<double>(channels, {.coding = coding, .normalise = kNone});
    }
}

TEST(SceneKernelsOnCpu, ScalesStrengthsAndNormalisations) {
  constexpr auto kNone = PlaneNormalisation::none;
  expect_kernels_right<unsigned char>(3, {.gradient_scale = 2.5, .normalise = kNone});
  expect_kernels_right<unsigned char>(3, {.texture_scale = 30, .normalise = kNone});
  expect_kernels_right<unsigned char>(
      3, {.strength = OrientationStrength::energy, .normalise = kNone});
  expect_kernels_right<unsigned char>(3, {.normalise = PlaneNormalisation::unit});
  expect_kernels_right<unsigned char>(3, {});
  expect_kernels_right<unsigned char>(1, {});  // flat planes become 0
}

}  // namespace
}  // namespace testing
}  // namespace tessera
