// SPDX-License-Identifier: Apache-2.0
// `auto` follows the table of this machine, and the tuner makes one.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "core/machine.hpp"
#include "ops/convolve/tune/convolve_times.hpp"
#include "ops/convolve/tune/convolve_tunables.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tune/found_tables.hpp"
#include "tune/table_file.hpp"
#include "tune/tuner.hpp"

namespace tessera {
namespace {

testing::TemporaryFolder& folder() {
  static testing::TemporaryFolder made;
  return made;
}

// Tables are read once per program, so the made-up one must be there before the first plan.
const bool prepared = [] {
  setenv("TESSERA_CACHE", folder().path().c_str(), 1);
  std::filesystem::create_directory(folder().path("tuning"));
  std::string text;
  const auto add = [&](const char* method, int side, int fs) {
    text += fmt::format("{} {} backend=cpu in=f32 method={} fh={} fw={} | fs={} | ms=1\n",
                        cpu_table_name(), kConvolveTimeSite, method, side, side, fs);
  };
  for (const auto& [side, one, two] :
       {std::tuple{3, 1000, 9000}, {9, 9000, 9001}, {31, 90000, 9002}}) {
    add("one", side, one);
    add("two", side, two);
    add("asked-for", side, 1);
  }
  testing::write_bytes(folder().path("tuning/mine.tsv"), text);
  return true;
}();

std::string refuses_nothing(const ConvolveProblem&) { return ""; }
double two_by_model(const ConvolveProblem& p, const Machine&) { return 1e-9 * p.flops(); }
double one_by_model(const ConvolveProblem& p, const Machine&) { return 2e-9 * p.flops(); }
double three_by_model(const ConvolveProblem&, const Machine&) { return 100; }
double on_request(const ConvolveProblem&, const Machine&) { return kOnlyOnRequest; }

ConvolveProblem problem_of(int side, Size size, Type type = Type::f32) {
  ConvolveProblem p;
  p.image = p.output = {size, type, kHost};
  p.filter_width = p.filter_height = side;
  p.weights.assign(static_cast<std::size_t>(side * side), 1.0);
  p.sums = type == Type::f64 ? Type::f64 : Type::f32;
  return p;
}

const std::vector<ConvolveMethod> kMethods{
    {"one", Backend::cpu, refuses_nothing, one_by_model, nullptr},
    {"two", Backend::cpu, refuses_nothing, two_by_model, nullptr},
    {"three", Backend::cpu, refuses_nothing, three_by_model, nullptr},
    {"asked-for", Backend::cpu, refuses_nothing, on_request, nullptr}};

std::string chosen(const ConvolveProblem& p) {
  return choose("convolve", kMethods, p, Backend::cpu, "auto", this_machine(), convolve_seconds)
      .name;
}

TEST(ConvolveChoice, FollowsTheTableIfTheModelDisagrees) {
  ASSERT_TRUE(prepared);
  const Size size = tuned_size(Backend::cpu);
  EXPECT_EQ(std::string(choose("convolve", kMethods, problem_of(3, size), Backend::cpu, "auto",
                               this_machine())
                            .name),
            "two");
  EXPECT_EQ(chosen(problem_of(3, size)), "one");
  EXPECT_EQ(chosen(problem_of(5, size)), "one");
  EXPECT_EQ(chosen(problem_of(15, size)), "two");
  EXPECT_EQ(chosen(problem_of(31, {64, 64})), "two");
  EXPECT_EQ(chosen(problem_of(3, {64, 64, 3}, Type::u8)), "one") << "f32 stands in for other types";
  EXPECT_EQ(chosen(problem_of(3, size, Type::f64)), "one");
}

TEST(ConvolveChoice, MeasuredTimesScaleWithTheImage) {
  const Size size = tuned_size(Backend::cpu);
  const double whole = convolve_seconds(kMethods[0], problem_of(3, size), this_machine());
  EXPECT_NEAR(whole, 1e-12 * static_cast<double>(size.samples()), 1e-9);
  const double half =
      convolve_seconds(kMethods[0], problem_of(3, {size.width, size.height / 2}), this_machine());
  EXPECT_NEAR(half, whole / 2, 1e-9);
}

TEST(ConvolveTunables, CandidatesAreFewRankedAndWithinTheirSites) {
  for (const ConvolveMethod& method : convolve_methods()) {
    const std::string site = convolve_site(method);
    const auto likely = convolve_candidates(method, {7, 7}, false),
               full = convolve_candidates(method, {7, 7}, true);
    EXPECT_EQ(likely.empty(), site.empty());
    if (site.empty()) continue;
    EXPECT_LE(likely.size(), 8U);
    EXPECT_GT(full.size(), likely.size());
    std::set<std::map<std::string, int>> different;
    std::vector<TuningLine> lines;
    for (const Knobs& knobs : full) {
      different.insert(knobs.values);
      lines.push_back({"here", site, {}, knobs, ""});
    }
    EXPECT_EQ(different.size(), full.size());
    std::string problem;
    EXPECT_EQ(fitting_lines(lines, "candidates", {"here"}, problem).size(), full.size()) << problem;
  }
}

TEST(ConvolveTunables, AllSizesOnceWithTheTellingOnesFirst) {
  const auto sizes = all_sizes();
  EXPECT_EQ(sizes.size(), 441U);
  std::set<std::pair<int, int>> different;
  for (const FilterSize size : sizes) different.insert({size.width, size.height});
  EXPECT_EQ(different.size(), 441U);
  EXPECT_EQ(std::count_if(sizes.begin(), sizes.begin() + kNodeSizes,
                          [](FilterSize s) { return s.width != s.height; }),
            43);
}

void tune_one_size(Backend backend, const std::string& machine) {
  TuneSettings settings;
  settings.backend = backend;
  settings.sizes = "5";
  settings.output = folder().path("made.tsv");
  std::string labels;
  const TuneReport report =
      tune(settings, [&](const SearchStep& step) { labels += step.task.label + "\n"; });
  EXPECT_NE(labels.find(fmt::format("{} direct 5x5\n", name_of(backend))), std::string::npos);
  EXPECT_EQ(report.wrong, 0) << report.describe();
  EXPECT_GE(report.measured, 1) << report.describe();
  std::string problem;
  const auto lines = read_table(settings.output);
  EXPECT_EQ(fitting_lines(lines, "made", {machine}, problem).size(), lines.size()) << problem;
  EXPECT_TRUE(std::any_of(lines.begin(), lines.end(), [](const TuningLine& line) {
    return line.site == kConvolveTimeSite && line.problem.words.at("method") == "direct";
  }));
  std::filesystem::remove(settings.output);
}

TEST(ConvolveTune, OneSizeOnTheCpu) { tune_one_size(Backend::cpu, cpu_table_name()); }

TEST(ConvolveTune, OneSizeOnDevice) {
  if (testing::run_small()) GTEST_SKIP() << "it times kernels that other cases run";
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  tune_one_size(Backend::cuda, table_name(this_machine().devices[0].name));
}

}  // namespace
}  // namespace tessera
