// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/cells_report.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "io/child_process.hpp"
#include "io/formats.hpp"
#include "jobs/cells/cells_page_data.hpp"
#include "jobs/cells/cells_page_film.hpp"
#include "jobs/cells/cells_pictures.hpp"
#include "report/json.hpp"
#include "tests/support/files.hpp"
#include "tests/support/followed_film.hpp"

namespace tessera {
namespace {

using testing::followed;
using testing::straight_track;

constexpr Size kFilm{64, 48, 1, 20};

/// The text of the page between a tag with this id and its end.
std::string element(const std::string& page, const std::string& id) {
  const std::size_t tag = page.find("id=\"" + id + "\"");
  if (tag == std::string::npos) return "no element " + id;
  const std::size_t begin = page.find('>', tag) + 1;
  return page.substr(begin, page.find("</script>", begin) - begin);
}

std::string bytes_of_base64(const std::string& text) {
  const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int count = 0;
  for (const char letter : text) {
    if (letter == '=') break;
    bits = bits << 6 | static_cast<unsigned>(letters.find(letter));
    if ((count += 6) >= 8) bytes += static_cast<char>(bits >> (count -= 8) & 255);
  }
  return bytes;
}

class CellsReport : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path(name); }
  std::string film(Size size = kFilm, Type type = Type::u8) const {
    testing::write_noise_film(path("film.npy"), size, type);
    return path("film.npy");
  }
  std::string report(const CellsFilmResult& result, const std::string& input,
                     long long most_bytes = kMostPageBytes) const {
    write_cells_report(result, input, {}, path("report.html"), true, {}, most_bytes);
    return testing::read_bytes(path("report.html"));
  }
  /// The film inside a page, as Tessera reads it.
  Image film_of(const std::string& page) const {
    std::ofstream(path("inside.mp4"), std::ios::binary)
        << bytes_of_base64(element(page, "film-bytes"));
    return read_image(path("inside.mp4"));
  }
  static bool no_ffmpeg() { return find_program("ffmpeg", "TESSERA_FFMPEG").empty(); }

  testing::TemporaryFolder folder_;
};

TEST_F(CellsReport, HasEveryTrackWithItsNumbers) {
  CellsFilmResult result =
      followed("venule.avi", kFilm,
               {straight_track(1, 0, 20, 5, 10, 1.5), straight_track(4, 3, 12, 9, 30, 0.25)});
  result.tracks[1].spots[4].y = 31.2345;
  const Json data = Json::parse(element(report(result, film()), "data"));
  ASSERT_EQ(data["tracks"].size(), 2U);
  for (std::size_t k = 0; k < 2; ++k) {
    const Json& track = data["tracks"][k];
    const CellTrackSummary& summary = result.summaries[k];
    EXPECT_EQ(track["id"], summary.track);
    EXPECT_EQ(track["first_frame"], summary.first_frame);
    EXPECT_EQ(track["last_frame"], summary.last_frame);
    // To the last bit: the same text as in summary.csv.
    EXPECT_EQ(track["mean_speed"].get<double>(), summary.mean_speed);
    EXPECT_EQ(track["displacement"].get<double>(), summary.displacement);
    ASSERT_EQ(track["steps"]["y"].size(), result.tracks[k].spots.size());
    long long y = 0, speed = 0;
    for (std::size_t i = 0; i < result.tracks[k].spots.size(); ++i) {
      y += track["steps"]["y"][i].get<long long>();
      speed += track["steps"]["speed"][i].get<long long>();
      EXPECT_NEAR(static_cast<double>(y) / 1000, result.tracks[k].spots[i].y, 0.00051);
      EXPECT_NEAR(static_cast<double>(speed) / 1000, result.speeds[k][i], 0.00051);
    }
  }
  EXPECT_EQ(data["tracks"][1]["unseen"], Json::parse("[[5, 5]]"));
  EXPECT_EQ(data["counts"]["tracks"], 2);
}

TEST_F(CellsReport, NeedsNothingElse) {
  const std::string page = report(followed("a.avi", kFilm, {}), film());
  for (const char* word : {"{{", "src=\"", "@import", "https://"})
    EXPECT_EQ(page.find(word), std::string::npos) << word;
}

TEST_F(CellsReport, HasEveryFrame) {
  if (no_ffmpeg()) GTEST_SKIP() << "ffmpeg is not found";
  const std::string page = report(followed("a.avi", kFilm, {}), film());
  const Image before = read_image(path("film.npy")), after = film_of(page);
  EXPECT_EQ(after.info().size.planes, kFilm.planes);
  EXPECT_EQ(after.info().size.width, kFilm.width);
  double difference = 0;
  for (int frame = 0; frame < kFilm.planes; ++frame)
    for (int y = 0; y < kFilm.height; ++y)
      for (int x = 0; x < kFilm.width; ++x)
        difference += std::abs(before.as<unsigned char>().at(x, y, 0, frame) -
                               after.as<unsigned char>().at(x, y, 0, frame));
  EXPECT_LT(difference / static_cast<double>(kFilm.samples()), 8) << "white noise of 64 levels";
}

