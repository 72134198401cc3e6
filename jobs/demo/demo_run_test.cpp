// SPDX-License-Identifier: Apache-2.0
// The demo around its parts, which are made up here: so are the commands.
#include <gtest/gtest.h>

#include <filesystem>
#include <stdexcept>

#include "jobs/demo/demo_job.hpp"
#include "tessera/error.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/text_has.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using testing::has;
using testing::read_bytes;
using testing::write_bytes;

const std::string kPng("\x89PNG\r\n\x1a\n");
const std::string kJpeg("\xff\xd8\xff\xe0");

/// "draw NAME BYTES" writes a file where it runs, "fail" fails, "work" says how it went.
Json made_up_tool(const std::string& line) {
  if (line == "fail") throw Error(ErrorKind::input, "noise: sky.fits: cannot be opened");
  if (line == "draw a.png") write_bytes("a.png", kPng + "A");
  if (line == "draw b.jpg") write_bytes("b.jpg", kJpeg + "B");
  if (line == "plot") write_bytes("plot.gp", "plot x");
  if (line == "draw c.png") write_bytes("c.png", "no picture");
  if (line == "erode")
    return Json::parse(R"({"ran": "erode 8x6 u8 by 3x3: cpu van-herk, neon", "seconds": 0.25})");
  if (line == "work")
    return Json::parse(R"({"ran": "convolve 8x6 u8 by 3x3: cpu separable, neon, 96 columns",
                           "seconds": {"read": 1, "work": 0.5, "write": 2, "all": 3.5}})");
  return nullptr;
}

DemoPart part(const std::string& operation, std::vector<DemoCommand> commands, bool right = true) {
  DemoPart made{operation, "a field", "a <b>title</b>", "a story", std::move(commands), "import x"};
  made.check = [right](const std::vector<Json>& said) {
    return DemoCheck{right, std::to_string(said.size()) + " commands ran"};
  };
  return made;
}

DemoPart right_part() {
  DemoPart made = part("right", {{"draw a.png"}, {"draw b.jpg"}, {"work", true}, {"erode", true}});
  made.inputs = {{{"a.png"}, "what went in"}};
  made.outputs = {{{"a.png", "b.jpg"}, "a film", 12.5}};
  return made;
}

class DemoRun : public ::testing::Test {
 protected:
  DemoRun() { job_.output = folder_.path("demo"); }
  DemoResult run(const std::vector<DemoPart>& parts) const {
    return job_.run(parts, made_up_tool, {});
  }
  std::string refusal(const std::vector<DemoPart>& parts) const {
    try {
      run(parts);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      return error.what();
    }
    return "nothing was thrown";
  }
  std::string page() const { return read_bytes(folder_.path("demo/index.html")); }

  testing::TemporaryFolder folder_;
  DemoJob job_;
};

TEST_F(DemoRun, TheWorkIsTimedByWhatItSays) {
  const DemoPartResult result =
      run_demo_part(right_part(), folder_.path("new/right"), made_up_tool);
  EXPECT_TRUE(result.right);
  EXPECT_FALSE(result.failed);
  EXPECT_EQ(result.check, "4 commands ran");
  EXPECT_EQ(result.backend, "cpu");
  EXPECT_EQ(result.method, "separable, van-herk");
  EXPECT_DOUBLE_EQ(result.seconds, 0.75);
  EXPECT_GT(result.part_seconds, 0);
  ASSERT_EQ(result.commands.size(), 4U);
  EXPECT_TRUE(result.commands[2].is_work);
  EXPECT_GT(result.commands[0].seconds, 0);
  EXPECT_EQ(read_bytes(folder_.path("new/right/a.png")), kPng + "A") << "it ran in its folder";
}

TEST_F(DemoRun, WorkThatDoesNotSayItsTimeIsTimedByTheClock) {
  const DemoPartResult result =
      run_demo_part(part("silent", {{"nothing", true}}), folder_.path("silent"), made_up_tool);
  EXPECT_EQ(result.seconds, result.commands[0].seconds);
  EXPECT_EQ(result.backend, "");
}

TEST_F(DemoRun, TheFolderIsTheOldOneAgain) {
  const fs::path before = fs::current_path();
  DemoPart throws = part("throws", {{"draw a.png"}});
  throws.check = [](const std::vector<Json>&) -> DemoCheck {
    throw std::runtime_error("no truth");
  };
  for (const DemoPart& any : {right_part(), part("fails", {{"fail"}}), throws}) {
    run_demo_part(any, folder_.path(any.operation), made_up_tool);
    EXPECT_EQ(fs::current_path(), before) << any.operation;
  }
  EXPECT_THROW(InFolder(folder_.path("missing")), Error);
  EXPECT_EQ(fs::current_path(), before);
}

