// SPDX-License-Identifier: Apache-2.0
#include "io/video/video.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "io/child_process.hpp"
#include "io/video/video_program.hpp"
#include "tests/support/files.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/process.hpp"
#include "tests/support/sample_lists.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/sweep.hpp"
#include "tests/support/views.hpp"

namespace tessera {
namespace {

using namespace testing;

class Video : public ::testing::Test {
 protected:
  void SetUp() override {
    if (find_program("ffmpeg", "TESSERA_FFMPEG").empty() ||
        find_program("ffprobe", "TESSERA_FFPROBE").empty())
      GTEST_SKIP() << "ffmpeg and ffprobe are not on PATH";
  }
  Image made(const std::string& name, Size size, Type type) {
    Image image = random_image(size, type, 1);
    write_image(folder_.path(name), image.view(), {.force = true});
    return image;
  }
  void ffmpeg(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"ffmpeg", "-nostdin", "-loglevel", "error", "-y"});
    const Outcome outcome = Process(arguments).wait();
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }
  TemporaryFolder folder_;
};

TEST_F(Video, KeepsEverySampleOfLosslessFiles) {
  struct Case {
    const char* name;
    Type type;
    int channels;
  };
  const Case cases[] = {{"a.avi", Type::u8, 1}, {"a.avi", Type::u8, 3},  {"a.mkv", Type::u8, 1},
                        {"a.mkv", Type::u8, 3}, {"a.mkv", Type::u16, 1}, {"a.mkv", Type::u16, 3},
                        {"A.MKV", Type::u16, 3}};
  for (const Case& c : cases) {
    const Image image = made(c.name, {33, 17, c.channels, 4}, c.type);
    const Image back = read_image(folder_.path(c.name));
    ASSERT_EQ(back.info(), image.info()) << c.name;
    EXPECT_TRUE(same_samples(image.view(), back.view())) << c.name << c.channels;
  }
}

TEST_F(Video, WritesTheSameBytesTwice) {
  for (const char* name : {"a.avi", "a.mkv"}) {
    made(name, {32, 16, 3, 3}, Type::u8);
    const std::string first = read_bytes(folder_.path(name));
    made(name, {32, 16, 3, 3}, Type::u8);
    EXPECT_EQ(first, read_bytes(folder_.path(name)));
  }
}

TEST_F(Video, WritesH264NearlyAsGiven) {
  Image image(Size{64, 48, 3, 5}, Type::u8);
  for (int p = 0; p < 5; ++p)
    for (int y = 0; y < 48; ++y)
      for (int x = 0; x < 64; ++x)
        for (int c = 0; c < 3; ++c)
          image.as<unsigned char>().at(x, y, c, p) =
              static_cast<unsigned char>(60 + 2 * y + 10 * p);
  for (const char* name : {"a.mp4", "a.mov", "a.m4v"}) {
    write_image(folder_.path(name), image.view(), {.frame_rate = 10});
    const auto source = open_image(folder_.path(name));
    EXPECT_EQ(source->info(), image.info());
    EXPECT_EQ(detail(*source, "codec"), "h264");
    EXPECT_EQ(detail(*source, "pixels"), "yuv420p");
    EXPECT_EQ(detail(*source, "frames"), "5");
    EXPECT_EQ(detail(*source, "frame rate"), "10 per second");
    EXPECT_EQ(detail(*source, "duration"), "0.5 s");
    const Image back = read_image(folder_.path(name));
    for (int p = 0; p < 5; ++p)
      EXPECT_NEAR(static_cast<double>(sample_at(AnyView(back.view().only_plane(p)), 30, 20, 1)),
                  100 + 10 * p, 4)
          << name;
  }
}

TEST_F(Video, TakesFrameRates) {
  const auto check = [&](const std::string& name, double rate) {
    const Image image = random_image({32, 16, 3, 6}, Type::u8, 1);
    write_image(folder_.path(name), image.view(), {.force = true, .frame_rate = rate});
    const Image back = read_image(folder_.path(name));
    EXPECT_EQ(back.info().size, image.info().size) << name << " " << rate;
    if (name != "a.mp4") {
      EXPECT_TRUE(same_samples(image.view(), back.view()));
    }
  };
  for_cases(1, check, std::vector<std::string>{"a.avi", "a.mkv", "a.mp4"},
            std::vector{29.97, 1000.0});
}

