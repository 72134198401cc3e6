// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>
#include <string>

#include "core/machine.hpp"
#include "ops/morphology/cuda/morphology_args.cuh"
#include "ops/morphology/tune/morphology_tunables.hpp"
#include "tessera/elements.hpp"
#include "tessera/morphology.hpp"
#include "tests/support/files.hpp"
#include "tests/support/on_cuda.hpp"
#include "tests/support/own_cache.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/text_has.hpp"
#include "tune/found_tables.hpp"
#include "tune/knob_values.hpp"
#include "tune/table_file.hpp"
#include "tune/tuner.hpp"

namespace tessera {
namespace {

TuneRequest request_of(Backend backend, const char* sizes, Type type = Type::f32) {
  TuneRequest request;
  request.backend = backend;
  request.sizes = sizes;
  request.type = type;
  return request;
}

TEST(MorphologyTune, TasksHaveSitesAndCandidatesThatTablesAllow) {
  for (const Type type : {Type::u8, Type::f32, Type::f64}) {
    std::set<std::string> keys;
    std::vector<TuningLine> lines;
    for (const TuneTask& task : morphology_tasks(request_of(Backend::cpu, "all", type))) {
      EXPECT_NE(find_site(task.site), nullptr) << task.site;
      EXPECT_LE(task.candidates.size(), 5U);
      EXPECT_GE(task.candidates.size(), 2U);
      EXPECT_EQ(task.time_site, "") << "auto asks no table";
      for (const Knobs& knobs : task.candidates)
        lines.push_back({task.machine, task.site, task.problem, knobs, ""});
      keys.insert(line_text({task.machine, task.site, task.problem, {}, ""}));
    }
    EXPECT_EQ(keys.size(), 7U) << "an element that another one hides";
    std::string problem;
    EXPECT_EQ(fitting_lines(lines, "made", {cpu_table_name()}, problem).size(), lines.size())
        << problem;
  }
}

TEST(MorphologyTune, AnElementOfTheSizeOfAnotherIsNotMeasuredAgain) {
  const auto tasks = morphology_tasks(request_of(Backend::cpu, "disk:2,box:5x5,box:3x3"));
  ASSERT_EQ(tasks.size(), 2U) << "a line of the table has no place for the shape";
  EXPECT_NE(tasks[0].label.find("disk:2"), std::string::npos) << tasks[0].label;
}

/// Two threads while it lives: with many of them all candidates may have the usual rows per piece.
class TwoThreads {
 public:
  TwoThreads() {
    if (const char* before = std::getenv(kName)) before_ = before;
    setenv(kName, "2", 1);
  }
  TwoThreads(const TwoThreads&) = delete;
  TwoThreads& operator=(const TwoThreads&) = delete;
  ~TwoThreads() {
    if (before_)
      setenv(kName, before_->c_str(), 1);
    else
      unsetenv(kName);
  }

