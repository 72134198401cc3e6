// SPDX-License-Identifier: Apache-2.0
// The bits contract: the same bytes for any threads, strips and memory limits; and many threads may
// share one plan.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/bits.hpp"
#include "tests/support/noise_images.hpp"

namespace tessera {
namespace {

using testing::noise_image;
using testing::noise_plan;

/// The reference has no threads, and is slow.
testing::Cuts cuts_for(const std::string& method, int height) {
  if (method == "reference") return {{1}, {height > 64 ? 100 : 7}};
  return testing::default_cuts();
}

void same_bits(Backend backend, Size size, const std::vector<NoiseOptions>& problems,
               const std::vector<Border>& borders) {
  const Image in = noise_image(size, Type::f32, "1 % blank", 3);
  for (const NoiseMethod& method : noise_methods())
    for (NoiseOptions options : problems)
      for (const Border border : borders) {
        if (method.backend != backend) continue;
        options.border = border;
        if (const auto plan = noise_plan(method, in.info(), options))
          testing::expect_same_bits(*plan, in, cuts_for(method.name, size.height));
      }
}

const std::vector<Border> kBorders{Border::inside, Border::reflect, Border::reflect_101,
                                   Border::replicate};

std::vector<NoiseOptions> small_problems() {
  return {{.box = {9, 12}},
          {.box = {5, 3}, .estimator = NoiseEstimator::mode},
          {.box = {4, 7}, .estimator = NoiseEstimator::mad, .two_pass = true},
          {.box = {7, 5}, .quantiles = {{0.1, 0.9}}},
          {.box = {4, 40}, .two_pass = true}};
}
/// Strips end inside tiles and at their edges.
std::vector<NoiseOptions> tiled_problems() {
  return {{.box = {8, 11}, .mode = NoiseMode::binned},
          {.box = {3, 9}, .mode = NoiseMode::binned, .two_pass = true}};
}

TEST(NoiseBits, CpuSameForAnyThreadsAndStrips) {
  same_bits(Backend::cpu, {41, 47}, small_problems(), kBorders);
}
TEST(NoiseBits, CpuSameForAnyStripsOfTiles) {
  same_bits(Backend::cpu, {3, 530}, tiled_problems(), {Border::inside, Border::reflect_101});
}

TEST(NoiseBitsCuda, SameForAnyStrips) {
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  same_bits(Backend::cuda, {41, 47}, small_problems(), {Border::inside, Border::reflect_101});
  same_bits(Backend::cuda, {30, 530}, tiled_problems(), {Border::inside});
}

void share_a_plan(Backend backend) {
  const Image in = noise_image({90, 70}, Type::f32, "half blank", 1);
  for (const NoiseMethod& method : noise_methods()) {
    if (method.backend != backend || method.name == std::string("reference")) continue;
    if (const auto plan = noise_plan(method, in.info(), {.box = {9, 9}}))
      testing::expect_eight_threads_may_share(*plan, in);
  }
}

TEST(NoiseBits, EightThreadsShareOnePlan) { share_a_plan(Backend::cpu); }

TEST(NoiseBitsCuda, EightThreadsShareOnePlan) {
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  share_a_plan(Backend::cuda);
}

}  // namespace
}  // namespace tessera