TEST_F(Video, ReadsFramesAndRowsInAnyOrder) {
  for (const char* name : {"a.avi", "a.mkv"}) {
    const Image image = made(name, {32, 20, 3, 6}, Type::u8);
    const auto source = open_image(folder_.path(name));
    EXPECT_TRUE(source->planes_in_turn());
    Image rows(Size{32, 7, 3}, Type::u8);
    for (const int plane : {4, 4, 5, 1, 0, 3}) {
      source->read_plane(plane, {6, 13}, rows.view());
      EXPECT_TRUE(same_samples(AnyView(image.view().only_plane(plane).rows(6, 7)), rows.view()))
          << plane;
    }
  }
}

TEST_F(Video, ReadsTheFramesThatAreAskedFor) {
  for (const char* name : {"a.avi", "a.mkv"}) {
    const Image image = made(name, {32, 20, 1, 9}, Type::u8);
    const Image part = read_image(folder_.path(name), {.first_frame = 3, .frames = 4});
    ASSERT_EQ(part.info().size, (Size{32, 20, 1, 4}));
    for (int p = 0; p < 4; ++p)
      EXPECT_TRUE(same_samples(AnyView(image.view().only_plane(p + 3)),
                               AnyView(part.view().only_plane(p))));
    EXPECT_EQ(read_image(folder_.path(name), {.first_frame = 8}).info().size.planes, 1);
  }
}

TEST_F(Video, SaysWhichFramesThereAre) {
  made("a.avi", {32, 20, 1, 9}, Type::u8);
  struct Case {
    int first;
    std::optional<int> frames;
    const char* part;
  };
  const Case cases[] = {
      {9, {}, "a.avi: there is no frame 9; it has 9, counted from 0"},
      {-1, {}, "there is no frame -1"},
      {0, 10, "10 frames from frame 0 on cannot be read; it has 9"},
      {8, 2, "2 frames from frame 8 on cannot be read"},
      {0, 0, "0 frames from frame 0 on cannot be read"},
  };
  for (const Case& c : cases)
    expect_error(
        [&] { open_image(folder_.path("a.avi"), {.first_frame = c.first, .frames = c.frames}); },
        ErrorKind::usage, c.part);
}

TEST_F(Video, ObeysTheLimits) {
  made("a.avi", {32, 20, 1, 9}, Type::u8);
  expect_error([&] { open_image(folder_.path("a.avi"), {.limits = {.pages = 8}}); },
               ErrorKind::input, "it has 9 pages; the limit is 8, see the option max-pages");
  expect_error([&] { open_image(folder_.path("a.avi"), {.limits = {.side = 31}}); },
               ErrorKind::input, "its width is 32; the limit is 31, see the option max-side");
}

TEST_F(Video, CountsFramesWhereTheFileDoesNotSay) {
  ffmpeg({"-f", "lavfi", "-i", "testsrc=size=64x48:rate=25:duration=1", "-c:v", "ffv1", "-pix_fmt",
          "gray10le", folder_.path("a.mkv")});
  const auto source = open_image(folder_.path("a.mkv"));
  EXPECT_EQ(source->info(), (ImageInfo{{64, 48, 1, 25}, Type::u16}));
  const Image image = read_image(folder_.path("a.mkv"));
  long long greatest = 0;
  for (int y = 0; y < 48; ++y)
    for (int x = 0; x < 64; ++x) greatest = std::max(greatest, sample_at(image.view(), x, y, 0));
  EXPECT_GT(greatest, 255);
  EXPECT_LT(greatest, 1024) << "10 bits stay 10 bits";
}

TEST_F(Video, ReadsWhatFfmpegMakes) {
  struct Case {
    const char *name, *codec, *pixels;
    int channels;
    Type type;
  };
  const Case cases[] = {
      {"a.webm", "libvpx", "yuv420p", 3, Type::u8},
      {"a.mpg", "mpeg2video", "yuv420p", 3, Type::u8},
      {"a.mp4", "libx264", "yuv420p10le", 3, Type::u16},
      {"a.avi", "mjpeg", "yuvj420p", 3, Type::u8},
      {"a.mov", "rawvideo", "rgb24", 3, Type::u8},
  };
  for (const Case& c : cases) {
    ffmpeg({"-f", "lavfi", "-i", "testsrc=size=64x48:rate=25:duration=0.4", "-c:v", c.codec,
            "-pix_fmt", c.pixels, folder_.path(c.name)});
    const Image image = read_image(folder_.path(c.name));
    EXPECT_EQ(image.info(), (ImageInfo{{64, 48, c.channels, 10}, c.type})) << c.name << c.codec;
    EXPECT_GT(sum_of(image.view()), 0) << c.name;
  }
}

