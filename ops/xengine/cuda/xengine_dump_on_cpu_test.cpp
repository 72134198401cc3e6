// SPDX-License-Identifier: Apache-2.0
// The kernels behind the sums, run thread by thread on the CPU, against the host's way out.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "ops/xengine/cpu/xengine_host.hpp"
#include "ops/xengine/xengine_order.hpp"
// The last of all headers, before the kernels' text.
#include "tests/support/block_on_cpu.hpp"
// After the shim, which it is read through.
#include "ops/xengine/cuda/xengine_dump.cuh"

namespace tessera {
namespace {

constexpr unsigned char kPoison = 0x6d;

XEngineProblem problem_of(const XEngineShape& shape, SampleType samples, VisibilityOrder order,
                          VisibilityType type, int average) {
  return {shape,
          {.samples = samples, .average = average},
          {shape.channels / average, values_of(order, shape), type, order},
          0};
}

XEngineDumpArgs args_of(const XEngineProblem& p, unsigned long long& saturated) {
  return {.narrow = nullptr,
          .wide = nullptr,
          .real = nullptr,
          .antennas = p.shape.antennas,
          .polarisations = p.shape.polarisations,
          .average = p.options.average,
          .order = static_cast<XEngineOrder>(p.output.order),
          .sums = p.shape.values(),
          .values = p.output.values,
          .first = 0,
          .plane = p.output.values * p.output.channels,
          .out = nullptr,
          .saturated = &saturated};
}

/// All channels in two launches, as where there are too many blocks for one.
template <class Sum, class Out>
std::vector<unsigned char> dump(const XEngineProblem& p, XEngineDumpArgs args) {
  std::vector<unsigned char> out(static_cast<std::size_t>(p.output.bytes()) + 16, kPoison);
  const unsigned across = static_cast<unsigned>((p.output.values - 1) / kXEngineDumpThreads + 1);
  const bool planes = p.output.order == VisibilityOrder::register_tile;
  const int first = p.output.channels / 2;
  const auto launch = [&](int from, int count) {
    args.first = from;
    args.out = out.data() +
               from * p.output.values * static_cast<long long>(sizeof(Out)) * (planes ? 1 : 2);
    if (count > 0)
      testing::run_each_thread({across, static_cast<unsigned>(count)}, kXEngineDumpThreads,
                               [&] { xengine_dump<Sum, Out>(args); });
  };
  launch(0, first);
  launch(first, p.output.channels - first);
  EXPECT_EQ(out.back(), kPoison);
  out.resize(out.size() - 16);
  return out;
}

template <class Sum, class Out, class HostSum>
void expect_same(const XEngineProblem& p, const std::vector<HostSum>& sums,
                 const XEngineDumpArgs& args, unsigned long long& saturated) {
  SCOPED_TRACE(fmt::format("{} {}", name_of(p.output.order), name_of(p.output.type)));
  std::vector<unsigned char> expected(static_cast<std::size_t>(p.output.bytes()));
  const long long lost = write_visibilities(p, sums.data(), {expected.data()}, 1);
  saturated = 0;
  EXPECT_EQ((dump<Sum, Out>(p, args)), expected);
  EXPECT_EQ(static_cast<long long>(saturated), lost);
}

constexpr VisibilityOrder kOrders[] = {VisibilityOrder::triangular, VisibilityOrder::full,
                                       VisibilityOrder::register_tile};

TEST(XEngineDumpOnCpu, IntegersOfEveryOrderAndType) {
  for (const XEngineShape& shape : {XEngineShape{2, 1, 1}, {6, 2, 4}, {8, 3, 2}, {22, 1, 2}})
    for (const VisibilityOrder order : kOrders)
      for (const int average : {1, 2}) {
        if (shape.channels % average != 0) continue;
        std::mt19937_64 random(9);
        std::vector<std::int64_t> sums(static_cast<std::size_t>(2 * shape.values()) *
                                       static_cast<std::size_t>(shape.channels));
        std::vector<int> narrow(sums.size());
        std::vector<long long> wide(sums.size());
        for (std::size_t k = 0; k < sums.size(); ++k) {
          narrow[k] = static_cast<int>(random());
          wide[k] = static_cast<long long>(random()) >> (20 + random() % 30);
          sums[k] = narrow[k] + wide[k];
        }
        unsigned long long saturated = 0;
        const auto check = [&]<class Out>(VisibilityType type, Out) {
          const XEngineProblem p = problem_of(shape, SampleType::ci8, order, type, average);
          XEngineDumpArgs args = args_of(p, saturated);
          args.narrow = narrow.data();
          args.wide = wide.data();
          expect_same<long long, Out>(p, sums, args, saturated);
          args.narrow = nullptr;
          expect_same<long long, Out>(p, std::vector<std::int64_t>(wide.begin(), wide.end()), args,
                                      saturated);
          args = args_of(p, saturated);
          args.narrow = narrow.data();
          expect_same<long long, Out>(p, std::vector<std::int64_t>(narrow.begin(), narrow.end()),
                                      args, saturated);
        };
        check(VisibilityType::i64, 0LL);
        check(VisibilityType::i32, 0);
        check(VisibilityType::f64, 0.0);
        check(VisibilityType::f32, 0.0F);
      }
}

TEST(XEngineDumpOnCpu, LimitsOfI32AreNotBeyondIt) {
  const XEngineProblem p =
      problem_of({1, 1, 3}, SampleType::ci8, VisibilityOrder::triangular, VisibilityType::i32, 1);
  const std::vector<long long> wide{-2147483648LL, 2147483647, -2147483649LL, 2147483648LL, 0, -1};
  unsigned long long saturated = 0;
  XEngineDumpArgs args = args_of(p, saturated);
  args.wide = wide.data();
  const std::vector<unsigned char> bytes = dump<long long, int>(p, args);
  std::vector<int> out(6);
  std::memcpy(out.data(), bytes.data(), bytes.size());
  constexpr int kLeast = std::numeric_limits<int>::min(), kMost = std::numeric_limits<int>::max();
  EXPECT_EQ(out, (std::vector<int>{kLeast, kMost, kLeast, kMost, 0, -1}));
  EXPECT_EQ(saturated, 2U);
}

TEST(XEngineDumpOnCpu, FloatsOfEveryOrderAndType) {
  for (const XEngineShape& shape : {XEngineShape{6, 2, 4}, {4, 3, 2}})
    for (const VisibilityOrder order : kOrders)
      for (const int average : {1, 2}) {
        std::mt19937 random(9);
        std::normal_distribution<double> noise;
        std::vector<double> sums(static_cast<std::size_t>(2 * shape.values()) *
                                 static_cast<std::size_t>(shape.channels));
        for (double& sum : sums) sum = noise(random);
        unsigned long long saturated = 0;
        XEngineProblem p = problem_of(shape, SampleType::cf32, order, VisibilityType::f64, average);
        XEngineDumpArgs args = args_of(p, saturated);
        args.real = sums.data();
        expect_same<double, double>(p, sums, args, saturated);
        p.output.type = VisibilityType::f32;
        expect_same<double, float>(p, sums, args, saturated);
      }
}

TEST(XEngineDumpOnCpu, NothingIsZeros) {
  const XEngineProblem p =
      problem_of({4, 2, 2}, SampleType::cf32, VisibilityOrder::triangular, VisibilityType::f32, 1);
  unsigned long long saturated = 0;
  const auto bytes = dump<double, float>(p, args_of(p, saturated));
  EXPECT_EQ(std::count(bytes.begin(), bytes.end(), 0), std::ssize(bytes));
}

TEST(XEngineDumpOnCpu, FlushOverwritesThenAdds) {
  std::vector<int> narrow(300);
  for (std::size_t k = 0; k < narrow.size(); ++k)
    narrow[k] = k % 2 ? std::numeric_limits<int>::max() : std::numeric_limits<int>::min();
  std::vector<long long> wide(narrow.size() + 1, 77);
  for (const bool add : {false, true, true})
    testing::run_each_thread({2, 1}, kXEngineDumpThreads, [&] {
      xengine_flush(XEngineFlushArgs<int, long long>{narrow.data(), wide.data(),
                                                     static_cast<long long>(narrow.size()), add});
    });
  for (std::size_t k = 0; k < narrow.size(); ++k) ASSERT_EQ(wide[k], 3LL * narrow[k]) << k;
  EXPECT_EQ(wide.back(), 77);
}

TEST(XEngineOrder, AntennasOfBaselines) {
  for (int a = 0; a < 3000; ++a) {
    ASSERT_EQ(antenna_of_baseline(baseline_of(a, 0)), a);
    ASSERT_EQ(antenna_of_baseline(baseline_of(a, a)), a);
  }
  for (const int a : {99999, 1 << 20, (1 << 24) + 1}) {
    EXPECT_EQ(antenna_of_baseline(baseline_of(a, 0)), a);
    EXPECT_EQ(antenna_of_baseline(baseline_of(a, a)), a);
  }
}

}  // namespace
}  // namespace tessera
