// SPDX-License-Identifier: Apache-2.0
#include "jobs/picture.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "io/child_process.hpp"
#include "tests/support/files.hpp"

namespace tessera {
namespace {

std::vector<FilterFigure> figures() {
  std::vector<FilterFigure> all;
  for (int width = 3; width <= 11; width += 2)
    for (int height = 3; height <= 9; height += 2)
      all.push_back({width, height, 60.0 / (width * height)});
  return all;
}

/// Bars with one figure and with both, lines over numbers and over names.
std::vector<StudyPanel> study_panels_of(const std::string& title) {
  return {{.title = title,
           .unit = "ms",
           .bars = {{"row \"a\"", 2.0, 50.0, "Fermi"}, {"b", 0.5, {}, ""}, {"c", {}, 7.0, ""}}},
          {.title = "threads",
           .unit = "ms",
           .lines = {{"simd", {{1, 8}, {2, 4}}}, {"simd, X5680", {{1, 80}}, true}},
           .over = "threads"},
          {.title = "tiles",
           .unit = "ms",
           .lines = {{"texture", {{0, 3}, {1, 4}}}},
           .over = "tile",
           .x_names = {"250x2", "125x4"}}};
}

std::vector<Plot> every_plot(PictureFormat format) {
  const std::string title = "A user's \"title\" may hold: `$x` %s {a_b}";
  return {plot_speed(title, figures(), format),
          plot_tiles(title, {{3, 3, 4}, {7, 3, 2}}, format),
          plot_over_fft(title, figures(), format),
          plot_over_fft(title, {{3, 3, 5}}, format),
          plot_shares(title, "block size", {{"16x32", 0.25}, {"16x64", 0.75}}, format),
          plot_speed(title, {}, format),
          plot_speed(title, {{3, 3, 4}, {5, 3, 2, false}}, format),
          plot_study(title, study_panels_of(title), format)};
}

class Pictures : public ::testing::Test {
 protected:
  std::string path(const char* name) const { return folder_.path(name); }
  testing::TemporaryFolder folder_;
};

TEST_F(Pictures, EveryPlotIsDrawn) {
  if (find_program("gnuplot", "TESSERA_GNUPLOT").empty()) GTEST_SKIP() << "gnuplot was not found";
  for (const Plot& plot : every_plot(PictureFormat::svg)) {
    const Picture picture = draw_picture(plot, path("a.svg"), true);
    EXPECT_EQ(picture.note, "");
    const std::string drawn = testing::read_bytes(picture.path);
    EXPECT_NE(drawn.find("<svg"), std::string::npos) << plot.script;
    EXPECT_NE(drawn.find("</svg>"), std::string::npos) << "cut off";
    EXPECT_NE(drawn.find("title"), std::string::npos);
    EXPECT_EQ(testing::read_bytes(path("a.tsv")), plot.numbers);
  }
  draw_picture(every_plot(PictureFormat::png)[0], path("b.png"), false);
  EXPECT_EQ(testing::read_bytes(path("b.png")).substr(1, 3), "PNG");
}

TEST_F(Pictures, WhatCannotBeIsKnownBeforeTheWork) {
  using testing::expect_error;
  check_pictures({path("a.svg"), "", path("b.svg")}, false);
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path(""))) << "only looked at";
  expect_error([&] { check_pictures({path("a.gif")}, false); }, ErrorKind::usage, ".svg or .png");
  expect_error(
      [&] {
        check_pictures({path("a.svg"), path("a.png")}, true);
      },
      ErrorKind::usage, "both have their figures in");
  std::ofstream(path("a.tsv")) << "mine";
  expect_error([&] { check_pictures({path("a.svg")}, false); }, ErrorKind::usage, "a.tsv exists");
  check_pictures({path("a.svg")}, true);
  std::ofstream(path("b.gp")) << "mine";
  setenv("TESSERA_GNUPLOT", "/no/such/program", 1);
  expect_error([&] { check_pictures({path("b.svg")}, false); }, ErrorKind::usage, "b.gp exists");
  unsetenv("TESSERA_GNUPLOT");
}

TEST_F(Pictures, WithoutGnuplotTheFiguresAndTheScriptAreThere) {
  setenv("TESSERA_GNUPLOT", "/no/such/program", 1);
  const Plot plot = plot_speed("speed", figures(), PictureFormat::svg);
  const Picture picture = draw_picture(plot, path("c.svg"), false);
  unsetenv("TESSERA_GNUPLOT");
  EXPECT_EQ(picture.path, "");
  EXPECT_NE(picture.note.find("gnuplot was not found"), std::string::npos) << picture.note;
  EXPECT_FALSE(std::filesystem::exists(path("c.svg")));
  EXPECT_EQ(testing::read_bytes(path("c.gp")), plot.script);
  EXPECT_EQ(testing::read_bytes(path("c.tsv"))
                .rfind("filter_width\tfilter_height\tgflops\tmeasured\n3\t3\t", 0),
            0U);
}

TEST_F(Pictures, InterpolatedFieldsAreHatchedAndSayNo) {
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  const Plot mixed = plot_over_fft("speed", {{3, 3, 4}, {5, 3, 2, false}}, PictureFormat::svg);
  EXPECT_TRUE(has(mixed.numbers, "3\t3\t4\tyes\n5\t3\t2\tno\n")) << mixed.numbers;
  EXPECT_TRUE(has(mixed.script, "$interpolated << TESSERA_END\n5 3 4 6 2.5 3.5 2\nTESSERA_END"))
      << mixed.script;
  EXPECT_TRUE(has(mixed.script, "hatched: interpolated, not measured"));
  const Plot measured = plot_over_fft("speed", {{3, 3, 4}, {5, 3, 2}}, PictureFormat::svg);
  EXPECT_FALSE(has(measured.script, "interpolated")) << measured.script;
}

TEST_F(Pictures, RefuseOtherNamesAndFilesThatAreThere) {
  const Plot plot = plot_speed("speed", figures(), PictureFormat::svg);
  testing::expect_error([&] { draw_picture(plot, path("d.gif"), false); }, ErrorKind::usage,
                        ".svg or .png");
  std::ofstream(path("e.tsv")) << "mine";
  testing::expect_error([&] { draw_picture(plot, path("e.svg"), false); }, ErrorKind::usage,
                        "e.tsv");
  EXPECT_EQ(testing::read_bytes(path("e.tsv")), "mine");
}

TEST_F(Pictures, AFailingProgramLeavesNoPicture) {
  if (find_program("gnuplot", "TESSERA_GNUPLOT").empty()) GTEST_SKIP() << "gnuplot was not found";
  testing::expect_error(
      [&] {
        draw_picture({"this is not a command\n", "x\n"}, path("f.svg"), false);
      },
      ErrorKind::failure, "gnuplot failed");
  EXPECT_FALSE(std::filesystem::exists(path("f.svg")));
}

}  // namespace
}  // namespace tessera