TEST_F(Video, RefusesWhatItCannotReadWithASentence) {
  write_bytes(folder_.path("text.avi"), "this is only text, and there is more of it");
  write_bytes(folder_.path("list.avi"), "#EXTM3U\n#EXTINF:1,\nother.avi\n");
  write_bytes(folder_.path("empty.mp4"), "");
  write_bytes(folder_.path("start.avi"), std::string("RIFF\0\0\0\0AVI LIST", 16));
  ffmpeg(
      {"-f", "lavfi", "-i", "sine=duration=0.2", "-c:a", "pcm_s16le", folder_.path("sound.mkv")});
  struct Case {
    const char *name, *part;
  };
  const Case cases[] = {
      {"text.avi", "text.avi: it does not begin like a video"},
      {"list.avi", "it does not begin like a video"},
      {"empty.mp4", "it does not begin like a video"},
      {"start.avi", "start.avi: ffprobe cannot read it: "},
      {"sound.mkv", "sound.mkv: it has no video stream"},
  };
  for (const Case& c : cases)
    expect_error([&] { open_image(folder_.path(c.name)); }, ErrorKind::input, c.part);
}

TEST_F(Video, NamesTheFrameWhereAFileEnds) {
  const Image image = made("a.avi", {64, 48, 3, 20}, Type::u8);
  const std::string whole = read_bytes(folder_.path("a.avi"));
  write_bytes(folder_.path("a.avi"), whole.substr(0, whole.size() * 6 / 10));
  expect_error([&] { read_image(folder_.path("a.avi")); }, ErrorKind::input,
               "a.avi: it ends at frame 11 of 20");
  const auto source = open_image(folder_.path("a.avi"), {.allow_truncated = true});
  Image target(image.info());
  source->read({0, 48}, target.view());
  for (int p = 0; p < 11; ++p)
    EXPECT_TRUE(
        same_samples(AnyView(image.view().only_plane(p)), AnyView(target.view().only_plane(p))));
  for (int p = 11; p < 20; ++p) EXPECT_EQ(sum_of(AnyView(target.view().only_plane(p))), 0);
  ASSERT_EQ(source->warnings().size(), 1u);
  EXPECT_NE(source->warnings()[0].find("frames 11 to 19 are missing"), std::string::npos)
      << source->warnings()[0];
}

TEST_F(Video, NoticesDamagedFrames) {
  made("a.mkv", {64, 48, 3, 10}, Type::u8);
  std::string bytes = read_bytes(folder_.path("a.mkv"));
  for (size_t i = bytes.size() / 2; i < bytes.size() / 2 + 8; ++i)
    bytes[i] = static_cast<char>(bytes[i] ^ 0x55);
  write_bytes(folder_.path("a.mkv"), bytes);
  expect_error([&] { read_image(folder_.path("a.mkv")); }, ErrorKind::input, "a.mkv: it ");
  const auto source = open_image(folder_.path("a.mkv"), {.allow_truncated = true});
  Image target(source->info());
  source->read({0, 48}, target.view());
  EXPECT_EQ(source->warnings().size(), 1u);
}

TEST_F(Video, SurvivesCutsAndChanges) {
  made("a.avi", {32, 16, 1, 3}, Type::u8);
  const std::string whole = read_bytes(folder_.path("a.avi"));
  for (size_t i = 1; i < 16; i += 3) {
    std::string changed = whole.substr(0, i % 2 ? whole.size() : whole.size() * i / 16);
    changed[i * 16] = static_cast<char>(changed[i * 16] ^ 0x55);
    write_bytes(folder_.path("b.avi"), changed);
    try {
      read_image(folder_.path("b.avi"));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
    }
  }
}

TEST_F(Video, TakesAnyNameForAName) {
  const Image image = random_image({32, 16, 1, 2}, Type::u8, 1);
  for (const char* name : {"-y.avi", "concat:a|b%03d.mkv", "a b\n'$.avi"}) {
    write_image(folder_.path(name), image.view());
    EXPECT_TRUE(same_samples(image.view(), testing::short_view(read_image(folder_.path(name)))))
        << name;
  }
}