TEST_F(CellsReport, FitsWhateverTheFilm) {
  if (no_ffmpeg()) GTEST_SKIP() << "ffmpeg is not found";
  const Size large{320, 240, 1, 90};
  const CellsFilmResult result = followed("a.avi", large, {straight_track(1, 0, 90, 5, 10, 1.5)});
  const std::string input = film(large);
  const std::size_t free = report(result, input).size();
  for (const long long limit : {900'000, 150'000}) {
    ASSERT_GT(free, static_cast<std::size_t>(limit)) << "no limit is met";
    const std::string page = report(result, input, limit);
    EXPECT_LE(page.size(), static_cast<std::size_t>(limit));
    EXPECT_GT(page.size(), static_cast<std::size_t>(limit) / 4) << "room is left unused";
    EXPECT_EQ(film_of(page).info().size.planes, large.planes);
  }
}

TEST_F(CellsReport, RefusesWhatCannotFit) {
  if (no_ffmpeg()) GTEST_SKIP() << "ffmpeg is not found";
  const std::string input = film();
  testing::expect_error([&] { report(followed("a.avi", kFilm, {}), input, 10'000); },
                        ErrorKind::resources, "do not fit");
  EXPECT_FALSE(std::filesystem::exists(path("report.html")));
}

// The tables are there by then: what has no room is a warning, and the run goes on.
TEST_F(CellsReport, WhatCannotFitIsAWarning) {
  if (no_ffmpeg()) GTEST_SKIP() << "ffmpeg is not found";
  CellsJob job{.input = film(), .output = folder_.path()};
  job.film.overlay = false;
  CellsFilmResult result = followed("a.avi", kFilm, {});
  result.notes.emplace_back(kMostPageBytes, 'x');  // leaves no room for a film
  EXPECT_TRUE(make_cells_pictures(job, result, {}).empty());
  ASSERT_EQ(result.warnings.size(), 1U);
  EXPECT_TRUE(result.warnings[0].starts_with("report.html was not made: ")) << result.warnings[0];
  EXPECT_NE(result.warnings[0].find("do not fit"), std::string::npos) << result.warnings[0];
}

TEST_F(CellsReport, NamesAreText) {
  const std::string name = "</script><script>alert(1)</script><!--\"'&.avi";
  const std::string page = report(followed(name, kFilm, {}), film());
  EXPECT_EQ(page.find("alert(1)</script>"), std::string::npos);
  EXPECT_NE(page.find("<title>&lt;/script&gt;"), std::string::npos);
  EXPECT_EQ(Json::parse(element(page, "data"))["film"]["name"], name);
}

TEST_F(CellsReport, OddSidesOneFrameNoTracks) {
  const Size one{63, 47, 1, 1};
  const std::string page = report(followed("one.png", one, {}), film(one));
  const Json data = Json::parse(element(page, "data"));
  EXPECT_TRUE(data["tracks"].empty());
  EXPECT_EQ(data["film"]["frames"], 1);
  if (no_ffmpeg()) GTEST_SKIP() << "ffmpeg is not found";
  EXPECT_EQ(data["film"]["shown"]["width"], 63) << "of 64: the page does not show the edge";
  EXPECT_EQ(film_of(page).info().size.planes, 1);
}

TEST_F(CellsReport, SamplesThatAreNoNumbersAreShownDark) {
  if (no_ffmpeg()) GTEST_SKIP() << "ffmpeg is not found";
  Image film({64, 48, 1, 3}, Type::f32);
  for (int k = 0; k < 3; ++k)
    for (int y = 0; y < 48; ++y)
      for (int x = 0; x < 64; ++x)
        film.as<float>().at(x, y, 0, k) = k == 0 || x < 16 ? NAN : 100.0F + static_cast<float>(x);
  write_image(path("nan.npy"), film.view());
  const Image shown = film_of(report(followed("a.npy", film.info().size, {}), path("nan.npy")));
  EXPECT_LT(shown.as<unsigned char>().at(8, 20, 0, 1), 30);
  EXPECT_GT(shown.as<unsigned char>().at(60, 20, 0, 1), 200);
  EXPECT_LT(shown.as<unsigned char>().at(60, 20, 0, 0), 30);
}

TEST_F(CellsReport, OtherTypesAreStretched) {
  if (no_ffmpeg()) GTEST_SKIP() << "ffmpeg is not found";
  const Image shown = film_of(report(followed("a.npy", kFilm, {}), film(kFilm, Type::u16)));
  const auto* samples = shown.as<unsigned char>().data;
  const auto [low, high] = std::minmax_element(samples, samples + kFilm.width * kFilm.height);
  EXPECT_LT(*low, 40);
  EXPECT_GT(*high, 215);
}

TEST_F(CellsReport, WithoutFfmpegThePageSaysSo) {
  const std::string input = film();
  setenv("TESSERA_FFMPEG", "/no/such/program", 1);
  const CellsFilmResult result = followed("a.avi", kFilm, {straight_track(1, 0, 20, 5, 10, 1.5)});
  const std::string note = write_cells_report(result, input, {}, path("report.html"), false);
  unsetenv("TESSERA_FFMPEG");
  EXPECT_NE(note.find("ffmpeg"), std::string::npos);
  const std::string page = testing::read_bytes(path("report.html"));
  const Json data = Json::parse(element(page, "data"));
  EXPECT_EQ(data["messages"][0], note);
  EXPECT_EQ(data["tracks"].size(), 1U);
  EXPECT_EQ(element(page, "film-bytes"), "");
}

TEST_F(CellsReport, AnFfmpegThatCannotEncodeIsANoteToo) {
  const std::string input = film();
  setenv("TESSERA_FFMPEG", "/bin/false", 1);
  const CellsFilmResult result = followed("a.avi", kFilm, {});
  const std::string note = write_cells_report(result, input, {}, path("report.html"), false);
  unsetenv("TESSERA_FFMPEG");
  EXPECT_NE(note.find("cannot encode"), std::string::npos) << note;
  const std::string page = testing::read_bytes(path("report.html"));
  EXPECT_EQ(Json::parse(element(page, "data"))["messages"][0], note);
  EXPECT_EQ(element(page, "film-bytes"), "");
}

TEST_F(CellsReport, KeepsAFileThatIsThere) {
  const std::string input = film();
  std::ofstream(path("report.html")) << "mine";
  testing::expect_error(
      [&] {
        write_cells_report(followed("a.avi", kFilm, {}), input, {}, path("report.html"), false);
      },
      ErrorKind::usage, "report.html");
  EXPECT_EQ(testing::read_bytes(path("report.html")), "mine");
}

TEST(CellsPageData, ManySpotsAreThinnedAndTheLastStays) {
  CellsFilmResult result = followed("long.avi", {640, 480, 1, 20'000}, {});
  for (int id = 1; id <= 200; ++id) result.tracks.push_back(straight_track(id, 0, 19'998, 1, 2, 0));
  summarise(result);
  EXPECT_EQ(kept_every(result), 4);  // of four million
  const std::string text = cells_page_data(result, {}, "");
  EXPECT_LT(text.size(), 25'000'000U);
  const Json data = Json::parse(text);
  EXPECT_EQ(data["every"], 4);
  EXPECT_EQ(data["tracks"][7]["steps"]["x"].size(), 5001U);  // 0, 4 … 19996, and 19997
  EXPECT_NE(data["messages"][0].get<std::string>().find("one position in 4"), std::string::npos);
}

TEST(CellsPageData, ATrackOfOneSpotHasNoSpeed) {
  const CellsFilmResult result =
      followed("a.avi", {64, 48, 1, 3}, {straight_track(1, 1, 1, 5, 5, 0)});
  const Json data = Json::parse(cells_page_data(result, {}, ""));
  EXPECT_TRUE(data["tracks"][0]["steps"]["speed"][0].is_null());
  EXPECT_TRUE(data["tracks"][0]["mean_speed"].is_null());
}

TEST(CellsPageFilm, ShortFilmsKeepTheirSize) {
  const PageFilmPlan plan = plan_page_film(641, 479, 300, 45'000'000);
  EXPECT_EQ(plan.width, 641);
  EXPECT_EQ(plan.height, 479);
}

TEST(CellsPageFilm, TenMinutesAtVgaKeepTheirSizeToo) {
  const PageFilmPlan plan = plan_page_film(640, 480, 18'000, 36'000'000);
  EXPECT_EQ(plan.width, 640);
  EXPECT_LE(plan.bits_per_second / 8 * 601, 36'000'000);
}

TEST(CellsPageFilm, LargeOrLongFilmsAreMadeSmaller) {
  const PageFilmPlan large = plan_page_film(4096, 2048, 30, 45'000'000);
  EXPECT_EQ(large.width, 1920);
  EXPECT_EQ(large.height, 960);
  const PageFilmPlan longer = plan_page_film(640, 480, 200'000, 36'000'000);
  EXPECT_LT(longer.width, 400);
  EXPECT_GE(longer.width, 16);
  EXPECT_EQ(longer.width % 2, 0);
}

}  // namespace
}  // namespace tessera
