// SPDX-License-Identifier: Apache-2.0
/// The bits contract, for any plan with one input and one output: the same bits for any threads,
/// strips and memory limits, and from many threads that share the plan.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <thread>
#include <vector>

#include "core/strips.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/sweep.hpp"

namespace tessera::testing {

template <class Plan>
Image streamed(const Plan& plan, const Image& in, int threads, std::size_t memory_limit) {
  Image out(plan.output());
  ViewSource source(in.view());
  ViewSink sink(out.view());
  RowSource* sources[] = {&source};
  RowSink* sinks[] = {&sink};
  Stream stream(plan.device(), threads, memory_limit);
  stream_rows(sources, sinks, strip_plan(plan), stream);
  return out;
}

/// The memory that strips of `rows` rows take, anywhere in the image (three are in flight).
template <class Plan>
std::size_t limit_for(const Plan& plan, int rows) {
  const auto row_bytes = [](const ImageInfo& i) {
    return static_cast<std::size_t>(bytes_of(i.type)) * i.size.width * i.size.channels *
           i.size.planes;
  };
  int halo = 0;
  for (int row = 0; row < plan.output().size.height; ++row)
    halo = std::max(halo, plan.needs({row, row + 1}).count() - 1);
  return 3 * (row_bytes(plan.input()) * (rows + halo) + row_bytes(plan.output()) * rows);
}

/// How strips are cut, and how many threads make them.
struct Cuts {
  std::vector<int> threads, rows;
};

inline Cuts default_cuts() {
  if (run_small()) return {{2}, {7}};  // strips of one row are many launches
  return {{1, 2, 3, 7}, {1, 7, 64}};
}

template <class Plan>
void expect_same_bits(const Plan& plan, const Image& in, const Cuts& cuts = default_cuts()) {
  Image whole(plan.output());
  plan(in.view(), whole.view());
  const auto bits = bytes_of_view(whole.view());
  const auto check = [&](int threads, int rows) {
    EXPECT_EQ(bits, bytes_of_view(
                        testing::short_view(streamed(plan, in, threads, limit_for(plan, rows)))))
        << plan.describe() << ", " << threads << " threads, " << rows << " rows";
  };
  for_cases(1, check, cuts.threads, cuts.rows);
  EXPECT_EQ(bits, bytes_of_view(testing::short_view(streamed(plan, in, 2, std::size_t{1} << 30))));
}

template <class Plan>
void expect_eight_threads_may_share(const Plan& plan, const Image& in) {
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

}  // namespace tessera::testing
