// SPDX-License-Identifier: Apache-2.0
// What only a GPU can get wrong in the X-engine: blocks and visibilities that live on it, states on
// several streams, sums beyond int32, memory that runs out. Host blocks are in xengine_test.cpp.
#include <gtest/gtest.h>

#include <thread>

#include "core/machine.hpp"
#include "ops/xengine/cuda/xengine_device_sums.hpp"
#include "tessera/error.hpp"
#include "tests/support/picker.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/voltages.hpp"

namespace tessera {
namespace {

using testing::Correlated;
using testing::LaidOut;
using testing::random_voltages;
using testing::reference_for;
using testing::Voltages;

class XEngineOnCuda : public ::testing::Test {
 protected:
  void SetUp() override {
    if (this_machine().devices.empty())
      GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  }
};

XEngineOptions on_cuda(XEngineOptions options, const std::string& method) {
  options.backend = Backend::cuda;
  options.method = method;
  return options;
}

std::vector<std::string> cuda_methods(const XEngineShape& shape, const XEngineOptions& options) {
  return testing::xengine_methods_for(shape, options, Backend::cuda);
}

/// A block copied to the device, its first byte at a multiple of 256 and `shift` more.
struct DeviceBlock {
  DeviceBlock(const LaidOut& laid, int shift, Stream& stream)
      : memory(stream.scratch(laid.bytes.size() + static_cast<std::size_t>(shift))),
        block(laid.block) {
    unsigned char* const to = memory.as<unsigned char>() + shift;
    copy_bytes(laid.bytes.data(), kHost, to, stream.device(), laid.bytes.size(), stream);
    block.data = to + (static_cast<const unsigned char*>(laid.block.data) - laid.bytes.data());
    block.device = stream.device();
  }
  Scratch memory;
  VoltageBlock block;
};

/// All samples in blocks of `length` that lie on the device, and visibilities made there.
Correlated correlate_there(const XEngine& plan, const Voltages& v, const std::string& layout,
                           long long length, int shift, Stream& stream) {
  XEngineState state = plan.start();
  for (long long t = 0; t < v.samples; t += length) {
    const LaidOut laid = testing::lay_out(v, layout, t, std::min(length, v.samples - t));
    const DeviceBlock there(laid, shift, stream);
    plan.add(state, there.block, stream);
  }
  Correlated made;
  constexpr unsigned char kPoison = 0x5a;
  constexpr std::size_t kGuard = 64;
  const auto bytes = static_cast<std::size_t>(plan.output().bytes());
  made.bytes.assign(bytes + kGuard, kPoison);
  const Scratch out = stream.scratch(made.bytes.size());
  copy_bytes(made.bytes.data(), kHost, out.data(), stream.device(), made.bytes.size(), stream);
  made.dump = plan.dump(state, {out.data(), stream.device()}, stream);
  copy_bytes(out.data(), stream.device(), made.bytes.data(), kHost, made.bytes.size(), stream);
  stream.wait();
  EXPECT_EQ(std::count(made.bytes.end() - kGuard, made.bytes.end(), kPoison), kGuard);
  made.bytes.resize(bytes);
  return made;
}

void expect_agree(const Correlated& actual, const Correlated& expected, const Voltages& v,
                  const XEngineOptions& options) {
  EXPECT_EQ(actual.dump.samples, expected.dump.samples);
  EXPECT_EQ(actual.dump.saturated, expected.dump.saturated);
  EXPECT_EQ(actual.dump.valid, expected.dump.valid);
  if (is_integer(v.type)) {
    EXPECT_EQ(actual.bytes, expected.bytes);
    return;
  }
  const auto a = actual.as<double>(), e = expected.as<double>();
  const auto bounds = testing::float_bounds(v, options);
  for (std::size_t k = 0; k < a.size(); ++k)
    ASSERT_LE(std::abs(a[k] - e[k]), bounds[k]) << "part " << k;
}

struct Case {
  XEngineShape shape;
  SampleType type;
  std::string layout;
  long long samples, block, stretch;  ///< stretch 0: no mask
  int shift;                          ///< bytes
  bool offset_binary;

