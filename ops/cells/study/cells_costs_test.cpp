// SPDX-License-Identifier: Apache-2.0
// Changes of the programs for the CPU, and what the study measures besides rungs.
#include "ops/cells/study/cells_costs.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ops/cells/study/cells_study.hpp"
#include "ops/cells/study/track_args.cuh"
#include "tests/support/on_cuda.hpp"
#include "tests/support/study_rows.hpp"
#include "tests/support/study_runs.hpp"

namespace tessera {
namespace {

const CellsCase& costs_case() {
  static const CellsCase made(made_film(170, 160, 0, 160, 2, 60));
  return made;
}

TEST(CellsCosts, ScoresAreTheSameInOnePassAndByColumns) {
  const CellsCase& c = costs_case();
  const int width = c.width(), height = c.crop_height();
  std::vector<double> x(c.cropped().size()), y(x.size());
  plain_gradient(c.cropped().data(), width, height, x.data(), y.data());
  const std::vector<double> x_columns = by_columns(x, width, height);
  const std::vector<double> y_columns = by_columns(y, width, height);
  EXPECT_EQ(x_columns[1], x[width]) << "the second row of the first column";
  std::vector<double> plain(width), one_pass(width), columns(width);
  for (const int row : {0, 22, 80, 137, 138}) {
    plain_gicov_row(x.data(), y.data(), width, height, row, plain.data());
    one_pass_gicov_row(x.data(), y.data(), width, height, row, one_pass.data());
    column_gicov_row(x_columns.data(), y_columns.data(), width, height, row, columns.data());
    EXPECT_EQ(columns, plain) << row;
    for (int k = 0; k < width; ++k) EXPECT_NEAR(one_pass[k], plain[k], 1e-10) << row << " " << k;
    EXPECT_EQ(plain[80] != 0, row >= 22 && row < 138) << row;
  }
}

TEST(CellsCosts, OneLoopPerHeavisideCallTakesTheSameSteps) {
  const CellsCase& c = costs_case();
  const TrackedFrame frame = c.next_frame();
  const StudyWindow window = whole_window(frame, frame.cells[0]);
  std::vector<double> edges(kFieldSamples), right(kFieldSamples), made(kFieldSamples);
  plain_edges(frame.samples, frame.width, window, edges.data());
  const int steps = plain_mgvf(edges.data(), window.width, window.height, right.data());
  EXPECT_EQ(mgvf_by_heaviside(edges.data(), window.width, window.height, made.data(), 2), steps);
  EXPECT_EQ(made, right);
}

TEST(CellsCosts, PartsOfTheCProgramAreWithinAllOfIt) {
  const PartSeconds detection = timed_detection(costs_case());
  EXPECT_GT(detection.scores, 0);
  EXPECT_GT(detection.dilation, 0);
  EXPECT_LE(detection.scores + detection.dilation, detection.all);
  const PartSeconds tracking = timed_tracking(costs_case());
  EXPECT_GT(tracking.solver, 0);
  EXPECT_LE(tracking.solver, tracking.all);
  EXPECT_EQ(tracking.scores, 0);
  EXPECT_NEAR(*part_percent(PartSeconds{.scores = 3, .all = 4}, &PartSeconds::scores), 75, 1e-12);
  EXPECT_FALSE(part_percent(std::nullopt, &PartSeconds::scores));
}

CellsCosts some_costs() {
  CellsCosts costs;
  costs.detection = PartSeconds{.scores = 6, .dilation = 3, .all = 10};
  costs.tracking = PartSeconds{.solver = 99, .all = 100};
  costs.calls = DeviceCalls{.launch = 2e-6,
                            .launch_waited = 5e-6,
                            .driver_allocate = 35e-6,
                            .driver_release = 40e-6,
                            .pool_allocate = 1e-6,
                            .pool_release = 1e-6,
                            .host_allocate = 1e-6,
                            .host_release = 0.5e-6,
                            .copies = {{4, 8e-6, 9e-6}, {4096, 8e-6, 10e-6}, {65536, 9e-6, 12e-6}}};
  costs.launch_waits = {{"track.heaviside", 10e-6}, {"track.one-kernel", 4e-6}};
  return costs;
}

TEST(CellsCosts, TheyStandBesideThePapers) {
  StudyResult result{.study = "cells"};
  result.rows = testing::timed_rows("", {{"detect.plain", 400},
                                         {"detect.one-pass", 10},
                                         {"track.plain", 1000},
                                         {"track.openmp", 200},
                                         {"track.heaviside", 3000},
                                         {"track.larger", 500},
                                         {"track.larger.pool", 50},
                                         {"track.one-kernel", 40},
                                         {"track.one-kernel.fence", 16}});
  const std::vector<ComparedFigure> lines = cells_compared(result, true, some_costs());
  const auto here = [&](const char* what) { return testing::ratio_named(lines, what); };
  EXPECT_EQ(here("detect.plain: share of the scores, %"), 60);
  EXPECT_EQ(here("detect.plain: share of the dilation, %"), 30);
  EXPECT_EQ(here("track.plain: share of the solver, %"), 99);
  const char* const launching = ": of the wait for kernels, share of launching them, %";
  EXPECT_EQ(here((std::string("track.heaviside") + launching).c_str()), 50);
  EXPECT_EQ(here((std::string("track.one-kernel") + launching).c_str()), 100) << "not more";
  EXPECT_FALSE(here((std::string("detect.one-pass") + launching).c_str()));
  EXPECT_NEAR(*here("time of cudaMalloc over malloc"), 35, 1e-9);
  EXPECT_NEAR(*here("time of cudaFree over free"), 80, 1e-9);
  EXPECT_EQ(here("size up to which a copy takes the same time, within a quarter, kB"), 4);
  EXPECT_EQ(here("track.larger: over OpenMP with cheap allocation (here: from a pool)"), 4);
  EXPECT_EQ(here("track.one-kernel: gain of a fence for all blocks"), 2.5);
  EXPECT_NEAR(*here("cuMemAlloc, us"), 35, 1e-9);
  EXPECT_NEAR(*here("copy of 65536 bytes to the host, us"), 12, 1e-9);
  EXPECT_TRUE(call_figures({}).empty());
  EXPECT_EQ(constant_copy_bytes({}), 0U);
}

using CellsCostsOnCuda = testing::OnCuda;

TEST_F(CellsCostsOnCuda, CallsOfTheDeviceTakeTime) {
  const DeviceCalls& calls = measure_device_calls(0);
  EXPECT_GT(calls.launch, 0);
  EXPECT_GT(calls.launch_waited, calls.launch);
  EXPECT_GT(calls.driver_allocate, calls.host_allocate);
  EXPECT_GT(calls.pool_allocate, 0);
  ASSERT_EQ(calls.copies.size(), 6U);
  for (const SmallCopy& copy : calls.copies) {
    EXPECT_GT(copy.up, 0) << copy.bytes;
    EXPECT_GT(copy.down, 0) << copy.bytes;
  }
  EXPECT_GE(constant_copy_bytes(calls), 4U);
}

}  // namespace
}  // namespace tessera
