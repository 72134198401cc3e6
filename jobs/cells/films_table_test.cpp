// SPDX-License-Identifier: Apache-2.0
// The table over the films of a batch: its values are those of the films' own summaries.
#include "jobs/cells/films_table.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "jobs/cells/cells_job.hpp"
#include "report/json.hpp"
#include "tests/support/cli_cells.hpp"
#include "tests/support/short_view.hpp"

namespace tessera::testing {
namespace {

namespace fs = std::filesystem;

class FilmsTable : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directory(films_);
    write_image(films_ + "/a.npy", testing::short_view(small_film()));
    write_image(films_ + "/b, \"two\".npy", testing::short_view(small_film(70)));
    write_bytes(films_ + "/c.npy", "not a film");
  }
  BatchResult run(const CellsJobOptions& film = {
                      .frame_rate = 10, .overlay = false, .report = false}) const {
    CellsJob job{.input = films_, .output = out_, .film = film};
    job.options.min_frames = 5;
    return run_films(job, {});
  }
  Json table() const { return Json::parse(read_bytes(out_ + "/films.json")); }
  Json summary_of(const std::string& folder) const {
    return Json::parse(read_bytes(out_ + "/" + folder + "/summary.json"));
  }

  TemporaryFolder folder_;
  std::string films_ = folder_.path("films"), out_ = folder_.path("out");
};

void expect_values_of(const Json& summary, const Json& row) {
  const Json& counts = summary["counts"];
  EXPECT_EQ(row["state"], "ok");
  EXPECT_EQ(row["error"], "");
  EXPECT_EQ(row["frames"], summary["film"]["frames"]);
  EXPECT_EQ(row["cells"], counts["tracks"]);
  for (const char* name : {"rolling", "resting", "adherent", "mean_speed", "median_speed"})
    EXPECT_EQ(row[name], counts[name]) << name;
  EXPECT_EQ(row["flux"], counts["flux"].is_null() ? Json() : counts["flux"]["per_minute"]);
  EXPECT_EQ(row["background"], summary["background_choice"]["used"]);
  EXPECT_EQ(row["confidence"], summary["background_choice"]["confidence"]);
  for (const char* name : {"uncertain", "doubts", "warnings"})
    EXPECT_EQ(row[name], summary[name]) << name;
}

TEST_F(FilmsTable, HasARowForEveryFilmAndTheErrorOfOne) {
  const BatchResult result = run();
  EXPECT_EQ(result.exit_code(), 4);
  EXPECT_EQ(result.failed, 1);
  const Json films = table()["films"];
  ASSERT_EQ(films.size(), 3U);
  expect_values_of(summary_of("a"), films[0]);
  expect_values_of(summary_of("b, \"two\""), films[1]);
  EXPECT_GT(films[1]["cells"].get<int>(), 0) << "an empty film would test little";
  EXPECT_EQ(films[0]["adherent_note"], "too short to judge");
  EXPECT_EQ(films[2]["state"], "failed");
  EXPECT_EQ(films[2]["film"], "c.npy");
  EXPECT_EQ(films[2]["error"], result.files[2].error);
  EXPECT_NE(films[2]["error"], "");
  EXPECT_TRUE(films[2]["cells"].is_null());
}

TEST_F(FilmsTable, AnInterruptedBatchHasTheSameTableWhenItWentOn) {
  run();
  const Json whole = table();
  const std::string csv = read_bytes(out_ + "/films.csv");
  fs::remove(out_ + "/films.json");
  fs::remove(out_ + "/a/summary.json");  // as a run that was killed would leave it
  EXPECT_EQ(run().had, 1);
  Json again = table();
  EXPECT_EQ(again["films"][1], whole["films"][1]) << "made by the earlier run, in its seconds";
  again["films"][0]["seconds"] = whole["films"][0]["seconds"];
  again["films"][2]["seconds"] = whole["films"][2]["seconds"];
  EXPECT_EQ(again, whole);
}

TEST_F(FilmsTable, AFilmThatFailsNowHasNoValuesOfBefore) {
  run();
  write_bytes(films_ + "/a.npy", "no longer a film");
  run();
  ASSERT_TRUE(fs::exists(out_ + "/a/summary.json"));
  EXPECT_EQ(table()["films"][0]["state"], "failed");
  EXPECT_TRUE(table()["films"][0]["cells"].is_null());
}

TEST_F(FilmsTable, CsvIsQuotedAndHasTheSameValues) {
  run({.um_per_pixel = 0.5, .frame_rate = 10, .overlay = false, .report = false});
  const std::string csv = read_bytes(out_ + "/films.csv");
  const Json film = table()["films"][1];
  EXPECT_TRUE(csv.starts_with("FILM,FOLDER,STATE,FRAMES,CELLS,ROLLING,RESTING,ADHERENT,")) << csv;
  EXPECT_NE(csv.find("\n\"b, \"\"two\"\".npy\",\"b, \"\"two\"\"\",ok,70,"), std::string::npos)
      << csv;
  EXPECT_NEAR(film["mean_speed_um_s"].get<double>(), 5 * film["mean_speed"].get<double>(), 1e-12);
  EXPECT_NE(csv.find(fmt::format(",{:.9g},{:.9g},", film["mean_speed"].get<double>(),
                                 film["median_speed"].get<double>())),
            std::string::npos)
      << csv;
  EXPECT_EQ(std::ranges::count(csv, '\n'), 4);
}

TEST_F(FilmsTable, FilesOfOthersAreNotReplaced) {
  fs::create_directory(out_);
  write_bytes(out_ + "/films.csv", "mine");
  expect_error([&] { run(); }, ErrorKind::usage, "films.csv exists");
  EXPECT_FALSE(fs::exists(out_ + "/a")) << "said before any film is followed";
  EXPECT_EQ(read_bytes(out_ + "/films.csv"), "mine");
  fs::remove(out_ + "/films.csv");
  run();
  fs::rename(out_ + "/films.csv", folder_.path("elsewhere.csv"));
  fs::create_symlink(folder_.path("elsewhere.csv"), out_ + "/films.csv");
  expect_error([&] { run(); }, ErrorKind::usage, "films.csv exists");
}

TEST(FilmRow, ASummaryThatCannotBeReadIsAnError) {
  const TemporaryFolder folder;
  const BatchFile file{.input = "x/film.avi", .output = folder.path(), .state = "done"};
  EXPECT_NE(film_row(file).error.find("summary.json: cannot be opened"), std::string::npos);
  write_bytes(folder.path("summary.json"), "{\"counts\": 7}");
  EXPECT_NE(film_row(file).error.find("it is not the summary of a film"), std::string::npos);
  EXPECT_EQ(film_row(file).film, "film.avi");
}

}  // namespace
}  // namespace tessera::testing