TEST_F(DemoRun, AFailureIsItsSentenceAndTheOthersRun) {
  DemoPart no_picture = part("pictures", {{"draw c.png"}});
  no_picture.outputs = {{{"c.png"}, ""}};
  const DemoResult result = run({part("fails", {{"fail", true}, {"work", true}}), no_picture,
                                 part("wrong", {}, false), right_part()});
  ASSERT_EQ(result.parts.size(), 4U);
  EXPECT_EQ(result.right, 1);
  EXPECT_EQ(result.exit_code(), 1);
  EXPECT_TRUE(result.parts[0].failed);
  EXPECT_EQ(result.parts[0].check, "'fail': noise: sky.fits: cannot be opened");
  EXPECT_EQ(result.parts[0].commands.size(), 1U) << "nothing runs after a failure";
  EXPECT_EQ(result.parts[1].check, "c.png: is no PNG or JPEG that a page can show");
  EXPECT_TRUE(result.parts[1].outputs.empty());
  EXPECT_FALSE(result.parts[2].failed);
  const std::vector<std::string> sentences = result.complaints();
  ASSERT_EQ(sentences.size(), 3U);
  EXPECT_EQ(sentences[0], "fails failed: 'fail': noise: sky.fits: cannot be opened");
  EXPECT_EQ(sentences[2], "wrong is wrong: 0 commands ran");
  EXPECT_TRUE(has(result.describe(), "1 of 4 right in ")) << result.describe();
}

TEST_F(DemoRun, OnlyWithoutGnuplotMayAPictureLack) {
  DemoPart made = right_part();
  made.commands.push_back({"plot"});
  made.outputs.push_back({{"plot.png"}, "what gnuplot draws"});
  job_.force = true;
  ::setenv("TESSERA_GNUPLOT", "/bin/sh", 1);
  EXPECT_TRUE(has(run({made}).parts.at(0).check, "plot.png"));
  ::setenv("TESSERA_GNUPLOT", "/there/is/none", 1);
  const DemoPartResult without = run({made}).parts.at(0);
  EXPECT_TRUE(without.right) << without.check;
  EXPECT_EQ(without.outputs.size(), 1U);
  made.outputs.push_back({{"found.png"}, "what gnuplot has nothing to do with"});
  EXPECT_TRUE(has(run({made}).parts.at(0).check, "found.png"));
  ::unsetenv("TESSERA_GNUPLOT");
}

TEST_F(DemoRun, ThePageHoldsThePicturesAndTheJson) {
  job_.seed = 7;
  const DemoResult result = run({right_part()});
  EXPECT_EQ(result.exit_code(), 0);
  const Json json = Json::parse(read_bytes(folder_.path("demo/demo.json")));
  EXPECT_EQ(json, to_json(result));
  EXPECT_EQ(json["seed"], 7);
  EXPECT_EQ(json["parts"][0]["field"], "a field");
  EXPECT_EQ(json["parts"][0]["outputs"][0]["files"], Json::parse(R"(["a.png", "b.jpg"])"));
  EXPECT_EQ(json["parts"][0]["outputs"][0]["rate"], 12.5);
  // "\x89PNG\r\n\x1a\nA" and "\xff\xd8\xff\xe0B"
  EXPECT_TRUE(has(page(), R"("right/a.png": "data:image/png;base64,iVBORw0KGgpB")"));
  EXPECT_TRUE(has(page(), R"("right/b.jpg": "data:image/jpeg;base64,/9j/4EI=")"));
  EXPECT_FALSE(has(page(), "{{"));
  EXPECT_FALSE(has(page(), "<b>title</b>")) << "texts are not markup";
}

TEST_F(DemoRun, OldOrWhole) {
  run({right_part()});
  write_bytes(folder_.path("demo/index.html"), "old");
  EXPECT_TRUE(
      has(refusal({right_part()}), "demo/index.html exists; give the option force to replace it"));
  EXPECT_EQ(page(), "old");
  fs::remove(folder_.path("demo/index.html"));
  fs::remove(folder_.path("demo/demo.json"));
  EXPECT_TRUE(
      has(refusal({right_part()}), "demo/right exists; give the option force to replace it"))
      << "commands of a part would replace what is there";
  job_.force = true;
  run({right_part()});
  EXPECT_TRUE(has(page(), "data:image/png"));
}

TEST_F(DemoRun, OnlySomePartsInTheOrderShown) {
  job_.only = "c,a";
  const DemoResult result = run({part("a", {}), part("b", {}), part("c", {})});
  ASSERT_EQ(result.parts.size(), 2U);
  EXPECT_EQ(result.parts[0].operation + result.parts[1].operation, "ac");
  EXPECT_FALSE(fs::exists(folder_.path("demo/b")));
}

TEST_F(DemoRun, APartThatIsNotKnownIsRefusedBeforeAnythingIsMade) {
  job_.only = "b,unknown";
  EXPECT_EQ(refusal({part("a", {}), part("b", {})}),
            "--only: 'unknown' is not known; it can be a or b");
  EXPECT_FALSE(fs::exists(job_.output));
  job_.only = "";
  write_bytes(job_.output, "a file");
  EXPECT_TRUE(has(refusal({part("a", {})}), "the folder cannot be made"));
}

TEST_F(DemoRun, ListenersHearEveryPart) {
  std::string heard;
  job_.run({part("a", {}), part("b", {}, false)}, made_up_tool,
           {[&](const DemoPart& which, std::size_t number, std::size_t all) {
              heard += which.operation + std::to_string(number) + "/" + std::to_string(all) + " ";
            },
            [&](const DemoPartResult& ended) { heard += ended.right ? "right " : "wrong "; }});
  EXPECT_EQ(heard, "a0/2 right b1/2 wrong ");
}

}  // namespace
}  // namespace tessera
