// SPDX-License-Identifier: Apache-2.0
// The bits contract: the same for any threads and blocks.
#include <gtest/gtest.h>

#include <thread>

#include "tests/support/methods.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/voltages.hpp"

namespace tessera {
namespace {

using testing::correlate;
using testing::random_voltages;
using testing::Voltages;

/// Calls check(plan, voltages) for every method of every target and type.
template <class Check>
void for_plans(Backend backend, long long samples, Check check) {
  const XEngineShape shape{testing::run_small() ? 5 : 21, 3, 3};
  for (const auto& [name, type] : Names<SampleType>::list) {
    Voltages v = random_voltages(shape, type, samples, 1);
    testing::add_random_mask(v, 50, 2);
    for (const testing::Way& way : testing::all_ways()) {
      if (way.backend != backend) continue;
      const testing::ForcedIsa forced(way.isa);
      for (const std::string& method :
           testing::xengine_methods_for(shape, {.samples = type}, backend))
        check(XEngine(shape, {.samples = type, .backend = backend, .method = method}), v);
    }
  }
}

// Longer than what is packed at a time.
void same_for_threads(Backend backend) {
  const long long samples = testing::run_small() ? 300 : 2100;
  for_plans(backend, samples, [](const XEngine& plan, const Voltages& v) {
    const auto whole = correlate(plan, v).bytes;
    for (const int threads : {1, 2, 3, 7}) {
      Stream stream(plan.device(), threads);
      EXPECT_EQ(correlate(plan, v, "odd", v.samples, stream).bytes, whole)
          << plan.describe() << ", " << threads << " threads";
    }
  });
}

// Floats: runs begin and end within blocks, at their ends, and after several of them.
void same_for_blocks(Backend backend) {
  for_plans(backend, 600, [](const XEngine& plan, const Voltages& v) {
    const auto whole = correlate(plan, v).bytes;
    Stream stream(plan.device(), 1);
    for (const long long block : {7, 64, 100, 256, 300})
      EXPECT_EQ(correlate(plan, v, "tci", block, stream).bytes, whole)
          << plan.describe() << ", blocks of " << block;
  });
  for_plans(backend, 20, [](const XEngine& plan, const Voltages& v) {
    Stream stream(plan.device(), 1);
    EXPECT_EQ(correlate(plan, v, "tci", 1, stream).bytes, correlate(plan, v).bytes)
        << plan.describe();
  });
}

/// Samples that are missing count like samples that are there and zero.
void same_for_gaps(Backend backend) {
  const XEngineShape shape{5, 2, 3};
  constexpr long long kAll = 900;
  for (const SampleType type : {SampleType::cf16, SampleType::cf32, SampleType::ci16})
    for (const std::string& method :
         testing::xengine_methods_for(shape, {.samples = type}, backend))
      for (const auto& [first, end] :
           {std::pair{100LL, 120LL}, {100, 256}, {256, 300}, {90, 700}}) {
        const XEngine plan(shape, {.samples = type, .backend = backend, .method = method});
        Voltages v = random_voltages(shape, type, kAll, 5);
        v.valid_samples = 1;
        v.valid.assign(static_cast<std::size_t>(kAll * shape.inputs()), 1);
        std::fill(v.valid.begin() + first * shape.inputs(), v.valid.begin() + end * shape.inputs(),
                  static_cast<unsigned char>(0));
        Stream stream(plan.device(), 1);
        XEngineState state = plan.start();
        const auto add = [&](long long from, long long to) {
          plan.add(state, testing::lay_out(v, "tci", from, to - from).block, stream);
        };
        add(0, first);
        plan.add_missing(state, end - first);
        add(end, kAll);
        std::vector<unsigned char> bytes(static_cast<std::size_t>(plan.output().bytes()));
        plan.dump(state, {bytes.data()}, stream);
        EXPECT_EQ(bytes, correlate(plan, v).bytes)
            << plan.describe() << ", missing " << first << " to " << end;
      }
}

TEST(XEngineBits, CpuSameForAnyThreads) { same_for_threads(Backend::cpu); }
TEST(XEngineBits, CpuSameForAnyBlocks) { same_for_blocks(Backend::cpu); }
TEST(XEngineBits, CpuSameForAnyGaps) { same_for_gaps(Backend::cpu); }

TEST(XEngineBitsCuda, SameForAnyThreadsAndBlocks) {
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  same_for_threads(Backend::cuda);
  same_for_blocks(Backend::cuda);
  same_for_gaps(Backend::cuda);
}

TEST(XEngineBits, EightThreadsShareOnePlan) {
  for_plans(Backend::cpu, 150, [](const XEngine& plan, const Voltages& v) {
    const auto expected = correlate(plan, v).bytes;
    std::vector<std::vector<unsigned char>> results(8);
    std::vector<std::thread> threads;
    for (auto& result : results) threads.emplace_back([&] { result = correlate(plan, v).bytes; });
    for (std::thread& thread : threads) thread.join();
    for (const auto& result : results) EXPECT_EQ(result, expected) << plan.describe();
  });
}

}  // namespace
}  // namespace tessera
