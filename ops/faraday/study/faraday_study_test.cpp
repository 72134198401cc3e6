// SPDX-License-Identifier: Apache-2.0
#include "ops/faraday/study/faraday_study.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "study/code_lines.hpp"
#include "study/study_loops.hpp"
#include "tests/support/files.hpp"
#include "tests/support/study_rows.hpp"
#include "tests/support/text_has.hpp"

namespace tessera {
namespace {

using testing::expect_error;
using testing::expect_right;
using testing::has;
using testing::timed_rows;

const FaradayRung& rung_named(const std::string& id) {
  return testing::rung_named(id, faraday_cuda_rungs(), faraday_cpu_rungs());
}

TEST(FaradayStudy, CpuRungsAreRight) {
  Stream stream;
  for (const auto& [side, channels, depths] : {std::tuple{8, 300, 401}, {15, 33, 20}, {20, 7, 65}})
    EXPECT_GE(expect_right(faraday_cpu_rungs(), {side, nullptr, channels, depths}, stream), 6);
}

TEST(FaradayStudy, WrongRungsAreFound) {
  Stream stream;
  const FaradayCase problem(16, nullptr, 30, 21);
  for (const FaradayRung& rung : faraday_cpu_rungs()) {
    PreparedRung prepared = prepare_rung(rung, problem, stream);
    if (!prepared.absent.empty()) continue;
    const bool wide = rung.id.ends_with("double");
    const FaradayRoom& room = problem.room(
        wide ? Type::f64 : Type::f32,
        rung.id.starts_with("cpu.naive") || rung.id.starts_with("cpu.blas") ? FaradayForm::pixels
                                                                            : FaradayForm::planes,
        false, stream);
    const auto run = prepared.run;
    prepared.run = [](Stream&) {};
    EXPECT_THROW(test_rung(rung, prepared, problem, stream), Error) << rung.id << " does nothing";
    prepared.run = [&](Stream& on) {
      run(on);
      if (wide)
        room.imaginary.as<double>().at(14, 7, 0, 20) += 1e-11;
      else
        room.imaginary.as<float>().at(14, 7, 0, 20) += 1e-4F;
    };
    EXPECT_THROW(test_rung(rung, prepared, problem, stream), Error) << rung.id << " is a bit wrong";
    prepared.run = [&](Stream& on) {
      run(on);
      const float none = std::nanf("");
      wide ? void(room.real.as<double>().at(15, 13, 0, 20) = double{none})
           : void(room.real.as<float>().at(15, 13, 0, 20) = none);
    };
    expect_error([&] { test_rung(rung, prepared, problem, stream); }, ErrorKind::failure, "is nan");
  }
}

TEST(FaradayStudy, PublishedFiguresAreOfRungsThereAre) {
  ASSERT_EQ(faraday_published().size(), 4u);
  for (const PublishedFigure& figure : faraday_published())
    EXPECT_TRUE(figure.rung == "-" || rung_named(figure.rung).id == figure.rung);
  EXPECT_EQ(published_value(faraday_published(), "cpu.blas.double", 0, 0, "hand_over_blas"), 2.2);
  EXPECT_EQ(published_value(faraday_published(), "gpu.blas.double", 0, 0, "hand_over_blas"), 1.4);
}

TEST(FaradayStudy, RungsByHandHaveLinesOfCode) {
  for (const auto* rungs : {&faraday_cuda_rungs(), &faraday_cpu_rungs()})
    for (const FaradayRung& rung : *rungs) {
      if (rung.id.starts_with("gpu.ours.host")) continue;  // any of the methods
      EXPECT_GT(code_lines_of(rung.files), 5) << rung.id;
      EXPECT_LT(code_lines_of(rung.files), 3000) << rung.id;
    }
}

TEST(FaradayStudy, BadOptionsAreRefused) {
  expect_error([] { run_faraday_study({.sizes = "3-7"}, {}); }, ErrorKind::usage, "--sizes");
  expect_error([] { run_faraday_study({.search = 1}, {}); }, ErrorKind::usage, "--search");
  for (const int side : {0, 7, 1025})
    expect_error([&] { run_faraday_study({.side = side}, {}); }, ErrorKind::usage, "--side");
  expect_error([] { run_faraday_study({.rungs = "cpu.nave"}, {}); }, ErrorKind::usage,
               "did you mean cpu.naive");
}

TEST(FaradayStudy, WithoutADeviceTheCpuRuns) {
  if (!this_machine().devices.empty()) GTEST_SKIP() << "there is a device";
  expect_error([] { run_faraday_study({.side = 8, .backend = Backend::cuda}, {}); },
               ErrorKind::resources, "its rungs need a GPU, and there is none");
  long long told = 0;
  const StudyResult result =
      run_faraday_study({.side = 8}, [&](long long done, long long) { told += done >= 0; });
  EXPECT_EQ(told, std::ssize(result.rows));
  for (const StudyRow& row : result.rows) {
    EXPECT_TRUE(row.ms || !row.absent.empty()) << row.rung;
    EXPECT_EQ(row.gflops.value_or(0) > 0, row.ms.has_value()) << row.rung;
  }
  const std::string text = result.describe();
  EXPECT_TRUE(has(text, "CUDA rungs are absent: no GPU")) << text;
  EXPECT_FALSE(has(text, "gpu.naive")) << text;
  EXPECT_TRUE(has(text, "CPU: best by hand over CBLAS")) << text;
  EXPECT_TRUE(has(text, "2.2 i7-3770K")) << text;
  EXPECT_TRUE(has(result.verdict, "On the CPU cpu.")) << result.verdict;
}

TEST(FaradayStudy, RatiosAreOfTheBestOfTheirKind) {
  StudyResult result{.study = "faraday", .device = "some GPU"};
  result.rows = timed_rows("", {{"cpu.naive.double", 100},
                                {"cpu.threads.double", 30},
                                {"cpu.blas.double", 10},
                                {"cpu.ours.nufft.double", 5},
                                {"gpu.naive.double", 9},
                                {"gpu.tiled.double", 3},
                                {"gpu.blas.double", 2},
                                {"gpu.stream.double", 8},
                                {"gpu.streams.double", 4},
                                {"gpu.ours.nufft.double", 0.5},
                                {"gpu.ours.host.double", 0.1},
                                {"cpu.blas.single", 1}});
  const FaradayRatios r = faraday_ratios(result, Type::f64, FaradayTransfer{2, 4, 1});
  EXPECT_EQ(r.hand_over_blas, 3);
  EXPECT_EQ(r.hand_over_cublas, 1.5);
  EXPECT_EQ(r.copies_over_compute, 0.75);
  EXPECT_EQ(r.one_over_several, 2);
  EXPECT_EQ(r.cpu_over_gpu, 2.5);
  EXPECT_EQ(r.ours_over_blas_cpu, 2);
  EXPECT_EQ(r.ours_over_blas_gpu, 4);
  EXPECT_FALSE(faraday_ratios(result, Type::f32, {}).hand_over_blas);
  EXPECT_TRUE(has(faraday_verdict(result),
                  "On the CPU cpu.blas.single is fastest: 1 ms; on the GPU gpu.ours.host.double is "
                  "fastest: 0.1 ms, 20 times as fast as BLAS (2 ms)."))
      << faraday_verdict(result);
  EXPECT_TRUE(has(faraday_verdict({}), "nothing to compare"));
}

class FaradayStudyOnCuda : public ::testing::Test {
 protected:
  void SetUp() override {
    if (this_machine().devices.empty())
      GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  }
};

TEST_F(FaradayStudyOnCuda, EveryRungIsRight) {
  Stream stream(0);
  for (const auto& [side, channels, depths] :
       {std::tuple{8, 300, 401}, {15, 33, 20}, {41, 17, 130}})
    EXPECT_GE(expect_right(faraday_cuda_rungs(), {side, &stream, channels, depths}, stream), 4);
}

TEST_F(FaradayStudyOnCuda, WrongRungsAreFound) {
  Stream stream(0);
  const FaradayCase problem(16, &stream, 30, 21);
  for (const FaradayRung& rung : faraday_cuda_rungs()) {
    PreparedRung lazy = prepare_rung(rung, problem, stream);
    if (!lazy.absent.empty()) continue;
    lazy.run = [](Stream&) {};
    EXPECT_THROW(test_rung(rung, lazy, problem, stream), Error) << rung.id;
  }
}

TEST_F(FaradayStudyOnCuda, TheStudyShowsTransfers) {
  const StudyResult result = run_faraday_study({.side = 64}, {});
  for (const StudyRow& row : result.rows)
    EXPECT_TRUE(!row.absent.empty() || row.ms.value_or(0) > 0) << row.rung;
  for (const StudyRow& row : result.rows)
    EXPECT_EQ(row.copies.value_or(0) > 0, row.absent.empty() && row.rung.starts_with("gpu.stream."))
        << row.rung;
  EXPECT_TRUE(has(result.describe(), "gpu.tiled.double")) << result.describe();
}

}  // namespace
}  // namespace tessera
