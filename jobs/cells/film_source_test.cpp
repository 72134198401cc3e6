// SPDX-License-Identifier: Apache-2.0
// Films as frames: order of names, parts, colours, films that end early, and the timing of videos.
#include "jobs/cells/film_source.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "io/formats.hpp"
#include "io/video/video_answer.hpp"
#include "jobs/cells/film_files.hpp"
#include "tests/support/files.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"

namespace tessera::testing {
namespace {

int frames_read(FilmSource& film) {
  int count = 0;
  for (Image frame; film.next(frame);) ++count;
  return count;
}

TEST(FilmSource, NumbersInNamesAreCounted) {
  std::vector<std::string> names{"f10.png", "f9.png",  "f1.png",  "f002.png", "a7",
                                 "f2.png",  "f1a.png", "f02.png", "f.png"};
  std::ranges::sort(names, comes_before);
  EXPECT_EQ(names, (std::vector<std::string>{"a7", "f.png", "f1.png", "f1a.png", "f002.png",
                                             "f02.png", "f2.png", "f9.png", "f10.png"}));
}

TEST(FilmSource, PartsOfStacks) {
  TemporaryFolder folder;
  const Image film = random_image({20, 10, 1, 9}, Type::u16, 1);
  write_image(folder.path("film.npy"), film.view());
  FilmReading part;
  part.first_frame = 3;
  part.frames = 4;
  FilmSource source(folder.path("film.npy"), part);
  EXPECT_EQ(source.frames(), 4);
  EXPECT_EQ(source.first_frame(), 3);
  Image frame;
  for (int k = 3; k < 7; ++k) {
    ASSERT_TRUE(source.next(frame));
    EXPECT_EQ(frame.as<unsigned short>().at(7, 5), film.as<unsigned short>().at(7, 5, 0, k));
  }
  EXPECT_FALSE(source.next(frame));
  EXPECT_EQ(source.damage(), "");
  part.frames = 7;
  expect_error([&] { FilmSource(folder.path("film.npy"), part); }, ErrorKind::usage,
               "there are not 7 frames from frame 3 on; it has 9");
}

TEST(FilmSource, FramesInMemoryNeedNoFileAndKeepTheirSteps) {
  const Image film = random_image({20, 10, 1, 9}, Type::u16, 1);
  FilmReading part;
  part.in_memory = film.view();
  part.in_memory.data = part.in_memory.address(19, 0);  // columns from right to left
  part.in_memory.pixel = -1;
  part.first_frame = 3;
  part.frames = 4;
  FilmSource source("no such file", part);
  EXPECT_EQ(source.frames(), 4);
  EXPECT_EQ(source.format(), "array");
  FilmFrame frame;
  for (int k = 3; k < 7; ++k) {
    ASSERT_TRUE(source.next(frame));
    EXPECT_EQ(frame.view.as<const unsigned short>().at(7, 5),
              film.as<unsigned short>().at(12, 5, 0, k));
  }
  EXPECT_FALSE(source.next(frame));
  part.choice.channel = 1;
  expect_error([&] { FilmSource("array", part); }, ErrorKind::usage, "array");
  part.choice.channel.reset();
  part.first_frame = 9;
  expect_error([&] { FilmSource("array", part); }, ErrorKind::usage,
               "array: there is no frame 9; it has 9, counted from 0");
}

TEST(FilmSource, ColoursBecomeLuminanceAndAlphaGoes) {
  TemporaryFolder folder;
  for (const int channels : {2, 3, 4}) {
    const std::string path = folder.path("film" + std::to_string(channels) + ".npy");
    Image film({12, 10, channels, 2}, Type::u8);
    std::fill_n(film.as<unsigned char>().data, film.info().size.samples(), 90);
    for (int x = 0; x < 12 && channels != 3; ++x)
      film.as<unsigned char>().at(x, 4, channels - 1) = 7;  // alpha
    write_image(path, film.view());
    FilmSource source(path, {});
    EXPECT_EQ(source.frame().size, (Size{12, 10, 1, 1}));
    EXPECT_EQ(source.notes().size(), channels > 2 ? 1U : 0U);
    Image frame;
    ASSERT_TRUE(source.next(frame));
    for (int x = 0; x < 12; ++x) EXPECT_EQ(frame.as<unsigned char>().at(x, 4), 90);
  }
}

TEST(FilmSource, WhatEndsEarlyGivesItsFramesBefore) {
  TemporaryFolder folder;
  const Image film = random_image({20, 10, 1, 9}, Type::f32, 1);
  write_image(folder.path("film.npy"), film.view());
  const std::string bytes = read_bytes(folder.path("film.npy"));
  write_bytes(folder.path("cut.npy"), bytes.substr(0, bytes.size() - 2 * 20 * 10 * 4 - 8));
  FilmSource cut(folder.path("cut.npy"), {});
  EXPECT_EQ(frames_read(cut), 6);
  EXPECT_NE(cut.damage().find("there are "), std::string::npos) << cut.damage();
  Image strange = copy(film.view());
  strange.as<float>().at(3, 3, 0, 4) = NAN;
  write_image(folder.path("nan.npy"), strange.view());
  FilmSource nan(folder.path("nan.npy"), {});
  EXPECT_TRUE(nan.notes().empty());
  EXPECT_EQ(frames_read(nan), 9);
  EXPECT_EQ(nan.damage(), "");
  ASSERT_EQ(nan.notes().size(), 1U);
  EXPECT_NE(nan.notes()[0].find("1 of 9 frames has NaN"), std::string::npos) << nan.notes()[0];
}

TEST(FilmSource, PicturesMustBeAlike) {
  TemporaryFolder folder;
  std::filesystem::create_directory(folder.path("film"));
  for (int k = 0; k < 4; ++k)
    write_image(folder.path("film/" + std::to_string(k) + ".npy"),
                testing::short_view(random_image({20, k == 3 ? 11 : 10}, Type::u8, 1)));
  EXPECT_TRUE(is_picture_sequence(folder.path("film"), {}));
  FilmSource film(folder.path("film"), {});
  EXPECT_EQ(film.frames(), 4);
  EXPECT_EQ(frames_read(film), 3);
  EXPECT_NE(film.damage().find("3.npy: it is 20x11 u8, the first picture is 20x10 u8"),
            std::string::npos)
      << film.damage();
  write_image(folder.path("film/0.npy"),
              testing::short_view(random_image({20, 10, 1, 9}, Type::u8, 1)), {.force = true});
  EXPECT_FALSE(is_picture_sequence(folder.path("film"), {})) << "a folder of films";
  expect_error([&] { FilmSource(folder.path("film"), {}); }, ErrorKind::input,
               "0.npy: it holds 9 frames");
}

TEST(FilmSource, UnevenFramesOfVideosAreKnown) {
  const auto facts = [](const std::string& mean, const std::string& base) {
    return facts_of_answer(
        "film.mp4",
        R"({"pixel_formats":[{"name":"gray","components":[{"bit_depth":8}]}],"streams":[{"width":8,
            "height":8,"pix_fmt":"gray","nb_frames":"9","avg_frame_rate":")" +
            mean + R"(","r_frame_rate":")" + base + R"("}]})");
  };
  EXPECT_FALSE(facts("30000/1001", "30000/1001").variable_rate);
  EXPECT_FALSE(facts("25/1", "50/1").variable_rate) << "fields";
  EXPECT_FALSE(facts("2990/100", "30/1").variable_rate) << "the last frame";
  EXPECT_FALSE(facts("0/0", "30/1").variable_rate);
  EXPECT_EQ(facts("0/0", "30/1").frame_rate, 30);
  EXPECT_TRUE(facts("1304/100", "25/1").variable_rate);
  EXPECT_TRUE(facts("24/1", "90000/1").variable_rate);
}

}  // namespace
}  // namespace tessera::testing
