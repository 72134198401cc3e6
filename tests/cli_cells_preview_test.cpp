// SPDX-License-Identifier: Apache-2.0
// `cells preview` from the command line: what it prints, and that the command line it suggests
// follows the film with the same options.
#include <gtest/gtest.h>

#include <filesystem>

#include "jobs/shell_word.hpp"
#include "report/json.hpp"
#include "tests/support/cli_cells.hpp"
#include "tests/support/short_view.hpp"

namespace tessera::testing {
namespace {

class CliCellsPreview : public CliCells {
 protected:
  Words preview(const std::string& film, const Words& more = {}) const {
    Words all{"cells", "preview", film, "-o", page_};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  std::string page_ = folder_.path("preview.html");
};

TEST_F(CliCellsPreview, TheSuggestedCommandHasTheSameOptions) {
  const std::string film = folder_.path("a film's \"frames\".npy");
  const struct {
    int frames;
    Words more;
  } cases[] = {{kFrames, {}},
               {70, {}},
               {70, {"--polarity", "bright", "--flow", "0", "--crop", "4,4,88x70"}},
               {70, {"--first-frame", "20", "--frame-rate", "25", "--relief", "none"}},
               {kFrames, {"--model", "classic"}}};
  for (const auto& [frames, more] : cases) {
    write_image(film, testing::short_view(small_film(frames)), {.force = true});
    Words words = preview(film, more);
    words.insert(words.end(), {"--json", "--force"});
    const Outcome said = run_tool(words);
    ASSERT_TRUE(said.code == 0 || said.code == 4) << said.err;
    const Json facts = Json::parse(said.out);
    std::string line = facts["command"];
    ASSERT_TRUE(line.starts_with("tessera cells track ")) << line;
    line = "cd " + shell_word(folder_.path()) + " && " + TESSERA_CLI + line.substr(7) +
           " --overlay no --report no --force";
    const Outcome followed = Process({"/bin/sh", "-c", line}).wait();
    ASSERT_TRUE(followed.code == 0 || followed.code == 4) << line << "\n" << followed.err;
    const Json summary =
        Json::parse(read_bytes(folder_.path("a film's \"frames\"-cells/summary.json")));
    EXPECT_EQ(summary["options"], facts["options"]) << line;
    EXPECT_EQ(summary["calibration"], facts["calibration"]) << line;
  }
}

TEST_F(CliCellsPreview, PrintsChoicesAndTheCommandLast) {
  const Outcome said = run_tool(preview(film_, {"--um-per-pixel", "0.5"}));
  ASSERT_TRUE(said.code == 0 || said.code == 4) << said.err;
  for (const char* part :
       {"radii ", "background  none (16 frames are too few", "relief ",
        "threshold   1.8 (the default with background none)", "frame rate  30 per second (assumed)",
        "pixel size  0.5 um (given)", "candidates: frame 0: ", "note: "})
    EXPECT_NE(said.out.find(part), std::string::npos) << part << "\n" << said.out;
  const std::size_t last = said.out.rfind('\n', said.out.size() - 2) + 1;
  EXPECT_TRUE(said.out.substr(last).starts_with("tessera cells track ")) << said.out;
  EXPECT_TRUE(std::filesystem::exists(page_));
}

TEST_F(CliCellsPreview, RefusesInOneLine) {
  write_bytes(page_, "old");
  expect_failure(preview(film_), 2, "preview.html exists");
  expect_failure(preview(folder_.path("none.avi"), {"--force"}), 3, "none.avi");
  expect_failure(preview(film_, {"--force", "--model", "classic", "--threshold", "2"}), 2,
                 "threshold");
  EXPECT_EQ(read_bytes(page_), "old");
}

}  // namespace
}  // namespace tessera::testing
