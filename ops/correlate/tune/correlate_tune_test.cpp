// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "core/machine.hpp"
#include "ops/correlate/correlate_problem.hpp"
#include "ops/correlate/cuda/correlate_direct_tiles.hpp"
#include "ops/correlate/cuda/correlate_fft_sizes.hpp"
#include "ops/correlate/tune/correlate_tunables.hpp"
#include "tests/support/files.hpp"
#include "tests/support/own_cache.hpp"
#include "tests/support/poison.hpp"
#include "tune/found_tables.hpp"
#include "tune/table_file.hpp"
#include "tune/tuner.hpp"

namespace tessera {
namespace {

TuneRequest on_device(const char* sizes) {
  TuneRequest request;
  request.backend = Backend::cuda;
  request.sizes = sizes;
  return request;
}

CorrelateProblem problem_of(int side, int shifts) {
  CorrelateProblem p;
  p.image = {{side, side}, Type::f32};
  p.planes = 1;
  p.sums = parse_sums("all", 1);
  p.shifts_x = p.shifts_y = shifts;
  return p;
}

TEST(CorrelateTune, TheCpuHasNoKnobs) {
  TuneRequest request = on_device("all");
  request.backend = Backend::cpu;
  testing::expect_error([&] { correlate_tasks(request); }, ErrorKind::usage, "no knobs on the CPU");
}

TEST(CorrelateTune, BadSizesAreOneSentence) {
  for (const char* sizes : {"500", "500/501", "0/1", "big", "500/250,", "9000/10"})
    testing::expect_error([&] { correlate_tuned_kernels(on_device(sizes)); }, ErrorKind::usage,
                          "tune: sizes");
}

TEST(CorrelateTune, SitesKnowTheirKnobs) {
  for (const char* site : {kCorrelateDirectSite, kCorrelateFftSite}) {
    ASSERT_NE(find_site(site), nullptr) << site;
    std::string problem;
    const std::string knob = find_site(site)->knobs[0].name;
    EXPECT_EQ(fitting_lines({{"m", site, {}, {{{knob, 1}}}, ""}}, "made", {"m"}, problem).size(),
              1U);
    testing::expect_error(
        [&] {
          fitting_lines({{"m", site, {}, {{{knob, 99}}}, ""}}, "made", {"m"}, problem);
        },
        ErrorKind::input, "99");
  }
}

TEST(CorrelateTune, KnobsThatDoNotFitAreReduced) {
  const CorrelateProblem p = problem_of(1024, 64);
  const Knobs large{{{"warps_x", 4}, {"warps_y", 4}}};
  EXPECT_EQ(with_table(p, large, 227 << 10).warps_x, 4);
  EXPECT_EQ(with_table(p, large, 100 << 10).warps_x, 2) << "162 KB do not fit: the usual ones";
  const CorrelateFftSizes odd(p, {{{"rows", 7}, {"columns", 8}}}, 227 << 10);
  EXPECT_EQ(odd.knobs.rows, 4) << "a power of two";
  EXPECT_LE(correlate_powers_bytes(odd.down, odd.knobs.columns), 227 << 10);
  EXPECT_LT(odd.knobs.columns, 8);
}

// Without a GPU: what the search would compile, each kernel once per candidate, and one of each
// method through the compiler.
TEST(CorrelateTune, KernelsCompileForADeviceThatIsAbsent) {
  const auto names = correlate_tuned_kernels(on_device("1024/64,512/32"));
  std::set<std::string> units;
  for (const KernelName& name : names) {
    EXPECT_NE(name.body, "");
    units.insert(name.unit);
  }
  EXPECT_EQ(units, (std::set<std::string>{"correlate_direct", "correlate_fft"}));
  if (!run_time_compiler_found()) GTEST_SKIP() << "NVRTC is not found";
  const testing::OwnCache cache;
  EXPECT_TRUE(compile_kernel(names.front(), "sm_90")) << names.front().body;
  EXPECT_TRUE(compile_kernel(names.back(), "sm_90")) << names.back().body;
}

TEST(CorrelateTune, MakesATableOnDevice) {
  if (testing::run_small()) GTEST_SKIP() << "it times kernels that other cases run";
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  const testing::OwnCache cache;
  TuneSettings settings;
  settings.operation = "correlate";
  settings.backend = Backend::cuda;
  settings.sizes = "256/40";
  settings.again = true;
  settings.output = cache.path("made.tsv");
  const TuneReport report = tune(settings, {});
  EXPECT_EQ(report.wrong + report.failed, 0) << report.describe();
  EXPECT_EQ(report.measured, 2) << report.describe();
  std::string problem;
  const auto lines = read_table(settings.output);
  EXPECT_EQ(
      fitting_lines(lines, "made", {table_name(this_machine().devices[0].name)}, problem).size(),
      2U)
      << problem;
  // The key is that of a plan: its knobs are found.
  for (const TuneTask& task : correlate_tasks(on_device("256/40"))) {
    const Trial trial = task.prepare();
    EXPECT_NE(trial.wrong(), "") << "nothing was written yet";
    trial.enqueue();
    trial.finish();
    EXPECT_EQ(trial.wrong(), "") << task.label;
    const bool direct = task.site == kCorrelateDirectSite;
    EXPECT_EQ(line_text({"m", "s", task.problem, {}, ""}),
              line_text({"m", "s", problem_key(problem_of(256, 40)), {}, ""}))
        << direct;
  }
}

}  // namespace
}  // namespace tessera