TEST_F(Video, WritesOnlyWhatItCanHold) {
  struct Case {
    const char* name;
    ImageInfo info;
    double rate;
    const char* part;
  };
  const Case cases[] = {
      {"a.avi", {{2, 2}, Type::f32}, 25, "this image is f32: convert it to u8 first"},
      {"a.avi",
       {{2, 2}, Type::u16},
       25,
       "a.avi: only .mkv holds u16: give a name that ends with .mkv"},
      {"a.mp4", {{2, 2}, Type::u16}, 25, "only .mkv holds u16"},
      {"a.mkv", {{2, 2, 4}, Type::u8}, 25, "videos hold 1 or 3 channels; this image has 4"},
      {"a.mp4", {{3, 2}, Type::u8}, 25, "an even width and height; this image has 3x2"},
      {"a.webm", {{2, 2}, Type::u8}, 25, "'.webm' videos can only be read; .avi (uncompressed)"},
      {"a.avi",
       {{2, 2}, Type::u8},
       0,
       "frame-rate is 0; it can be 0.001 to 1000 frames per second"},
      {"a.avi", {{2, 2}, Type::u8}, -1, "frame-rate is -1; it can be"},
      {"a.avi", {{2, 2}, Type::u8}, 1e9, "frame-rate is 1000000000; it can be"},
  };
  for (const Case& c : cases)
    expect_error([&] { create_image(folder_.path(c.name), c.info, {.frame_rate = c.rate}); },
                 ErrorKind::usage, c.part);
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_F(Video, IsOldOrWhole) {
  for (const char* name : {"a.avi", "a.mkv", "a.mp4"}) {
    write_bytes(folder_.path(name), "old");
    const Image image = random_image({32, 16, 1, 2}, Type::u8, 1);
    expect_error([&] { create_image(folder_.path(name), image.info()); }, ErrorKind::usage,
                 "exists; give the option force");
    {
      const auto sink = create_image(folder_.path(name), image.info(), {.force = true});
      sink->write_plane(0, {0, 16}, AnyView(image.view().only_plane(0)));
      expect_error([&] { sink->finish(); }, ErrorKind::failure, "frame 1 comes next");
      expect_error(
          [&] {
            sink->write_plane(0, {0, 16}, AnyView(image.view().only_plane(0)));
          },
          ErrorKind::failure, "frame 0 is written but frame 1 comes next");
    }
    EXPECT_EQ(read_bytes(folder_.path(name)), "old");
  }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path()), {}), 3);
}

TEST_F(Video, SaysWhatFfmpegSaid) {
  write_bytes(folder_.path("program"), "#!/bin/sh\necho '[avi @ 0x1] no luck today' >&2\nexit 1\n");
  std::filesystem::permissions(folder_.path("program"), std::filesystem::perms::owner_all);
  const Image image = random_image({320, 240, 3, 2}, Type::u8, 1);
  ::setenv("TESSERA_FFMPEG", folder_.path("program").c_str(), 1);
  expect_error([&] { write_image(folder_.path("a.avi"), image.view()); }, ErrorKind::failure,
               "a.avi: ffmpeg cannot write it: avi: no luck today");
  ::setenv("TESSERA_FFMPEG", "/no/such", 1);
  expect_error([&] { write_image(folder_.path("a.avi"), image.view()); }, ErrorKind::failure,
               "TESSERA_FFMPEG names /no/such, which cannot be run");
  ::unsetenv("TESSERA_FFMPEG");
  EXPECT_FALSE(std::filesystem::exists(folder_.path("a.avi")));
}

TEST_F(Video, SaysThatAProgramIsMissing) {
  made("a.avi", {32, 16, 1, 2}, Type::u8);
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", "/no/such", 1);
  expect_error([&] { open_image(folder_.path("a.avi")); }, ErrorKind::failure,
               "video needs the ffprobe program, which is not on PATH; install it");
  ::setenv("PATH", path.c_str(), 1);
}

TEST(VideoSignature, KnowsItsFirstBytes) {
  EXPECT_TRUE(is_video(std::string_view("RIFF....AVI LIST", 16)));
  EXPECT_TRUE(
      is_video(std::string_view("\0\0\0\x20"
                                "ftypisom",
                                12)));
  EXPECT_TRUE(is_video("\x1a\x45\xdf\xa3...."));
  EXPECT_TRUE(is_video(std::string_view("\0\0\1\xba", 4)));
  EXPECT_FALSE(is_video("RIFF....WAVE"));
  EXPECT_FALSE(
      is_video(std::string_view("\0\0\0\x20"
                                "ftypheic",
                                12)));
  EXPECT_FALSE(
      is_video(std::string_view("\0\0\0\x20"
                                "ftypavif",
                                12)));
  EXPECT_FALSE(is_video("RIFF"));
  EXPECT_FALSE(is_video(""));
}

TEST(VideoProgram, SaysLinesPlainly) {
  EXPECT_EQ(plain_line("[avi @ 0xaaab] bad things"), "avi: bad things");
  EXPECT_EQ(plain_line("file:/proc/self/fd/3: Invalid data"), "Invalid data");
  EXPECT_EQ(plain_line("[NULL] odd"), "[NULL] odd");
}

}  // namespace
}  // namespace tessera
