// SPDX-License-Identifier: Apache-2.0
// Bad calls, what they say, and their kind.
#include <gtest/gtest.h>

#include "tessera/xengine.hpp"
#include "tests/support/bad_calls.hpp"

namespace tessera {
namespace {

using testing::expect_refused;

const XEngineShape kShape{2, 2, 4};

auto plan_of(const XEngineShape& shape, const XEngineOptions& options = {}) {
  return [=] { XEngine(shape, options); };
}

TEST(XEngineErrors, PlansAreRefused) {
  expect_refused({
      {plan_of({0, 2, 4}),
       "xengine: there are 0 antennas of 2 polarisations and 4 channels; give at least one of "
       "each"},
      {plan_of({2, 0, 4}),
       "xengine: there are 2 antennas of 0 polarisations and 4 channels; give at least one of "
       "each"},
      {plan_of({2, 2, -1}),
       "xengine: there are 2 antennas of 2 polarisations and -1 channels; give at least one of "
       "each"},
      {plan_of({2, 5, 4}), "xengine: there are 5 polarisations; there can be 1 to 4"},
      {plan_of({2000000000, 4, 4}),
       "xengine: there are 2000000000 antennas; there can be up to 1048576"},
      {plan_of(kShape, {.average = 3}),
       "xengine: average is 3 and there are 4 channels; it must divide them"},
      {plan_of(kShape, {.average = 0}), "xengine: average is 0; it can be 1 or more"},
      {plan_of({3, 2, 4}, {.order = VisibilityOrder::register_tile}),
       "xengine: order register-tile has tiles of 2 by 2 antennas and there are 3; give an even "
       "number of antennas, or another order"},
      {plan_of(kShape, {.samples = SampleType::cf32, .output_type = VisibilityType::i32}),
       "xengine: output type is i32 and samples are cf32; floats need f64 or f32"},
      {plan_of(kShape, {.samples = SampleType::cf32, .offset_binary = true}),
       "xengine: offset-binary is for integers and samples are cf32; leave it out"},
      {plan_of(kShape, {.real_low = true}),
       "xengine: real-low is for ci4 and samples are ci8; leave it out"},
      {plan_of({1000000, 2, 1000000}),
       "xengine: sums of 1000000x2 inputs and 1000000 channels of ci8 need 32000.0 PB; give "
       "fewer",
       ErrorKind::resources},
  });
}

TEST(XEngineErrors, UnknownMethodsListTheKnown) {
  try {
    XEngine(kShape, {.method = "fmaa"});
    ADD_FAILURE() << "not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    const std::string text = error.what();
    EXPECT_TRUE(text.starts_with("xengine: method: 'fmaa' is not known")) << text;
    EXPECT_NE(text.find("reference"), std::string::npos) << text;
  }
}

auto layout_of(const char* name, SampleType type, long long samples,
               const XEngineShape& shape = kShape) {
  return [=] { voltage_layout(name, shape, type, samples); };
}

TEST(XEngineErrors, LayoutsAreRefused) {
  expect_refused({
      {layout_of("cct", SampleType::ci8, 4),
       "xengine: layout: 'cct' is not known (did you mean cit?); it can be tci, cti, cit, act, tcc "
       "or "
       "dp4a"},
      {layout_of("tcc", SampleType::ci8, 20),
       "xengine: layout tcc has groups of 16 samples and the block 20; give a multiple, or another "
       "layout"},
      {layout_of("dp4a", SampleType::ci8, 6),
       "xengine: layout dp4a has groups of 4 samples and the block 6; give a multiple, or another "
       "layout"},
      {layout_of("tcc", SampleType::cf32, 32),
       "xengine: layout tcc has parts of 4, 8 or 16 bits and samples are cf32; give another "
       "layout"},
      {layout_of("dp4a", SampleType::ci4, 32),
       "xengine: layout dp4a is for ci8 and samples are ci4; give another layout"},
      {layout_of("tci", SampleType::ci8, -1),
       "xengine: the block has -1 samples; it can have 0 or more"},
      {layout_of("tci", SampleType::ci8, 1LL << 62),
       "xengine: 4611686018427387904 samples of 4 inputs and 4 channels are 147574.0 PB; give "
       "fewer at a time"},
      {layout_of("tci", SampleType::ci8, 8, {0, 2, 1}),
       "xengine: there are 0 antennas of 2 polarisations and 1 channels; give at least one of "
       "each"},
  });
}

/// A block of 8 samples that is right, changed.
template <class Change>
auto add_changed(const XEngine& plan, Change change) {
  return [=] {
    static const std::vector<unsigned char> bytes(8 * 4 * 4 * 2);
    VoltageBlock block{bytes.data(), 8, voltage_layout("tci", kShape, SampleType::ci8, 8)};
    change(block);
    XEngineState state = plan.start();
    plan.add(state, block, thread_stream());
  };
}

TEST(XEngineErrors, BlocksAreRefused) {
  const XEngine plan(kShape, {.backend = Backend::cpu});
  static const std::vector<unsigned char> mask(11, 1);
  const char* const no_mask =
      "xengine: the mask has 11 bytes; 8 samples in stretches of 3 by 4 inputs need 12";
  expect_refused({
      {add_changed(plan, [](VoltageBlock& b) { b.samples = -2; }),
       "xengine: the block has -2 samples; it can have 0 or more"},
      {add_changed(plan, [](VoltageBlock& b) { b.data = nullptr; }),
       "xengine: the block has 8 samples and no data; give their address"},
      {add_changed(plan, [](VoltageBlock& b) { b.device = 0; }),
       "xengine: the block is on device 0 and the plan runs on the host; copy to the host, or make "
       "the plan with backend cuda"},
      {add_changed(plan, [](VoltageBlock& b) { b.valid = mask, b.valid_samples = 3; }), no_mask},
      {add_changed(plan, [](VoltageBlock& b) { b.valid = mask, b.valid_samples = 0; }),
       "xengine: stretches of the mask are 0 samples long; they can be 1 or longer"},
      {add_changed(plan, [](VoltageBlock& b) { b.layout.channel = 0; }),
       "xengine: the layout's channel step is 0 bytes and there are 4; give steps, or make the "
       "layout with voltage_layout"},
      {add_changed(plan, [](VoltageBlock& b) { b.layout.antenna = 0; }),
       "xengine: the layout's antenna step is 0 bytes and there are 2; give steps, or make the "
       "layout with voltage_layout"},
      {add_changed(plan, [](VoltageBlock& b) { b.layout.polarisation = 0; }),
       "xengine: the layout's polarisation step is 0 bytes and there are 2; give steps, or make "
       "the layout with voltage_layout"},
      {add_changed(plan, [](VoltageBlock& b) { b.layout.group_step = 0; }),
       "xengine: the layout's group step is 0 bytes and there are 8; give steps, or make the "
       "layout with voltage_layout"},
      {add_changed(plan, [](VoltageBlock& b) { b.layout.group = 4, b.layout.time = 0; }),
       "xengine: the layout's time step is 0 bytes and there are 4; give steps, or make the "
       "layout with voltage_layout"},
      {add_changed(plan, [](VoltageBlock& b) { b.layout.group = 0; }),
       "xengine: the layout's group is 0 samples; it can be 1 or more"},
      {add_changed(plan, [](VoltageBlock& b) { b.layout.imaginary = 0; }),
       "xengine: the layout's imaginary part lies 0 bytes behind the real one; it is 1 of ci8 "
       "samples"},
  });
}

TEST(XEngineErrors, StatesAndOutputsAreRefused) {
  const XEngine plan(kShape, {.backend = Backend::cpu}), other(kShape, {.backend = Backend::cpu});
  const XEngine copy = plan;
  XEngineState state = plan.start();
  Stream& stream = thread_stream();
  std::vector<unsigned char> out(static_cast<std::size_t>(plan.output().bytes()));
  const char* const another =
      "xengine: the state belongs to another plan; make it with start() of this one";
  expect_refused({
      {[&] { other.add(state, {}, stream); }, another},
      {[&] { other.dump(state, {out.data()}, stream); }, another},
      {[&] { other.clear(state, stream); }, another},
      {[&] { plan.dump(state, {}, stream); },
       "xengine: there is no memory for the visibilities; give as much as output() says"},
      {[&] {
         plan.dump(state, {out.data(), 1}, stream);
       },
       "xengine: the visibilities are on device 1 and the plan runs on the host; copy to the host, "
       "or make the plan with backend cuda"},
  });
  EXPECT_NO_THROW(copy.dump(state, {out.data()}, stream));
}

// Found out by asking, not by running out.
TEST(XEngineErrors, SumsLargerThanMemory) {
  const XEngineShape shape{60000, 1, 100000};
  const XEngine plan(shape, {.backend = Backend::cpu, .method = "reference"});
  XEngineState state = plan.start();
  const unsigned char none[2] = {};
  VoltageBlock block{none, 1, voltage_layout("tci", shape, SampleType::ci8, 1)};
  try {
    plan.add(state, block, thread_stream());
    ADD_FAILURE() << "not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::resources);
    EXPECT_TRUE(
        std::string(error.what())
            .starts_with("xengine: sums of 60000x1 inputs and 100000 channels need 2.9 PB, "))
        << error.what();
  }
  EXPECT_EQ(state.samples(), 0);
}

}  // namespace
}  // namespace tessera
