// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "core/machine.hpp"
#include "ops/enhance/cuda/enhance_tuned.hpp"
#include "ops/enhance/tune/enhance_tunables.hpp"
#include "tests/support/files.hpp"
#include "tests/support/own_cache.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/text_has.hpp"
#include "tune/found_tables.hpp"
#include "tune/table_file.hpp"
#include "tune/tuner.hpp"

namespace tessera {
namespace {

TuneRequest request_of(Backend backend, const char* sizes, Type type) {
  TuneRequest request;
  request.backend = backend;
  request.sizes = sizes;
  request.type = type;
  return request;
}

TEST(EnhanceTune, TasksAreOfTheMethodsThatTakeTheType) {
  const auto sites = [](Type type) {
    std::multiset<std::string> all;
    for (const TuneTask& task : enhance_tasks(request_of(Backend::cpu, "64", type))) {
      EXPECT_NE(find_site(task.site), nullptr) << task.site;
      all.insert(task.site);
    }
    return all;
  };
  EXPECT_EQ(sites(Type::u8).count(kEnhanceFusedCpuSite), 5U);
  EXPECT_EQ(sites(Type::u16).count(kEnhanceStepsCpuSite), 5U);
  EXPECT_EQ(sites(Type::f32).count(kEnhanceFusedCpuSite), 0U) << "floats go step by step";
  EXPECT_EQ(sites(Type::f32).count(kEnhanceStepsCpuSite), 4U) << "and have no histogram";
}

TEST(EnhanceTune, AResultThatWasNotMadeIsFoundAndOneThatWasIsRight) {
  for (const Type type : {Type::u8, Type::f32})
    for (const TuneTask& task : enhance_tasks(request_of(Backend::cpu, "100", type))) {
      const ScopedKnobs forced(task.site, task.candidates.back());
      const Trial trial = task.prepare();
      EXPECT_NE(trial.wrong(), "") << task.label;
      trial.enqueue();
      trial.finish();
      EXPECT_EQ(trial.wrong(), "") << task.label;
    }
}

TEST(EnhanceTune, AGpuHasKnobsForBytesAlone) {
  testing::expect_error([] { enhance_tuned_kernels(request_of(Backend::cuda, "1024", Type::f32)); },
                        ErrorKind::usage, "give type u8");
  for (const char* sizes : {"63", "big", "1024,", "1024x1024"})
    testing::expect_error([&] { enhance_tasks(request_of(Backend::cpu, sizes, Type::u8)); },
                          ErrorKind::usage, "tune: sizes");
}

TEST(EnhanceTune, KernelsCompileForADeviceThatIsAbsent) {
  const auto names = enhance_tuned_kernels(request_of(Backend::cuda, "1024", Type::u8));
  std::set<std::string> units;
  for (const KernelName& name : names) {
    EXPECT_NE(name.body, "");
    units.insert(name.unit);
  }
  EXPECT_EQ(units, (std::set<std::string>{"enhance_grey", "enhance_smooth_packed"}));
  if (!run_time_compiler_found()) GTEST_SKIP() << "NVRTC is not found";
  const testing::OwnCache cache;
  std::set<std::string> compiled;
  for (const KernelName& name : names) {
    if (!compiled.insert(name.unit).second) continue;
    EXPECT_TRUE(compile_kernel(name, "sm_90")) << name.body;
  }
}

void tune_one_side(Backend backend, const char* site) {
  const testing::OwnCache cache;
  TuneSettings settings;
  settings.operation = "enhance";
  settings.backend = backend;
  settings.sizes = backend == Backend::cuda ? "1024" : "128";
  settings.type = Type::u8;
  settings.again = true;
  settings.output = cache.path("made.tsv");
  const TuneReport report = tune(settings, {});
  EXPECT_EQ(report.wrong + report.failed, 0) << report.describe();
  EXPECT_EQ(report.measured, report.tasks) << report.describe();
  bool found = false;
  for (const TuningLine& line : read_table(settings.output)) found |= line.site == site;
  EXPECT_TRUE(found) << site;
}

TEST(EnhanceTune, MakesATableOnTheCpu) { tune_one_side(Backend::cpu, kEnhanceFusedCpuSite); }

TEST(EnhanceTune, MakesATableOnDevice) {
  if (testing::run_small()) GTEST_SKIP() << "it times kernels that other cases run";
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  tune_one_side(Backend::cuda, kEnhanceSmoothSite);
}

}  // namespace
}  // namespace tessera
