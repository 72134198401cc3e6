// SPDX-License-Identifier: Apache-2.0
// What must hold of any image, whichever method was chosen.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "tessera/enhance.hpp"
#include "tests/support/files.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"

namespace tessera {
namespace {

using testing::bytes_of_view;
using testing::random_image;

TEST(EnhanceProperties, HistogramsCountEveryColourOnce) {
  for (const Type type : {Type::u8, Type::u16})
    for (const int channels : {1, 2, 3, 4}) {
      const Image in = random_image({37, 23, channels, 2}, type, 1);
      const int colours = channels - (channels % 2 == 0 ? 1 : 0);
      const auto each = histogram(in.view());
      const auto together = histogram(in.view(), ChannelCurves::together);
      ASSERT_EQ(each.size(), 2U * colours);
      ASSERT_EQ(together.size(), 2U);
      std::vector<std::uint64_t> sum(together[1].counts.size());
      for (const EnhanceFinding& finding : each) {
        EXPECT_EQ(std::accumulate(finding.counts.begin(), finding.counts.end(), 0ULL), 37U * 23);
        if (finding.plane != 1) continue;
        for (std::size_t v = 0; v < sum.size(); ++v) sum[v] += finding.counts[v];
      }
      EXPECT_EQ(sum, together[1].counts);
    }
}

TEST(EnhanceProperties, CurvesNeverFallAndReachBothEnds) {
  for (const Type type : {Type::u8, Type::u16})
    for (const char* steps : {"contrast", "equalise"}) {
      const Image in = random_image({90, 70}, type, 2);
      const Enhance plan(in.info(), {.steps = steps});
      const auto findings = plan.examine(in.view(), thread_stream(plan.device())).findings();
      const auto& curve = findings.at(0).curve;
      EXPECT_TRUE(std::is_sorted(curve.begin(), curve.end()));
      EXPECT_EQ(curve.front(), 0);
      EXPECT_EQ(curve.back(), type == Type::u8 ? 255 : 65535);
    }
}

// Processes that share an image look at other rows, each with a state of its own.
TEST(EnhanceProperties, StatesOfOtherRowsAdd) {
  for (const Type type : {Type::u8, Type::u16, Type::f32, Type::f64})
    for (const char* steps : {"contrast", "equalise", "clahe", "smooth,contrast"}) {
      if (!is_integer(type) && steps == std::string("equalise")) continue;
      const Image in = random_image({90, 70, 3}, type, 4);
      const Enhance plan(in.info(), {.steps = steps});
      Stream& stream = thread_stream(plan.device());
      EnhanceState one = plan.start(), other = plan.start();
      for (int sweep = 0; sweep < plan.sweeps(); ++sweep) {
        const std::pair<EnhanceState*, Rows> halves[] = {{&one, {0, 31}}, {&other, {31, 70}}};
        for (const auto& [state, rows] : halves) {
          const Rows held = plan.look_needs(sweep, rows);
          const Rows inside{std::max(0, held.first), std::min(70, held.end)};
          plan.look(*state, {in.view().rows(inside.first, inside.count()), inside.first}, rows,
                    stream);
        }
        const std::vector<std::uint64_t> counts = one.counts();
        plan.add_counts(one, other.counts());
        plan.add_counts(other, counts);
        plan.finish_sweep(one);
        plan.finish_sweep(other);
      }
      for (const EnhanceState& state : {one, other}) {
        Image out(plan.output());
        plan(state, {in.view(), 0}, {out.view(), 0}, stream);
        stream.wait();
        EXPECT_EQ(bytes_of_view(testing::short_view(out)),
                  bytes_of_view(testing::short_view(enhance(in.view(), {.steps = steps}))))
            << steps << " " << name_of(type);
      }
      testing::expect_error([&] { plan.add_counts(one, std::vector<std::uint64_t>(3)); },
                            ErrorKind::usage, "3 numbers are to be added");
    }
}

TEST(EnhanceProperties, AChainIsItsStepsOneAfterTheOther) {
  for (const Type type : {Type::u8, Type::u16})
    for (const int channels : {1, 2, 3, 4})
      for (const std::vector<std::string>& chain :
           {std::vector<std::string>{"grey", "contrast", "smooth"},
            {"grey", "histogram", "equalise", "smooth"},
            {"smooth", "contrast", "grey", "smooth"},
            {"clahe", "smooth", "equalise"}}) {
        const Image in = random_image({67, 45, channels}, type, 3);
        EnhanceOptions options{.low = 5, .high = 90};
        options.channels = channels == 4 ? ChannelCurves::each : ChannelCurves::together;
        Image stepwise = copy(in.view());
        std::string all;
        for (const std::string& step : chain) {
          options.steps = step;
          stepwise = enhance(stepwise.view(), options);
          all += (all.empty() ? "" : ",") + step;
        }
        options.steps = all;
        EXPECT_EQ(bytes_of_view(testing::short_view(enhance(in.view(), options))),
                  bytes_of_view(stepwise.view()))
            << all << ", " << channels << " channels";
      }
}

TEST(EnhanceProperties, BlackStaysBlack) {
  for (const Type type : {Type::u8, Type::u16})
    for (const char* steps : {"grey,contrast,smooth", "grey,equalise", "smooth", "histogram"}) {
      const Image black({70, 50, 3}, type);
      for (const unsigned char byte :
           bytes_of_view(testing::short_view(enhance(black.view(), {.steps = steps}))))
        ASSERT_EQ(byte, 0) << steps;
    }
}

TEST(EnhanceProperties, EmptyImagesGiveEmptyResults) {
  for (const Size size : {Size{0, 5, 3}, Size{5, 0, 3}, Size{0, 0, 3}, Size{5, 5, 3, 0}})
    for (const char* steps : {"grey,contrast,smooth", "smooth,equalise,contrast", "clahe"})
      for (const char* method : {"auto", "reference", "steps"}) {
        const Image in(size, Type::u8);
        EnhanceOptions options{.steps = steps, .backend = Backend::cpu};
        options.method = method;
        EXPECT_TRUE(enhance(in.view(), options).info().size.empty());
        const Enhance plan(in.info(), options);
        const EnhanceState state = plan.examine(in.view(), thread_stream());
        EXPECT_EQ(state.sweep(), plan.sweeps());
        for (const EnhanceFinding& finding : state.findings())
          EXPECT_EQ(std::accumulate(finding.counts.begin(), finding.counts.end(), 0ULL), 0U);
      }
  EXPECT_EQ(histogram(testing::short_view(Image({0, 4}, Type::u8))).at(0).counts,
            std::vector<std::uint64_t>(256));
}

TEST(EnhanceProperties, PlansSayWhatTheyAre) {
  const Enhance plan({{8773, 5352, 4}, Type::u8}, {.backend = Backend::cpu, .method = "reference"});
  EXPECT_EQ(plan.describe(),
            "enhance 8773x5352x4 u8, grey, contrast, smooth: cpu reference, pixel by pixel, one "
            "thread");
  EXPECT_EQ(plan.output().size, (Size{8773, 5352, 2}));
  EXPECT_EQ(plan.sweeps(), 1);
  EXPECT_EQ(plan.look_needs(0, {10, 20}), (Rows{10, 20}));
  EXPECT_EQ(plan.needs({10, 20}), (Rows{8, 22}));
  EXPECT_EQ(plan.needs({0, 5352}), (Rows{0, 5352}));
  EXPECT_EQ(plan.source_row(-1), kNoPixel);
  EXPECT_EQ(plan.source_row(7), 7);
  EXPECT_EQ(plan.source_row(5352), kNoPixel);
}

}  // namespace
}  // namespace tessera