 private:
  static constexpr const char* kName = "OMP_NUM_THREADS";
  std::optional<std::string> before_;
};

// The first candidate is what a plan has without a table, so its gain is 1.
TEST(MorphologyTune, TheFirstCandidateIsTheUsualOne) {
  const TwoThreads threads;
  for (TuneTask& task : morphology_tasks(request_of(Backend::cpu, "box:5x5,disk:9"))) {
    const auto describe = [&](const Knobs& knobs) {
      const ScopedKnobs forced(task.site, knobs);
      const bool box = task.label.find("box") != std::string::npos;
      const Image element = box ? box_element(5, 5) : disk_element(9);
      return Morphology(MorphologyKind::erode, {{2048, 1024}, Type::f32}, element.view(),
                        {.backend = Backend::cpu, .method = box ? "separable" : "direct"})
          .describe();
    };
    EXPECT_EQ(describe({}), describe(task.candidates[0])) << task.label;
    EXPECT_NE(describe({}), describe(task.candidates[1])) << task.label;
  }
}

TEST(MorphologyTune, AResultThatWasNotMadeIsFound) {
  const auto tasks = morphology_tasks(request_of(Backend::cpu, "box:3x3,disk:2", Type::u8));
  ASSERT_EQ(tasks.size(), 2U);
  for (const TuneTask& task : tasks) {
    const Trial trial = task.prepare();
    EXPECT_NE(trial.wrong(), "");
    trial.enqueue();
    trial.finish();
    EXPECT_EQ(trial.wrong(), "");
  }
}

TEST(MorphologyTune, BadSizesAreOneSentence) {
  for (const char* sizes : {"box", "7x7", "", "box:3x3,,disk:2"})
    testing::expect_error([&] { morphology_tasks(request_of(Backend::cpu, sizes)); },
                          ErrorKind::usage, "sizes");
}

void tune_two_elements(Backend backend, const char* sizes, const char* site) {
  const testing::OwnCache cache;
  TuneSettings settings;
  settings.operation = "morphology";
  settings.backend = backend;
  settings.sizes = sizes;
  settings.again = true;
  settings.output = cache.path("made.tsv");
  const TuneReport report = tune(settings, {});
  EXPECT_EQ(report.wrong + report.failed, 0) << report.describe();
  EXPECT_EQ(report.measured, 2) << report.describe();
  const auto lines = read_table(settings.output);
  ASSERT_GE(lines.size(), 1U);
  EXPECT_EQ(lines[0].site, site);
  EXPECT_TRUE(testing::has(lines[0].measured, "gain=")) << lines[0].measured;
}

TEST(MorphologyTune, MakesATableOnTheCpu) {
  tune_two_elements(Backend::cpu, "box:7x7,disk:2", "morphology.cpu@1");
}

TEST(MorphologyTune, MakesATableOnDevice) {
  if (testing::run_small()) GTEST_SKIP() << "it times kernels that other cases run";
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  tune_two_elements(Backend::cuda, "box:95x95,disk:40", "morphology_separable@1");
}

// Without a GPU: every candidate's kernel has a tile that fits, and compiles.
TEST(MorphologyTune, KernelsCompileForADeviceThatIsAbsent) {
  for (const auto& [type, elements] : {std::pair{Type::f32, 2U}, {Type::f64, 9U}}) {
    const auto names = morphology_tuned_kernels(request_of(Backend::cuda, "all", type));
    EXPECT_EQ(names.size(), elements * 4) << "five candidates, one of them compiled ahead of time";
    for (const KernelName& name : names) EXPECT_NE(name.body, "") << name.unit;
  }
  if (!run_time_compiler_found()) GTEST_SKIP() << "NVRTC is not found";
  const testing::OwnCache cache;
  for (const char* element : {"box:3x3", "disk:5"}) {
    const auto names = morphology_tuned_kernels(request_of(Backend::cuda, element, Type::f64));
    EXPECT_TRUE(compile_kernel(names.back(), "sm_90")) << names.back().body;
  }
}

TEST(MorphologyTune, PackedWordsHaveNoKnobs) {
  testing::expect_error(
      [] { morphology_tuned_kernels(request_of(Backend::cuda, "box:7x7,disk:3")); },
      ErrorKind::usage, "give larger elements, such as box:95x95, or type f64");
}

using MorphologyTuneOnCuda = testing::OnCuda;

TEST_F(MorphologyTuneOnCuda, KnobsChangeNoBit) {
  if (!run_time_compiler_found()) GTEST_SKIP() << "no run-time compiler";
  for (const Type type : {Type::u8, Type::f32, Type::f64})
    for (const char* text : {"box:9x33", "disk:6"}) {
      const Image image = testing::random_image({300, 131}, type, 1),
                  element = element_from_text(text);
      const bool box = std::string(text).starts_with("box");
      const MorphologyOptions options{.backend = Backend::cuda,
                                      .method = box ? "separable" : "direct"};
      const Image usual = erode(image.view(), element.view(), options);
      for (const KnobMap& knobs : {KnobMap{{"block_x", 32}, {"block_y", 8}, {"rows", 2}},
                                   {{"block_x", 128}, {"block_y", 2}, {"rows", 8}}}) {
        const ScopedKnobs forced(box ? "morphology_separable@1" : "morphology_direct@1",
                                 {knobs, false});
        const Image other = erode(image.view(), element.view(), options);
        EXPECT_EQ(testing::bytes_of_view(usual.view()), testing::bytes_of_view(other.view()))
            << text;
      }
    }
}

TEST(MorphologyTune, KnobsThatCannotRunAreNotTaken) {
  EXPECT_TRUE(morphology_knobs_fit(usual_morphology_knobs(4), 4));
  EXPECT_TRUE(morphology_knobs_fit(usual_morphology_knobs(8), 8));
  EXPECT_FALSE(morphology_knobs_fit({64, 4, 16}, 8)) << "more than 48 KB";
  EXPECT_FALSE(morphology_knobs_fit({64, 32, 1}, 1)) << "2048 threads";
  EXPECT_FALSE(morphology_knobs_fit({20, 3, 4}, 4)) << "a warp that is not whole";
}

}  // namespace
}  // namespace tessera
