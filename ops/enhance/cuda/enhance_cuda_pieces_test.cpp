// SPDX-License-Identifier: Apache-2.0
// Images that reach the GPU in other ways than whole: in pieces, larger than its memory limit, many
// in turn, two streams at once.
#include <gtest/gtest.h>

#include "core/device.hpp"
#include "core/machine.hpp"
#include "ops/enhance/enhance_check.hpp"
#include "tessera/enhance.hpp"
#include "tessera/error.hpp"
#include "tests/support/device_image.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/views.hpp"

namespace tessera {
namespace {

using testing::DeviceImage;
using testing::random_image;
using testing::same_samples;

class EnhancePiecesOnCuda : public ::testing::Test {
 protected:
  void SetUp() override {
    if (this_machine().devices.empty())
      GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  }
  static Enhance plan_for(const ImageInfo& image, EnhanceOptions options, Backend backend,
                          const std::string& method) {
    options.backend = backend;
    options.method = method;
    return Enhance(image, options);
  }
};

template <class AnyOne>
AnyOne rows_of(const AnyOne& view, Rows rows) {
  return AnyOne(view.rows(rows.first, rows.count()));
}

/// All sweeps and the result, `rows` at a time, as jobs do it.
EnhanceState run_in_pieces(const Enhance& plan, AnyView in, AnyMutableView out, int rows,
                           Stream& stream) {
  const int height = in.size.height;
  EnhanceState state = plan.start();
  const auto each = [&](auto work) {
    for (int first = 0; first < height; first += rows)
      work(Rows{first, std::min(first + rows, height)});
  };
  for (int sweep = 0; sweep < plan.sweeps(); ++sweep) {
    each([&](Rows some) {
      const Rows needed = plan.look_needs(sweep, some);
      plan.look(state, {rows_of(in, needed), needed.first}, some, stream);
    });
    plan.finish_sweep(state);
  }
  each([&](Rows some) {
    const Rows needed = plan.needs(some);
    plan(state, {rows_of(in, needed), needed.first}, {rows_of(out, some), some.first}, stream);
  });
  stream.wait();
  return state;
}

void expect_same_findings(const std::vector<EnhanceFinding>& a,
                          const std::vector<EnhanceFinding>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    EXPECT_EQ(a[k].counts, b[k].counts);
    EXPECT_EQ(a[k].curve, b[k].curve);
    EXPECT_EQ(a[k].low, b[k].low);
    EXPECT_EQ(a[k].high, b[k].high);
    EXPECT_EQ(a[k].channel, b[k].channel);
  }
}

TEST_F(EnhancePiecesOnCuda, PiecesOfHostAndDeviceImages) {
  for (const Type type : {Type::u8, Type::u16})
    for (const char* steps : {"grey,contrast,smooth", "histogram,contrast", "smooth,grey,clahe",
                              "contrast,smooth,equalise,smooth"}) {
      const Image in = random_image({190, 100, 3, 2}, type, 1);
      const EnhanceOptions options{.steps = steps, .channels = ChannelCurves::each};
      const Enhance reference = plan_for(in.info(), options, Backend::cpu, "reference");
      Image expected(reference.output());
      reference(in.view(), expected.view());
      Stream host;
      const auto findings = reference.examine(in.view(), host).findings();
      for (const int rows : {1, 13, 90, 100}) {
        if (testing::run_small() && rows == 1) continue;
        Stream stream(0);
        const Enhance plan = plan_for(in.info(), options, Backend::cuda, "auto");
        Image out(plan.output());
        const EnhanceState state = run_in_pieces(plan, in.view(), out.view(), rows, stream);
        EXPECT_TRUE(same_samples(out.view(), expected.view())) << rows << " " << plan.describe();
        expect_same_findings(state.findings(), findings);

        const DeviceImage device_in = testing::upload(in, stream);
        const Enhance on_device = plan_for(device_in.view.info(), options, Backend::cuda, "auto");
        const DeviceImage device_out(on_device.output(), stream);
        const EnhanceState device_state =
            run_in_pieces(on_device, device_in.view, device_out.view, rows, stream);
        EXPECT_TRUE(same_samples(testing::short_view(testing::download(device_out, stream)),
                                 expected.view()))
            << rows << " " << on_device.describe();
        expect_same_findings(device_state.findings(), findings);
      }
    }
}

TEST_F(EnhancePiecesOnCuda, ImagesLargerThanTheLimit) {
  const Image in = random_image({600, testing::run_small() ? 300 : 3000, 3}, Type::u8, 1);
  for (const char* method : {"fused", "steps"}) {
    const Enhance plan = plan_for(in.info(), {}, Backend::cuda, method);
    Image whole(plan.output()), strips(plan.output());
    plan(in.view(), whole.view());
    Stream small(0, 0, 60 * 600 * 5);
    plan(in.view(), strips.view(), small);
    small.wait();
    EXPECT_TRUE(same_samples(strips.view(), whole.view())) << method;
    Stream tiny(0, 0, 1000);
    try {
      plan(in.view(), strips.view(), tiny);
      FAIL() << "1000 bytes were enough";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::resources);
    }
  }
}