  std::string text() const {
    return fmt::format(
        "{}x{} inputs, {} channels, {}, {}, {} samples in blocks of {}, mask {}, {} bytes off",
        shape.antennas, shape.polarisations, shape.channels, name_of(type), layout, samples, block,
        stretch, shift);
  }
};

/// Inputs around tiles (64, 128) and words (8), lengths around groups and stages.
Case some_case(int k) {
  testing::Picker picker(k);
  Case c;
  c.shape.antennas = picker.pick<int>({8, 2, 32, 33, 64, 7, 1, 16, 65, 100});
  c.shape.polarisations = picker.pick<int>({2, 1, 2, 3, 2, 4});
  c.shape.channels = picker.pick<int>({2, 1, 3, 5});
  c.type = picker.pick<SampleType>({SampleType::ci8, SampleType::ci8, SampleType::ci4,
                                    SampleType::ci16, SampleType::cf16, SampleType::cf32});
  c.layout = picker.pick<std::string>({"tci", "tcc", "act", "cti", "cit", "odd", "dp4a"});
  c.samples = picker.pick<long long>({64, 256, 100, 1, 15, 17, 1000, 640});
  c.block = picker.pick<long long>({1000, 1000, 64, 33, 16});
  c.stretch = picker.pick<long long>({0, 0, 5, 16, 0});
  c.shift = picker.pick<int>({0, 0, 0, 16, 2, 1});
  c.offset_binary = is_integer(c.type) && k % 5 == 4;
  if (c.type == SampleType::cf32 && c.layout == "tcc") c.layout = "cti";
  if (c.type != SampleType::ci8 && c.layout == "dp4a") c.layout = "tci";
  if (c.layout == "tcc" || c.layout == "dp4a")
    c.samples = c.samples / 64 * 64 + 64, c.block = c.block / 64 * 64 + 64;
  return c;
}

TEST_F(XEngineOnCuda, BlocksOnTheDeviceMatchTheReference) {
  const int cases = testing::run_small() ? 20 : testing::run_all() ? 600 : 120;
  Stream stream(0);
  for (int k = 0; k < cases; ++k) {
    const Case c = some_case(k);
    SCOPED_TRACE(c.text());
    Voltages v = random_voltages(c.shape, c.type, c.samples, static_cast<unsigned>(k));
    if (c.stretch) testing::add_random_mask(v, c.stretch, static_cast<unsigned>(k));
    XEngineOptions options;
    options.samples = c.type;
    options.offset_binary = c.offset_binary;
    const Correlated expected = correlate(XEngine(c.shape, reference_for(options)), v);
    for (const std::string& method : cuda_methods(c.shape, options)) {
      const XEngine plan(c.shape, on_cuda(options, method));
      SCOPED_TRACE(plan.describe());
      expect_agree(correlate_there(plan, v, c.layout, c.block, c.shift, stream), expected, v,
                   options);
    }
  }
}

/// The output of a plan on the host for sums in triangular order.
Correlated written(const XEngine& plan, const Correlated& sums) {
  Correlated made{std::vector<unsigned char>(static_cast<std::size_t>(plan.output().bytes())),
                  sums.dump};
  made.dump.saturated = write_visibilities({plan.shape(), plan.options(), plan.output(), 0},
                                           sums.as<std::int64_t>().data(), {made.bytes.data()}, 1);
  return made;
}

TEST_F(XEngineOnCuda, EveryOrderTypeAndAverageOnTheDeviceAndOnTheHost) {
  const XEngineShape shape{6, 2, 6};
  Voltages v = random_voltages(shape, SampleType::ci8, 66000, 3);
  std::fill(v.bytes.begin(), v.bytes.begin() + 2 * v.samples, 0x80);  // beyond i32
  const Correlated sums = correlate(XEngine(shape, reference_for({})), v);
  Stream stream(0);
  for (const VisibilityOrder order :
       {VisibilityOrder::triangular, VisibilityOrder::full, VisibilityOrder::register_tile})
    for (const VisibilityType type :
         {VisibilityType::i64, VisibilityType::i32, VisibilityType::f64, VisibilityType::f32})
      for (const int average : {1, 3}) {
        XEngineOptions options;
        options.order = order;
        options.output_type = type;
        options.average = average;
        const XEngine plan(shape, on_cuda(options, "auto"));
        SCOPED_TRACE(plan.describe());
        const Correlated expected = written(plan, sums);
        EXPECT_EQ(expected.dump.saturated > 0, type == VisibilityType::i32);
        expect_agree(correlate_there(plan, v, "tci", 66000, 0, stream), expected, v, options);
        expect_agree(correlate(plan, v, "cti", 30000, stream), expected, v, options);
      }
}

/// All -128: 2^15 per sample, one too many at 65536. Blocks and flushes of every phase.
TEST_F(XEngineOnCuda, LowestIntegersBeyondInt32) {
  const XEngineShape shape{8, 2, 1};
  Stream stream(0);
  for (const std::string& method : cuda_methods(shape, {}))
    for (const char* layout : {"tcc", "tci", "act"})
      for (const long long block : {65536LL, 65520LL, 40000LL, 150000LL}) {
        const XEngine plan(shape, on_cuda({}, method));
        SCOPED_TRACE(plan.describe());
        XEngineState state = plan.start();
        const Voltages v{shape, SampleType::ci8, block,
                         std::vector<unsigned char>(static_cast<std::size_t>(32 * block), 0x80)};
        const DeviceBlock there(testing::lay_out(v, layout, 0, block), 0, stream);
        for (int k = 0; k < 3; ++k) plan.add(state, there.block, stream);
        std::vector<std::int64_t> sums(static_cast<std::size_t>(plan.output().bytes() / 8));
        plan.dump(state, {sums.data()}, stream);
        for (std::size_t k = 0; k < sums.size(); ++k)
          ASSERT_EQ(sums[k], k % 2 ? 0 : 3 * block << 15) << layout << " " << block;
      }
}

/// States begin again after a dump or clear(); without blocks visibilities are zeros.
TEST_F(XEngineOnCuda, StatesBeginAnew) {
  const XEngineShape shape{5, 2, 2};
  for (const SampleType type : {SampleType::ci8, SampleType::ci16, SampleType::cf32}) {
    XEngineOptions options;
    options.samples = type;
    const XEngine plan(shape, on_cuda(options, "auto"));
    const Voltages v = random_voltages(shape, type, 77, 5);
    const Correlated once = correlate(plan, v);
    const LaidOut laid = testing::lay_out(v, "cit", 0, v.samples);
    Stream stream(0);
    XEngineState state = plan.start();
    std::vector<unsigned char> out(once.bytes.size(), 0x5a);
    plan.dump(state, {out.data()}, stream);
    EXPECT_EQ(std::count(out.begin(), out.end(), 0), std::ssize(out));
    for (int k = 0; k < 3; ++k) {
      plan.add(state, laid.block, stream);
      plan.clear(state, stream);
      plan.add(state, laid.block, stream);
      plan.dump(state, {out.data()}, stream);
      EXPECT_EQ(out, once.bytes);
    }
  }
}

/// Host memory is the caller's again when add() returns, page-locked or not.
TEST_F(XEngineOnCuda, HostMemoryMayBeGivenUp) {
  const XEngineShape shape{16, 2, 8};
  const Voltages v = random_voltages(shape, SampleType::ci8, 4096, 5);
  const XEngine plan(shape, on_cuda({}, "auto"));
  const Correlated expected = correlate(XEngine(shape, reference_for({})), v);
  Stream stream(0);
  for (const bool pinned : {false, true}) {
    LaidOut laid = testing::lay_out(v, "tci", 0, v.samples);
    const Scratch memory = stream.pinned_scratch(laid.bytes.size());
    if (pinned) {
      std::memcpy(memory.data(), laid.bytes.data(), laid.bytes.size());
      laid.block.data = memory.data();
    }
    XEngineState state = plan.start();
    plan.add(state, laid.block, stream);
    std::memset(pinned ? memory.data() : laid.bytes.data(), 0x33, laid.bytes.size());
    std::vector<unsigned char> out(expected.bytes.size());
    plan.dump(state, {out.data()}, stream);
    EXPECT_EQ(out, expected.bytes) << pinned;
  }
}

/// Two states take turns, each on one stream after the other.
TEST_F(XEngineOnCuda, StatesGoFromStreamToStream) {
  const XEngineShape shape{24, 2, 4};
  const Voltages v = random_voltages(shape, SampleType::ci8, 1200, 5);
  const XEngine plan(shape, on_cuda({}, "auto"));
  const Correlated expected = correlate(XEngine(shape, reference_for({})), v);
  std::vector<Stream> streams;
  for (int k = 0; k < 3; ++k) streams.emplace_back(0);
  XEngineState states[] = {plan.start(), plan.start()};
  for (int k = 0; k < 12; ++k) {
    const LaidOut laid = testing::lay_out(v, "tci", 100 * k, 100);
    for (XEngineState& state : states) {
      Stream& stream = streams[static_cast<std::size_t>(k + (&state - states)) % 3];
      if (k % 2 == 0) {
        plan.add(state, laid.block, stream);
      } else {
        const DeviceBlock there(laid, 0, stream);
        plan.add(state, there.block, stream);
      }
    }
  }
  for (XEngineState& state : states) {
    std::vector<unsigned char> out(expected.bytes.size());
    EXPECT_EQ(plan.dump(state, {out.data()}, streams[0]).samples, 1200);
    EXPECT_EQ(out, expected.bytes);
  }
}

TEST_F(XEngineOnCuda, EightThreadsShareAPlan) {
  const XEngineShape shape{20, 2, 3};
  const XEngine plan(shape, on_cuda({}, "auto"));
  std::vector<std::thread> threads;
  std::vector<int> right(8);
  for (int k = 0; k < 8; ++k)
    threads.emplace_back([&, k] {
      const Voltages v = random_voltages(shape, SampleType::ci8, 500 + 16 * k, 1U + 7U * k);
      const Correlated expected = correlate(XEngine(shape, reference_for({})), v);
      Stream stream(0);
      for (int again = 0; again < 5; ++again)
        right[static_cast<std::size_t>(k)] +=
            correlate(plan, v, again % 2 ? "tci" : "act", 128, stream).bytes == expected.bytes;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, std::vector<int>(8, 5));
}

TEST_F(XEngineOnCuda, SmallMemoryLimits) {
  const XEngineShape shape{9, 2, 7};  // an odd number of values per channel
  for (const SampleType type : {SampleType::ci8, SampleType::ci4, SampleType::cf32}) {
    XEngineOptions options;
    options.samples = type;
    const Voltages v = random_voltages(shape, type, 333, 5);
    const Correlated expected = correlate(XEngine(shape, reference_for(options)), v);
    for (const std::string& method : cuda_methods(shape, options)) {
      const XEngine plan(shape, on_cuda(options, method));
      SCOPED_TRACE(plan.describe());
      for (const std::size_t limit : {5000U, 20000U, 100000U}) {
        Stream stream(0, 2, limit);
        for (const char* layout : {"tci", "act", "odd"}) {
          expect_agree(correlate(plan, v, layout, 333, stream), expected, v, options);
          expect_agree(correlate_there(plan, v, layout, 333, 1, stream), expected, v, options);
        }
      }
    }
  }
}

void expect_no_room(const XEngine& plan, XEngineState& state, const VoltageBlock& block,
                    Stream& stream) {
  try {
    plan.add(state, block, stream);
    ADD_FAILURE() << "there was room";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::resources) << error.what();
  }
}

/// A block that does not fit leaves the state as it was.
TEST_F(XEngineOnCuda, WithoutRoomTheStateStays) {
  const XEngineShape shape{9, 2, 7};
  const Voltages v = random_voltages(shape, SampleType::ci8, 40, 5);
  const Correlated expected = correlate(XEngine(shape, reference_for({})), v);
  const XEngine plan(shape, on_cuda({}, "auto"));
  const LaidOut laid = testing::lay_out(v, "tci", 0, v.samples);
  Stream stream(0), small(0, 1, 100);
  XEngineState state = plan.start();
  plan.add(state, laid.block, stream);
  expect_no_room(plan, state, laid.block, small);
  std::vector<unsigned char> out(expected.bytes.size());
  EXPECT_EQ(plan.dump(state, {out.data()}, stream).samples, 40);
  EXPECT_EQ(out, expected.bytes);
}

TEST_F(XEngineOnCuda, SumsThatNoDeviceHolds) {
  if (testing::run_small())
    GTEST_SKIP() << "provokes errors on purpose, which the sanitizer reports";
  const XEngineShape shape{1 << 20, 1, 1};  // 4.4 TB
  const XEngine plan(shape, on_cuda({}, "auto"));
  const std::vector<unsigned char> bytes(std::size_t{2} << 20);
  Stream stream(0);
  XEngineState state = plan.start();
  for (int k = 0; k < 2; ++k)
    expect_no_room(plan, state, {bytes.data(), 1, voltage_layout("tci", shape, SampleType::ci8, 1)},
                   stream);
  EXPECT_EQ(state.samples(), 0);
}

}  // namespace
}  // namespace tessera
