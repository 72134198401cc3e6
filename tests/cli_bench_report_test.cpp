// SPDX-License-Identifier: Apache-2.0
// `tessera bench --report` as users run it. Figures of a GPU are made up
// (tests/data/bench/made_up_report.json).
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "core/machine.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/text_has.hpp"
#include "tests/support/tool.hpp"

namespace tessera::testing {
namespace {

using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

const std::string kMadeUp =
    std::string(TESSERA_SOURCE_DIR) + "/tests/data/bench/made_up_report.json";

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The JSON that stands inside an element of the page.
Json embedded(const std::string& page, const std::string& id) {
  const std::size_t begin = page.find('>', page.find("id=\"" + id + "\" type")) + 1;
  return Json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

class CliBenchReport : public ::testing::Test {
 protected:
  Outcome report(Words more) const {
    Words words{"bench", "--report", page_};
    words.insert(words.end(), more.begin(), more.end());
    return run_tool(words);
  }
  void expect_failure(const Words& more, int code, const std::string& part) const {
    const Outcome outcome = report(more);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_TRUE(has(outcome.err, part)) << outcome.err << "\nwanted: " << part;
    EXPECT_EQ(text_of(page_), "") << "nothing is left";
    EXPECT_EQ(text_of(json_), "");
  }
  std::string written(const std::string& text) const {
    const std::string path = folder_.path("given.json");
    std::ofstream(path) << text;
    return path;
  }

  TemporaryFolder folder_;
  std::string page_ = folder_.path("report.html"), json_ = folder_.path("report.json");
};

TEST_F(CliBenchReport, QuickMakesPageAndJson) {
  if (run_small()) GTEST_SKIP() << "it times whole operations";
  const Outcome outcome = report({"--op", "correlate", "--quick", "--quiet"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  const Json json = Json::parse(text_of(json_));
  EXPECT_TRUE(json["quick"]);
  ASSERT_EQ(json["rows"].size(), 1U);
  const Json& row = json["rows"][0];
  EXPECT_EQ(row["operation"], "correlate");
  EXPECT_GT(row["cpu_ms"], 0);
  EXPECT_GT(json["cpu_flops"], 0);
  EXPECT_TRUE(has(row["published"], "465.74 ms"));
  for (const Json& way : row["ways"])
    EXPECT_NE(way["ms"].is_null(), way["absent"].get<std::string>().empty()) << way;
  if (this_machine().devices.empty()) {
    EXPECT_TRUE(has(row["verdict"], "No GPU here: " + this_machine().no_device_reason));
    EXPECT_TRUE(row["gpu_ms"].is_null());
  }
  const std::string page = text_of(page_);
  EXPECT_EQ(embedded(page, "report"), json);
  EXPECT_TRUE(embedded(page, "against").is_null());
  EXPECT_FALSE(has(page, "{{"));
}

TEST_F(CliBenchReport, EveryOperationHasATimeOnCuda) {
  if (run_small()) GTEST_SKIP() << "it times whole operations";
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  const Outcome outcome = report({"--quick"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json json = Json::parse(text_of(json_));
  EXPECT_GT(json["gpu_flops"], 0);
  for (const Json& row : json["rows"]) {
    EXPECT_TRUE(row["gpu_ms"].is_number()) << row;
    EXPECT_TRUE(row["gpu_with_transfers_ms"].is_number()) << row;
    EXPECT_TRUE(row["ratio"].is_number()) << row;
  }
}

TEST_F(CliBenchReport, FromDrawsTheSameNumbers) {
  const Outcome outcome = report({"--from", kMadeUp, "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json given = Json::parse(text_of(kMadeUp));
  EXPECT_EQ(Json::parse(outcome.out), given);
  EXPECT_EQ(Json::parse(text_of(json_)), given);
  EXPECT_EQ(embedded(text_of(page_), "report"), given);
  EXPECT_FALSE(has(text_of(page_), "<b>the</b>")) << "texts are not markup";
}

TEST_F(CliBenchReport, PricesGiveCostsAndNothingElseChanges) {
  const Outcome outcome = report({"--from", kMadeUp, "--price", "cpu=0.36,gpu=3.6"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out,
                  "The GPU wins: 40 times the CPU, 5.0 times with copies. The CPU is "
                  "2.0 times cheaper."))
      << outcome.out;
  Json given = Json::parse(text_of(kMadeUp)), made = Json::parse(text_of(json_));
  // Convolve: 80 ms at 1e-4 per second, 16 ms with copies at 1e-3, a million times.
  EXPECT_DOUBLE_EQ(made["rows"][1]["cpu_cost"], 8);
  EXPECT_DOUBLE_EQ(made["rows"][1]["gpu_cost"], 16);
  EXPECT_EQ(made["cpu_price"], 0.36);
  for (Json* json : {&given, &made}) {
    json->erase("cpu_price"), json->erase("gpu_price");
    for (Json& row : (*json)["rows"])
      row.erase("cpu_cost"), row.erase("gpu_cost"), row.erase("verdict");
  }
  EXPECT_EQ(made, given);
}

TEST_F(CliBenchReport, AgainstShowsBoth) {
  Json other = Json::parse(text_of(kMadeUp));
  other["machine"] = "another made-up CPU";
  const Outcome outcome = report({"--from", kMadeUp, "--against", written(other.dump())});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(embedded(text_of(page_), "against"), other);
  EXPECT_EQ(embedded(text_of(page_), "report"), Json::parse(text_of(kMadeUp)));
}

TEST_F(CliBenchReport, FilesThatAreNoReportAreRefused) {
  expect_failure({"--from", folder_.path("missing.json")}, 3, "missing.json");
  expect_failure({"--from", written("not json")}, 3, "given.json: it is no JSON");
  expect_failure({"--from", written("[]")}, 3, "it is not an object; it is no report of");
  expect_failure({"--against", written("{\"context\": {}}"), "--from", kMadeUp}, 3,
                 "it has no \"machine\"; it is no report of tessera bench --report");
  const auto broken = [&](const char* pointer, const Json& value) {
    Json json = Json::parse(text_of(kMadeUp));
    json[Json::json_pointer(pointer)] = value;
    return Words{"--from", written(json.dump())};
  };
  expect_failure(broken("/rows", 3), 3, "it.rows is not a list");
  expect_failure(broken("/rows/0/ways/0/ms", "fast"), 3, "it.rows[0].ways[0].ms is not a number");
  expect_failure(broken("/rows/0/ways/0/ms", 0), 3, "a time of cells is not positive");
  expect_failure(broken("/rows/1/amount", -1), 3, "the amount of convolve is not positive");
  expect_failure(broken("/threads", 1.5), 3, "it.threads is not a whole number");
  expect_failure(broken("/quick", nullptr), 3, "it.quick is not true or false");
  expect_failure(broken("/machine", 1), 3, "it.machine is not a text");
}

TEST_F(CliBenchReport, OldOrWhole) {
  ASSERT_EQ(report({"--from", kMadeUp}).code, 0);
  const std::string old = text_of(page_);
  std::ofstream(json_) << "old";
  const Outcome again = report({"--from", kMadeUp});
  EXPECT_EQ(again.code, 2) << again.err;
  EXPECT_TRUE(has(again.err, "give the option force")) << again.err;
  EXPECT_EQ(text_of(page_), old);
  EXPECT_EQ(text_of(json_), "old");
  EXPECT_EQ(report({"--from", kMadeUp, "--force"}).code, 0);
  EXPECT_EQ(Json::parse(text_of(json_)), Json::parse(text_of(kMadeUp)));
}

TEST_F(CliBenchReport, OptionsThatDoNotGoTogether) {
  expect_failure({"--from", kMadeUp, "--quick"}, 2, "--from times nothing");
  expect_failure({"--from", kMadeUp, "--filter", "cpu"}, 2, "leave out --filter");
  expect_failure({"--from", kMadeUp, "--price", "cpu"}, 2, "--price");
  expect_failure({"--op", "convovle"}, 2, "did you mean convolve?");
  const Outcome no_page =
      run_tool({"bench", "--report", folder_.path("report.txt"), "--from", kMadeUp});
  EXPECT_EQ(no_page.code, 2);
  EXPECT_TRUE(has(no_page.err, "it should end in .html")) << no_page.err;
  const Outcome no_report = run_tool({"bench", "--quick"});
  EXPECT_EQ(no_report.code, 2);
  EXPECT_TRUE(has(no_report.err, "--quick is for --report")) << no_report.err;
}

}  // namespace
}  // namespace tessera::testing