TEST_F(EnhancePiecesOnCuda, MemoryIsFlatOverManyCalls) {
  const bool small = testing::run_small();
  const Image in = random_image(small ? Size{150, 120, 3} : Size{1031, 700, 3}, Type::u8, 1);
  for (const char* steps : {"grey,contrast,smooth", "grey,clahe"}) {
    const Enhance plan = plan_for(in.info(), {.steps = steps}, Backend::cuda, "auto");
    Image out(plan.output());
    Stream stream(0);
    const auto call = [&] { plan(in.view(), out.view(), stream); };
    for (int i = 0; i < 5; ++i) call();
    stream.wait();
    const std::size_t before = device_stream(stream).pool_bytes();
    for (int i = 0; i < (small ? 10 : 500); ++i) call();
    stream.wait();
    EXPECT_GT(before, 0U);
    EXPECT_EQ(device_stream(stream).pool_bytes(), before) << steps;
  }
}

/// The steps that a run of a whole image reports, which it finds on the device.
TEST_F(EnhancePiecesOnCuda, FindingsOfAWholeRun) {
  const Image in = random_image({150, 120, 3, 2}, Type::u8, 1);
  for (const char* steps : {"histogram,contrast,smooth", "grey,equalise", "contrast,grey,contrast",
                            "grey,histogram,clahe"})
    for (const ContrastRule rule : {ContrastRule::percentiles, ContrastRule::threshold}) {
      const EnhanceProblem problem = make_enhance_problem(
          in.info(), {.steps = steps, .rule = rule, .channels = ChannelCurves::each}, {});
      Stream host, stream(0);
      EnhanceState::Impl wanted, found;
      Image expected(problem.output), out(problem.output);
      make_enhance_reference(problem)->run(in.view(), expected.view(), &wanted, host);
      std::vector<EnhanceRunnerPointer> runners;
      runners.push_back(make_enhance_steps_cuda(problem));
      if (why_not_fused(problem).empty()) runners.push_back(make_enhance_fused_cuda(problem));
      for (const EnhanceRunnerPointer& runner : runners) {
        runner->run(in.view(), out.view(), &found, stream);
        stream.wait();
        EXPECT_TRUE(same_samples(out.view(), expected.view())) << runner->describe();
        EXPECT_EQ(found.sweep, wanted.sweep);
        for (std::size_t k = 0; k < problem.stages.size(); ++k) {
          EXPECT_EQ(found.findings[k].counts, wanted.findings[k].counts) << steps << k;
          EXPECT_EQ(found.findings[k].curve, wanted.findings[k].curve) << steps << k;
          EXPECT_EQ(found.findings[k].low, wanted.findings[k].low) << steps << k;
          EXPECT_EQ(found.findings[k].high, wanted.findings[k].high) << steps << k;
        }
      }
    }
}

/// Images in page-locked memory: calls only enqueue, and several may be under way.
TEST_F(EnhancePiecesOnCuda, TwoStreamsInTurn) {
  constexpr int kImages = 6;
  const ImageInfo info{{731, 300, 3}, Type::u8, kHost};
  const Enhance plan = plan_for(info, {}, Backend::cuda, "fused");
  Stream streams[2] = {Stream(0), Stream(0)};
  std::vector<Scratch> memory;
  std::vector<AnyMutableView> in, out;
  for (int k = 0; k < kImages; ++k) {
    memory.push_back(streams[0].pinned_scratch(static_cast<std::size_t>(bytes_of(info))));
    in.push_back(packed(memory.back().data(), info));
    copy_samples(testing::short_view(random_image(info.size, Type::u8, static_cast<unsigned>(k))),
                 in.back());
    memory.push_back(streams[0].pinned_scratch(static_cast<std::size_t>(bytes_of(plan.output()))));
    out.push_back(packed(memory.back().data(), plan.output()));
  }
  for (std::size_t k = 0; k < kImages; ++k) plan(in[k], out[k], streams[k % 2]);
  for (Stream& stream : streams) stream.wait();
  const Enhance reference = plan_for(info, {}, Backend::cpu, "reference");
  for (std::size_t k = 0; k < kImages; ++k) {
    Image expected(reference.output());
    reference(in[k], expected.view());
    EXPECT_TRUE(same_samples(out[k], expected.view())) << k;
  }
}

}  // namespace
}  // namespace tessera
