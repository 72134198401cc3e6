// SPDX-License-Identifier: Apache-2.0
// What the method gemm does to the library that others in the process use too.
#include <gtest/gtest.h>

#include <limits>

#include "core/cblas.hpp"
#include "ops/faraday/synth/cpu/faraday_gemm.hpp"
#include "ops/faraday/synth/cuda/faraday_gemm_phases.hpp"
#include "tests/support/faraday_cubes.hpp"

namespace tessera {
namespace {

TEST(FaradayGemm, GivesBackTheThreadsOfTheLibrary) {
  const testing::FaradayCubes in({600, 2, 1, 12}, Type::f32, 1);
  const FaradayAxes axes = faraday_axes(testing::some_channels(12, 1), {-4, 0, 4}, {});
  const FaradayProblem problem{in.q.info(), in.q.info(), axes};
  if (!why_no_faraday_gemm(problem).empty()) GTEST_SKIP() << why_no_faraday_gemm(problem);
  if (!cblas().threads) GTEST_SKIP() << "the library is not OpenBLAS";
  const FaradaySynth plan(in.q.info(), axes, {.backend = Backend::cpu, .method = "gemm"});
  Image real(plan.output()), imaginary(plan.output());
  const int before = cblas().threads();
  for (const int threads : {2, 1}) {
    cblas().set_threads(threads);
    const int given = cblas().threads();
    plan(in.q.view(), in.u.view(), real.view(), imaginary.view());
    EXPECT_EQ(cblas().threads(), given);
  }
  cblas().set_threads(before);
}

// No machine has the memory for such phases: without this their number would be a negative one.
TEST(FaradayGemm, SaysWhatCublasCannotCount) {
  constexpr long long kMost = std::numeric_limits<int>::max();
  EXPECT_EQ(why_no_faraday_product(401, 300), "");
  EXPECT_EQ(why_no_faraday_product(kMost / 2, kMost / 2), "");
  EXPECT_NE(why_no_faraday_product(kMost / 2 + 1, 2).find("2147483648x4 numbers"),
            std::string::npos);
  EXPECT_NE(why_no_faraday_product(3, kMost / 2 + 1), "");
}

}  // namespace
}  // namespace tessera
