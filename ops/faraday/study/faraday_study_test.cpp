// SPDX-License-Identifier: Apache-2.0
#include "ops/faraday/study/faraday_study.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "study/study_loops.hpp"
#include "tests/support/files.hpp"
#include "tests/support/on_cuda.hpp"
#include "tests/support/study_rows.hpp"
#include "tests/support/study_runs.hpp"
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
  testing::expect_lazy_found(faraday_cpu_rungs(), problem, stream);
  for (const FaradayRung& rung : faraday_cpu_rungs()) {
    PreparedRung prepared = prepare_rung(rung, problem, stream);
    if (!prepared.absent.empty()) continue;
    const bool wide = rung.id.ends_with("double");
    const FaradayRoom& room =
        problem.room(wide ? Type::f64 : Type::f32,
                     rung.id.starts_with("cpu.naive") ||
                             (rung.id.starts_with("cpu.blas") && !has(rung.id, "stacked"))
                         ? FaradayForm::pixels
                         : FaradayForm::planes,
                     false, stream);
    const auto run = prepared.run;
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
  for (const PublishedFigure& figure : published_figures("faraday"))
    EXPECT_TRUE(figure.rung == "-" || rung_named(figure.rung).id == figure.rung);
  EXPECT_EQ(
      published_value(published_figures("faraday"), "cpu.blas.rows.double", 0, 0, "hand_over_blas"),
      2.2);
  EXPECT_EQ(
      published_value(published_figures("faraday"), "gpu.blas.rows.double", 0, 0, "hand_over_blas"),
      1.4);
}

TEST(FaradayStudy, RungsByHandHaveLinesOfCode) {
  testing::expect_code_lines(
      faraday_cuda_rungs(), faraday_cpu_rungs(), 5, 3000,
      [](const std::string& rung) { return rung.starts_with("gpu.ours.host"); });  // any method
}

TEST(FaradayStudy, BadOptionsAreRefused) {
  testing::expect_refused(run_faraday_study, {0, 7, 1025}, "cpu.nave", "cpu.naive");
}

TEST(FaradayStudy, WithoutADeviceTheCpuRuns) {
  if (!this_machine().devices.empty()) GTEST_SKIP() << "there is a device";
  const StudyResult result =
      testing::run_without_device(run_faraday_study, {.side = 8}, &StudyRow::gflops);
  const std::string text = result.describe();
  EXPECT_FALSE(has(text, "gpu.naive")) << text;
  EXPECT_TRUE(has(text, "CPU: best by hand over CBLAS, for each y")) << text;
  EXPECT_TRUE(has(text, " 2.2 RM synth")) << "the talk names no device" << text;
  testing::expect_all_shown("faraday", text, false);
  EXPECT_TRUE(has(result.verdict, "On the CPU cpu.")) << result.verdict;
}

TEST(FaradayStudy, RatiosAreOfTheBestOfTheirKind) {
  StudyResult result{.study = "faraday", .device = "some GPU"};
  result.rows = timed_rows("", {{"cpu.naive.double", 100},      {"cpu.threads.double", 30},
                                {"cpu.blas.rows.double", 20},   {"cpu.blas.double", 10},
                                {"cpu.blas.stacked.double", 5}, {"cpu.ours.nufft.double", 2.5},
                                {"gpu.naive.double", 9},        {"gpu.tiled.double", 3},
                                {"gpu.blas.rows.double", 6},    {"gpu.blas.complex.double", 4},
                                {"gpu.blas.double", 2},         {"gpu.rows.stream.double", 10},
                                {"gpu.rows.streams.double", 5}, {"gpu.stream.double", 8},
                                {"gpu.streams.double", 4},      {"gpu.ours.nufft.double", 0.5},
                                {"gpu.ours.host.double", 0.1},  {"gpu.blas.rows.single", 12},
                                {"gpu.blas.single", 4},         {"cpu.blas.single", 1}});
  const FaradayTransfers transfers{{"gpu.stream.double", {2, 4, 1}},
                                   {"gpu.rows.stream.double", {2, 8, 2}},
                                   {"gpu.stream.single", {9, 1, 9}}};
  testing::expect_ratios(faraday_ratios(result, Type::f64, transfers),
                         {{"CPU: best by hand over CBLAS, for each y", 1.5},
                          {"CPU: CBLAS, for each y over one product", 2},
                          {"CPU: CBLAS, one complex product over a real one", 2},
                          {"GPU: best by hand over cuBLAS, for each y", 0.5},
                          {"GPU: cuBLAS, for each y over one product", 1.5},
                          {"GPU: cuBLAS, one complex product over a real one", 2},
                          {"GPU: copies over compute, for each y", 0.5},
                          {"GPU: copies over compute, one real product", 0.75},
                          {"GPU: one stream over four, for each y", 2},
                          {"GPU: one stream over four, one real product", 2},
                          {"CPU over GPU with copies both ways, the talk's programs", 4},
                          {"GPU: double over single, cuBLAS, for each y", 0.5},
                          {"CPU: four loops (the talk's GSL) over CBLAS, for each y", 5},
                          {"CPU: CBLAS over ours", 2},
                          {"GPU: cuBLAS over ours", 4}});
  EXPECT_FALSE(testing::ratio_named(faraday_ratios(result, Type::f32, {}),
                                    "CPU: best by hand over CBLAS, for each y"));
  EXPECT_TRUE(has(faraday_verdict(result),
                  "On the CPU cpu.blas.single is fastest: 1 ms; on the GPU gpu.ours.host.double is "
                  "fastest: 0.1 ms, 20 times as fast as BLAS (2 ms)."))
      << faraday_verdict(result);
  EXPECT_TRUE(has(faraday_verdict({}), "nothing to compare"));
}

using FaradayStudyOnCuda = testing::OnCuda;

TEST_F(FaradayStudyOnCuda, EveryRungIsRight) {
  Stream stream(0);
  for (const auto& [side, channels, depths] :
       {std::tuple{8, 300, 401}, {15, 33, 20}, {41, 17, 130}})
    EXPECT_GE(expect_right(faraday_cuda_rungs(), {side, &stream, channels, depths}, stream), 4);
}

TEST_F(FaradayStudyOnCuda, WrongRungsAreFound) {
  Stream stream(0);
  testing::expect_lazy_found(faraday_cuda_rungs(), FaradayCase(16, &stream, 30, 21), stream);
}

TEST_F(FaradayStudyOnCuda, TheStudyShowsTransfers) {
  const StudyResult result = run_faraday_study({.side = 64}, {});
  for (const StudyRow& row : result.rows)
    EXPECT_TRUE(!row.absent.empty() || row.ms.value_or(0) > 0) << row.rung;
  for (const StudyRow& row : result.rows)
    EXPECT_EQ(row.copies.value_or(0) > 0, row.absent.empty() && has(row.rung, ".stream."))
        << row.rung;
  EXPECT_TRUE(has(result.describe(), "gpu.tiled.double")) << result.describe();
}

}  // namespace
}  // namespace tessera
