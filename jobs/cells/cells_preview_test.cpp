// SPDX-License-Identifier: Apache-2.0
// Previews of films: their facts are those that the plan has for the whole film.
#include "jobs/cells/cells_preview.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "jobs/cells/cells_preview_page.hpp"
#include "jobs/shell_word.hpp"
#include "report/json.hpp"
#include "tests/support/disc_films.hpp"
#include "tests/support/files.hpp"
#include "tests/support/short_view.hpp"

namespace tessera::testing {
namespace {

constexpr Size kPreviewSize{260, 200};

bool says(const std::vector<std::string>& sentences, const std::string& part) {
  return std::ranges::any_of(sentences, [&](const std::string& sentence) {
    return sentence.find(part) != std::string::npos;
  });
}

class CellsPreviews : public ::testing::Test {
 protected:
  CellsPreview preview(const Image& film, const CellsOptions& options = {}) {
    write_image(film_, film.view(), {.force = true});
    job_.track.options = options;
    job_.force = true;
    return job_.run();
  }
  static std::string choice(const CellsPreview& preview, const std::string& name) {
    for (const PreviewChoice& choice : preview.choices)
      if (choice.name == name) return choice.value + " (" + choice.why + ")";
    return "none";
  }

  TemporaryFolder folder_;
  std::string film_ = folder_.path("film.npy"), page_ = folder_.path("preview.html");
  CellsPreviewJob job_{.track = {.input = film_}, .page = page_};
};

void expect_facts_of_film(const CellsPreview& preview, const Image& film,
                          const CellsOptions& options) {
  const Followed whole = follow(film, options);
  EXPECT_EQ(to_json(preview.options), to_json(whole.used));
  if (!whole.sizes.empty()) {
    EXPECT_EQ(preview.radii.sizes, whole.sizes);
  }
  EXPECT_EQ(preview.radii.least, *whole.used.min_radius);
  EXPECT_EQ(preview.radii.most, *whole.used.max_radius);
  int counted = 0;
  for (const RadiusBin& bin : preview.radii.histogram) counted += bin.count;
  EXPECT_EQ(counted, std::ssize(preview.radii.sizes));
}

TEST_F(CellsPreviews, MakeTheChoicesOfTheWholeFilm) {
  std::vector<Disc> large;
  for (const Disc& disc : rolling(3)) large.push_back({disc.x + 20, disc.y + 20, 18, 1.0, 60});
  CellsOptions given;
  given.min_radius = 7;
  given.max_radius = 12;
  given.polarity = Polarity::bright;
  const struct {
    int frames;
    std::vector<Disc> discs;
    CellsOptions options;
    std::string radii, background;
  } cases[] = {
      {80, rolling(3), {}, "measured: ", "still (the default)"},
      {80, large, {}, "measured: ", "still (the default)"},
      {80, rolling(3), given, "7 to 12 px (given)", "still (the default)"},
      {25, rolling(3), {}, "measured: ", "none (25 frames are too few"},
  };
  for (const auto& [frames, discs, options, radii, background] : cases) {
    const Image film = film_of(kPreviewSize, frames, discs);
    const CellsPreview made = preview(film, options);
    expect_facts_of_film(made, film, options);
    EXPECT_EQ(made.film_frames, frames);
    EXPECT_EQ(made.film.frames, std::min(frames, 60));
    EXPECT_NE(choice(made, "radii").find(radii), std::string::npos) << choice(made, "radii");
    EXPECT_TRUE(choice(made, "background").starts_with(background)) << choice(made, "background");
  }
}

TEST_F(CellsPreviews, ShowTheCirclesOfSingleFrames) {
  const Image film = film_of(kPreviewSize, 80, rolling(3));
  const CellsPreview made = preview(film);
  ASSERT_EQ(made.frames.size(), 4U);
  CellsOptions options;
  options.min_radius = made.options.min_radius;
  options.max_radius = made.options.max_radius;
  const Cells plan({kPreviewSize, Type::u8}, options);
  Stream stream(kHost, 0);
  const int numbers[] = {0, 19, 39, 59};
  for (int i = 0; i < 4; ++i) {
    const PreviewFrame& frame = made.frames[static_cast<std::size_t>(i)];
    EXPECT_EQ(frame.frame, numbers[i]);
    const auto expected = plan.detect(film.view().only_plane(numbers[i]), stream);
    ASSERT_EQ(frame.candidates.size(), expected.size());
    EXPECT_EQ(frame.bright + frame.dark, std::ssize(expected));
    for (std::size_t k = 0; k < expected.size(); ++k) {
      EXPECT_EQ(frame.candidates[k].x, expected[k].x);
      EXPECT_EQ(frame.candidates[k].radius, expected[k].radius);
      EXPECT_EQ(frame.candidates[k].score, expected[k].score);
    }
  }
  EXPECT_GT(made.frames[0].bright, 0);
  EXPECT_EQ(made.candidate_threshold, 1.8);
}

TEST_F(CellsPreviews, CountFramesInTheFilm) {
  job_.track.reading.first_frame = 30;
  const CellsPreview made = preview(film_of(kPreviewSize, 50, rolling(3)));
  EXPECT_EQ(made.frames.front().frame, 30);
  EXPECT_EQ(made.frames.back().frame, 49);
  EXPECT_NE(made.command.find(" --first-frame 30"), std::string::npos) << made.command;
  EXPECT_EQ(made.command.find("--frames"), std::string::npos) << made.command;
}

TEST_F(CellsPreviews, OfOneFrameAndOfNoCells) {
  const CellsPreview one = preview(film_of(kPreviewSize, 1, rolling(3)));
  EXPECT_EQ(one.frames.size(), 1U);
  EXPECT_GT(one.frames[0].bright, 0);
  EXPECT_TRUE(says(one.notes, "the film has one frame"));
  EXPECT_TRUE(one.warnings.empty());
  const CellsPreview none = preview(film_of(kPreviewSize, 50, {}));
  EXPECT_TRUE(says(none.notes, "no cells were found"));
  EXPECT_EQ(none.tracks, 0);
  EXPECT_TRUE(none.radii.histogram.empty());
  EXPECT_TRUE(none.warnings.empty());
}

TEST_F(CellsPreviews, AreUncertainWhereTracksAre) {
  std::vector<Disc> standing;
  for (int i = 0; i < 5; ++i) standing.push_back({40.0 + 45 * i, 100, 9, 0, 60});
  const Image film = film_of(kPreviewSize, 60, standing);
  const CellsPreview made = preview(film);
  EXPECT_EQ(made.doubts, follow(film).doubts);
  EXPECT_TRUE(made.uncertain);
  EXPECT_EQ(made.warnings, made.doubts);
}

TEST_F(CellsPreviews, HaveTheirFactsInThePage) {
  const CellsPreview made = preview(film_of(kPreviewSize, 50, rolling(3)));
  const std::string page = read_bytes(page_);
  const std::string tag = "<script id=\"data\" type=\"application/json\">";
  const std::size_t begin = page.find(tag) + tag.size();
  Json shown = Json::parse(page.substr(begin, page.find("</script>", begin) - begin));
  EXPECT_EQ(shown["pictures"].size(), made.frames.size());
  shown.erase("pictures");
  shown.erase("version");
  Json facts = to_json(made);
  facts.erase("seconds");
  facts.erase("output");
  EXPECT_EQ(shown, facts);
  for (const char* foreign : {"http://", "https://", "src="})
    for (std::size_t at = 0; (at = page.find(foreign, at)) != std::string::npos; ++at)
      EXPECT_EQ(page.substr(at, 26), "http://www.w3.org/2000/svg") << "pages need no other files";
}

TEST_F(CellsPreviews, LeaveTheOldPageOrANewOne) {
  write_bytes(page_, "old");
  write_image(film_, testing::short_view(film_of(kPreviewSize, 4, rolling(3))));
  expect_error([&] { job_.run(); }, ErrorKind::usage, "preview.html exists");
  EXPECT_EQ(read_bytes(page_), "old");
  job_.force = true;
  job_.track.input = folder_.path("none.avi");
  expect_error([&] { job_.run(); }, ErrorKind::input, "none.avi");
  EXPECT_EQ(read_bytes(page_), "old");
  job_.track.input = film_;
  job_.run();
  EXPECT_TRUE(read_bytes(page_).ends_with("</html>\n"));
}

TEST_F(CellsPreviews, RefuseWhatCannotBePreviewed) {
  write_image(film_, testing::short_view(film_of({64, 48}, 4, {})));
  write_image(folder_.path("other.npy"), testing::short_view(film_of({64, 48}, 4, {})));
  job_.track.input = "-";
  expect_error([&] { job_.run(); }, ErrorKind::usage, "standard input cannot be read twice");
  job_.track.input = folder_.path();
  expect_error([&] { job_.run(); }, ErrorKind::usage, "stands for several films; give one of them");
  job_.track.input = film_;
  job_.track.options.min_radius = 1;
  expect_error([&] { job_.run(); }, ErrorKind::usage, "2 to 100 pixels");
  job_.track.options = {};
  job_.track.film.um_per_pixel = 0;
  expect_error([&] { job_.run(); }, ErrorKind::usage, "um-per-pixel");
  EXPECT_FALSE(std::filesystem::exists(page_));
}

TEST(PreviewCommand, HasGivenOptionsAndChoices) {
  CellsJob job{.input = "-a film's.avi"};
  job.options.flow = 0;
  job.film.um_per_pixel = 0.32;
  job.reading.choice.channel = 1;
  job.reading.allow_truncated = true;
  CellsOptions used = job.options;
  used.min_radius = 8;
  used.max_radius = 20.5;
  used.relief = "none";
  used.threshold = 1.3;  // follows from the others
  EXPECT_EQ(suggested_command(job, used),
            "tessera cells track './-a film'\\''s.avi' -o './-a film'\\''s-cells' --flow 0 "
            "--min-radius 8 --max-radius 20.5 --relief none --um-per-pixel 0.32 --channel 1 "
            "--allow-truncated");
  job = {.input = "films/venule.avi"};
  job.options.model = CellsModel::classic;
  EXPECT_EQ(suggested_command(job, used),
            "tessera cells track films/venule.avi -o venule-cells --model classic");
}

TEST(PreviewPictures, OfLargeFramesAreMeans) {
  Image frame({2050, 3}, Type::u8);
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 2050; ++x)
      frame.as<unsigned char>().at(x, y) = static_cast<unsigned char>(x / 3 % 200);
  const PreviewPicture picture = preview_picture(std::as_const(frame).as<std::uint8_t>());
  EXPECT_EQ(picture.side, 3);
  EXPECT_EQ(picture.width, 684);
  EXPECT_EQ(picture.height, 1);
  ASSERT_EQ(picture.levels.size(), 684U);
  for (std::size_t i = 0; i < 684; ++i) EXPECT_EQ(picture.levels[i], i % 200);
}

TEST(ShellWord, QuotesWhatAShellWouldChange) {
  EXPECT_EQ(shell_word("films/a-1.avi"), "films/a-1.avi");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("a b"), "'a b'");
  EXPECT_EQ(shell_word("it's $HOME"), "'it'\\''s $HOME'");
}

}  // namespace
}  // namespace tessera::testing
