// SPDX-License-Identifier: Apache-2.0
// Fast paths divide by multiplying: on every edge of a rounding they must still be exact.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tessera/enhance.hpp"
#include "tessera/filters.hpp"
#include "tests/support/methods.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"

namespace tessera {
namespace {

using testing::all_ways;
using testing::bytes_of_view;
using testing::ForcedIsa;
using testing::Way;

/// Pairs of pixels whose sums 1 a + (W - 1) b lie on both sides of where rounding steps up.
template <class T>
Image edge_pairs(int total, unsigned seed) {
  constexpr long long kLargest = static_cast<T>(-1);
  Image image({1030, 2}, TypeOf<T>::value);
  std::mt19937 random(seed);
  const long long up = total - total / 2;
  const long long steps[] = {up, up - 1, up - total, up - total - 1};
  for (long long k = 0; k < image.info().size.samples(); k += 2) {
    const long long b = k < 8 ? kLargest * (k / 4) : random() % (kLargest + 1);
    image.as<T>().data[k] = static_cast<T>(std::clamp(b + steps[k / 2 % 4], 0LL, kLargest));
    image.as<T>().data[k + 1] = static_cast<T>(b);
  }
  return image;
}

void check_edges(const Image& in, int total, const Way& way) {
  const ForcedIsa forced(way.isa);
  const Image weights = outer({1, total - 1.0}, {1});
  const auto smoothed = [&](Backend backend, const char* method) {
    const Enhance plan(in.info(), {.steps = "smooth", .backend = backend, .method = method},
                       weights.view());
    Image out(plan.output());
    plan(in.view(), out.view());
    return bytes_of_view(out.view());
  };
  const auto truth = smoothed(Backend::cpu, "reference");
  for (const char* method : {"fused", "steps"})
    EXPECT_TRUE(smoothed(way.backend, method) == truth)
        << way.name() << " " << method << " " << name_of(in.info().type) << ", sum " << total;
}

void sweep_edges(Backend backend) {
  for (const Way& way : all_ways())
    for (const int total : {2,   3,   4,   5,    7,    9,    16,    25,    49,    81,    97,
                            127, 255, 256, 257,  625,  1000, 4095,  4096,  6561,  10007, 16384,
                            641, 911, 999, 1296, 2401, 5041, 30011, 32767, 32768, 65521, 65535})
      if (way.backend == backend) {
        check_edges(edge_pairs<unsigned char>(total, 1), total, way);
        check_edges(edge_pairs<unsigned short>(total, 2), total, way);
      }
}

TEST(EnhanceEdges, SmoothRoundsRightOnEveryEdge) { sweep_edges(Backend::cpu); }

TEST(EnhanceEdgesCuda, SmoothRoundsRightOnEveryEdge) {
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  sweep_edges(Backend::cuda);
}

/// Every byte, `low` and `high` twice as often: with threshold 2 these are what contrast stretches.
Image all_bytes(int low, int high) {
  Image image({129, 4}, Type::u8);
  auto* data = image.as<unsigned char>().data;
  for (int k = 0; k < 512; ++k) data[k] = static_cast<unsigned char>(k / 2);
  for (int k = 512; k < 516; ++k) data[k] = static_cast<unsigned char>(k % 2 ? low : high);
  return image;
}

void sweep_ranges(Backend backend) {
  EnhanceOptions options{.steps = "contrast", .rule = ContrastRule::threshold, .threshold = 2};
  for (const Way& way : all_ways())
    for (int range = 1; range < 256 && way.backend == backend; ++range)
      for (const int low : {0, (255 - range) / 2, 255 - range}) {
        const ForcedIsa forced(way.isa);
        const Image in = all_bytes(low, low + range);
        options.backend = Backend::cpu;
        options.method = "reference";
        const auto truth = bytes_of_view(testing::short_view(enhance(in.view(), options)));
        options.backend = backend;
        for (const char* method : {"fused", "steps"}) {
          options.method = method;
          EXPECT_TRUE(bytes_of_view(testing::short_view(enhance(in.view(), options))) == truth)
              << way.name() << " " << method << ", " << low << " to " << low + range;
        }
      }
}

TEST(EnhanceEdges, ContrastIsExactForEveryRange) { sweep_ranges(Backend::cpu); }

TEST(EnhanceEdgesCuda, ContrastIsExactForEveryRange) {
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  sweep_ranges(Backend::cuda);
}

}  // namespace
}  // namespace tessera
