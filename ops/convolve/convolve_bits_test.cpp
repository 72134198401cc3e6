// SPDX-License-Identifier: Apache-2.0
// The bits contract: the same bits for any threads, strips and memory limits; and many threads may
// share one plan.
#include <gtest/gtest.h>

#include <thread>

#include "core/strips.hpp"
#include "ops/convolve/convolve_problem.hpp"
#include "tests/support/methods.hpp"
#include "tests/support/poison.hpp"

namespace tessera {
namespace {

using testing::all_ways;
using testing::bytes_of_view;
using testing::ForcedIsa;
using testing::random_image;
using testing::Way;

constexpr Size kSize{83, 97, 3, 2};

Image streamed(const Convolve& plan, const Image& in, int threads, std::size_t memory_limit) {
  Image out(plan.output());
  ViewSource source(in.view());
  ViewSink sink(out.view());
  RowSource* sources[] = {&source};
  RowSink* sinks[] = {&sink};
  Stream stream(plan.device(), threads, memory_limit);
  stream_rows(sources, sinks, strip_plan(plan), stream);
  return out;
}

/// The memory that strips of so many rows take (three are in flight).
std::size_t limit_for(const Convolve& plan, int rows) {
  const auto row_bytes = [](const ImageInfo& i) {
    return static_cast<std::size_t>(bytes_of(i.type)) * i.size.width * i.size.channels *
           i.size.planes;
  };
  const auto halo = static_cast<std::size_t>(plan.needs({0, 1}).count() - 1);
  return 3 * (row_bytes(plan.input()) * (rows + halo) + row_bytes(plan.output()) * rows);
}

void same_bits(Backend backend, const std::vector<Border>& borders) {
  const Image in = random_image(kSize, Type::f32, 1), filter = random_image({9, 6}, Type::f64, 2);
  for (const Way& way : all_ways()) {
    if (way.backend != backend) continue;
    const ForcedIsa forced(way.isa);
    for (const auto& method : convolve_methods()) {
      if (method.backend != backend || std::string(method.name) == "reference") continue;
      for (const Border border : borders) {
        const Convolve plan(in.info(), filter.view(),
                            {.border = border, .backend = backend, .method = method.name});
        Image whole(plan.output());
        plan(in.view(), whole.view());
        const auto bits = bytes_of_view(whole.view());
        for (const int threads : {1, 2, 3, 7})
          for (const int rows : {1, 7, 64})
            EXPECT_EQ(bits,
                      bytes_of_view(streamed(plan, in, threads, limit_for(plan, rows)).view()))
                << plan.describe() << ", border " << name_of(border) << ", " << threads
                << " threads, " << rows << " rows";
        EXPECT_EQ(bits, bytes_of_view(streamed(plan, in, 2, std::size_t{1} << 30).view()));
      }
    }
  }
}

const std::vector<Border> kAllBorders{Border::valid,   Border::constant,    Border::replicate,
                                      Border::reflect, Border::reflect_101, Border::wrap,
                                      Border::inside};

TEST(ConvolveBits, CpuSameForAnyThreadsAndStrips) { same_bits(Backend::cpu, kAllBorders); }

TEST(ConvolveBitsCuda, SameForAnyStrips) {
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  same_bits(Backend::cuda, testing::run_small() ? std::vector<Border>{Border::wrap} : kAllBorders);
}

TEST(ConvolveBits, StripsOfTheReferenceToo) {
  const Image in = random_image({19, 23}, Type::u16, 1),
              filter = random_image({4, 5}, Type::f64, 2);
  for (const Border border : kAllBorders) {
    const Convolve plan(
        in.info(), filter.view(),
        {.border = border, .anchor = Point{3, 4}, .output = Type::f64, .method = "reference"});
    Image whole(plan.output());
    plan(in.view(), whole.view());
    EXPECT_EQ(bytes_of_view(whole.view()),
              bytes_of_view(streamed(plan, in, 1, limit_for(plan, 3)).view()));
  }
}

void share_a_plan(Backend backend) {
  const Image in = random_image({200, 150}, Type::f32, 1),
              filter = random_image({7, 7}, Type::f64, 2);
  const Convolve plan(in.info(), filter.view(), {.backend = backend});
  Image expected(plan.output());
  plan(in.view(), expected.view());
  std::vector<Image> results;
  for (int i = 0; i < 8; ++i) results.emplace_back(plan.output());
  std::vector<std::thread> threads;
  for (Image& result : results)
    threads.emplace_back([&] {
      for (int repeat = 0; repeat < 5; ++repeat) plan(in.view(), result.view());
    });
  for (std::thread& thread : threads) thread.join();
  for (const Image& result : results)
    EXPECT_EQ(bytes_of_view(result.view()), bytes_of_view(expected.view()));
}

TEST(ConvolveBits, EightThreadsShareOnePlan) { share_a_plan(Backend::cpu); }

TEST(ConvolveBitsCuda, EightThreadsShareOnePlan) {
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  share_a_plan(Backend::cuda);
}

}  // namespace
}  // namespace tessera
