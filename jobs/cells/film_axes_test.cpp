// SPDX-License-Identifier: Apache-2.0
// Which planes of a stack become frames: channels, slices, maxima, and the sentences about them.
#include "jobs/cells/film_axes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "jobs/cells/cells_calibrate.hpp"
#include "jobs/cells/film_projection.hpp"
#include "jobs/cells/film_source.hpp"
#include "tests/support/files.hpp"
#include "tests/support/format_checks.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/tiff_stacks.hpp"

namespace tessera::testing {
namespace {

class FilmAxes : public FormatTest {
 protected:
  FilmAxes() : FormatTest("TIFF") {}

  const std::string& file(const TiffTestStack& stack) {
    std::filesystem::remove(path_);
    write_bytes(path_, stack.bytes());
    return path_;
  }
  static FilmReading chosen(std::optional<int> channel, std::optional<FilmSlice> z = {}) {
    FilmReading reading;
    reading.choice = {channel, z};
    return reading;
  }
  /// Every frame has one value more per pixel, so the planes follow from its first pixels: that of
  /// frame k must be `plane(k)`.
  template <class Plane>
  void expect_frames(const TiffTestStack& stack, const FilmReading& reading, int frames,
                     const Plane& plane) {
    FilmSource film(path_, reading);
    ASSERT_EQ(film.frames(), frames);
    Image frame;
    for (int k = 0; k < frames; ++k) {
      ASSERT_TRUE(film.next(frame)) << film.damage();
      for (int y = 0; y < stack.height; ++y)
        for (int x = 0; x < stack.width; ++x)
          ASSERT_EQ(value_at(frame.view(), x, y), stack.sample(plane(k), x, y)) << k;
    }
    EXPECT_FALSE(film.next(frame));
    EXPECT_EQ(film.damage(), "");
  }
  void expect_refused(const FilmReading& reading, const std::string& sentence,
                      ErrorKind kind = ErrorKind::usage) {
    try {
      FilmSource film(path_, reading);
      FAIL() << "it is not refused: " << sentence;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), kind);
      EXPECT_EQ(error.what(), path_ + ": " + sentence);
    }
  }
  std::string path_ = folder_.path("film.tif");
};

const TiffTestStack kHyperstack{
    .description = "ImageJ=1.54f\nimages=24\nchannels=2\nslices=3\nframes=4\nhyperstack=true\n",
    .images = 24,
    .little = false};

TEST_F(FilmAxes, ChannelsAndSlicesAreChosen) {
  file(kHyperstack);
  for (int c = 0; c < 2; ++c)
    for (int z = 0; z < 3; ++z)
      expect_frames(kHyperstack, chosen(c, FilmSlice{z}), 4,
                    [&](int t) { return (t * 3 + z) * 2 + c; });
  // Later planes of a test stack are brighter.
  expect_frames(kHyperstack, chosen(1, FilmSlice{0, true}), 4,
                [](int t) { return (t * 3 + 2) * 2 + 1; });
  FilmReading part = chosen(1, FilmSlice{2});
  part.first_frame = 1;
  part.frames = 2;
  expect_frames(kHyperstack, part, 2, [](int k) { return ((k + 1) * 3 + 2) * 2 + 1; });
}

TEST_F(FilmAxes, OmeIsReadInItsOrder) {
  TiffTestStack stack{.images = 24, .directories = 24};
  stack.description = ome_text(
      "DimensionOrder=\"XYTZC\" SizeC=\"2\" SizeZ=\"3\" SizeT=\"4\" PhysicalSizeX=\"500\" "
      "PhysicalSizeXUnit=\"nm\" TimeIncrement=\"0.25\"");
  file(stack);
  expect_frames(stack, chosen(1, FilmSlice{2}), 4, [](int t) { return 12 + 2 * 4 + t; });
  const FilmSource film(path_, chosen(1, FilmSlice{2}));
  EXPECT_DOUBLE_EQ(film.um_per_pixel(), 0.5);
  EXPECT_EQ(film.timing().frames_a_second, 4);
}

TEST_F(FilmAxes, ChoicesThatAreMissing) {
  file(kHyperstack);
  expect_refused({},
                 "it has 4 frames, 3 slices and 2 channels; give --channel 0 to 1 to choose a "
                 "channel, and --z 0 to 2 to choose a slice or --z max for their maximum");
  expect_refused(chosen(1),
                 "it has 4 frames, 3 slices and 2 channels; give --z 0 to 2 to choose a slice or "
                 "--z max for their maximum");
  expect_refused(chosen({}, FilmSlice{1}),
                 "it has 4 frames, 3 slices and 2 channels; give --channel 0 to 1 to choose a "
                 "channel");
  file({.description = "ImageJ=1.54f\nimages=3\nchannels=3\n", .images = 3});
  expect_refused({}, "it has 3 channels; give --channel 0 to 2 to choose a channel");
}

TEST_F(FilmAxes, ChoicesThatDoNotExist) {
  file(kHyperstack);
  expect_refused(chosen(2, FilmSlice{0}), "there is no channel 2; --channel can be 0 to 1");
  expect_refused(chosen(-1, FilmSlice{0}), "there is no channel -1; --channel can be 0 to 1");
  expect_refused(chosen(0, FilmSlice{3}), "there is no slice 3; --z can be 0 to 2");
  for (const char* text : {"", "ImageJ=1.54f\nimages=2\nframes=2\n"}) {
    file({.description = text, .images = 2, .directories = 2});
    expect_refused(chosen(0), "it has no axis of channels; leave --channel out");
    expect_refused(chosen({}, FilmSlice{0, true}), "it has no axis of slices; leave --z out");
  }
}

TEST_F(FilmAxes, SlicesAloneAreFrames) {
  const TiffTestStack stack{.description = "ImageJ=1.54f\nimages=5\nslices=5\n", .images = 5};
  file(stack);
  expect_frames(stack, {}, 5, [](int k) { return k; });
  EXPECT_EQ(FilmSource(path_, {}).notes(),
            std::vector<std::string>{path_ +
                                     ": its 5 slices are taken as frames, because it has no other "
                                     "axis of time; --z chooses one of them"});
  expect_frames(stack, chosen({}, FilmSlice{3}), 1, [](int) { return 3; });
  expect_frames(stack, chosen({}, FilmSlice{0, true}), 1, [](int) { return 4; });
  const TiffTestStack two{.description = "ImageJ=1.54f\nimages=6\nchannels=2\nslices=3\n",
                          .images = 6};
  file(two);
  expect_frames(two, chosen(1), 3, [](int k) { return 2 * k + 1; });
  const TiffTestStack plain{.images = 4, .directories = 4};
  file(plain);
  expect_frames(plain, {}, 4, [](int k) { return k; });
  EXPECT_TRUE(FilmSource(path_, {}).notes().empty());
}

TEST_F(FilmAxes, Int16KeepsItsValues) {
  const TiffTestStack stack{.description = "ImageJ=1.54f\nimages=3\nframes=3\n",
                            .images = 3,
                            .little = false,
                            .with_sign = true};
  ASSERT_LT(stack.sample(0, 0, 0), 0);
  file(stack);
  EXPECT_EQ(FilmSource(path_, {}).frame().type, Type::f32);
  expect_frames(stack, {}, 3, [](int k) { return k; });
}

TEST_F(FilmAxes, StacksOfSeveralFilesAreRefused) {
  const std::string sizes = "DimensionOrder=\"XYCZT\" SizeC=\"1\" SizeZ=\"1\" SizeT=\"2\"";
  TiffTestStack stack;
  stack.description =
      ome_text(sizes, "<TiffData FirstT=\"1\"><UUID FileName=\"b.ome.tif\">u</UUID></TiffData>");
  file(stack);
  expect_refused({},
                 "its OME-XML places planes in another file (b.ome.tif), and a film must be one "
                 "file; export it as one OME-TIFF",
                 ErrorKind::input);
}

TEST_F(FilmAxes, AxesWithoutNamesAreRefused) {
  const TiffTestStack unnamed{
      .description = R"({"shape": [3, 2, 6, 8]})", .images = 6, .directories = 6};
  file(unnamed);
  const std::string sentence =
      "its axes are not clear: its 6 pages are 3 x 2, of which it does not say which are frames "
      "(T), slices (Z) and channels (C); save it as an ImageJ or OME stack, or name them to "
      "tifffile, as in metadata={'axes': 'TCYX'}";
  expect_refused({}, sentence, ErrorKind::input);
  expect_refused(chosen(1), sentence, ErrorKind::input);
  TiffTestStack named = unnamed;
  named.description = R"({"shape": [3, 2, 6, 8], "axes": "TCYX"})";
  file(named);
  expect_frames(named, chosen(1), 3, [](int k) { return 2 * k + 1; });
  expect_refused({}, "it has 3 frames and 2 channels; give --channel 0 to 1 to choose a channel");
}

TEST_F(FilmAxes, ChannelsThatDoNotFitThePagesAreRefused) {
  file({.description = "ImageJ=1.54f\nimages=8\nchannels=2\nframes=4\n",
        .images = 5,
        .directories = 5});
  for (const FilmReading& reading : {FilmReading(), chosen(1)})
    expect_refused(reading,
                   "its axes are not clear: ImageJ names 2 channels, 1 slice and 4 frames, which "
                   "are 8 images; it has 5; save the film again as an ImageJ or OME stack",
                   ErrorKind::input);
}

TEST_F(FilmAxes, FramesBeforeAMissingPageAreRead) {
  TiffTestStack stack{.images = 3, .directories = 3};
  stack.description = ome_text("DimensionOrder=\"XYCZT\" SizeC=\"1\" SizeZ=\"1\" SizeT=\"5\"");
  FilmSource film(file(stack), {});
  Image frame;
  int frames = 0;
  while (film.next(frame)) ++frames;
  EXPECT_EQ(frames, 3);
  EXPECT_EQ(film.damage(), path_ + ": it has no page for frame 3, slice 0, channel 0");
  // Cut short inside the fourth image: the three before it are read.
  const TiffTestStack five{.description = "ImageJ=1.54f\nimages=5\n", .images = 5};
  const std::string bytes = five.bytes();
  write_bytes(path_, bytes.substr(0, bytes.size() - 2 * 96 + 20));
  FilmSource cut(path_, {});
  for (frames = 0; cut.next(frame);) ++frames;
  EXPECT_EQ(frames, 3);
  EXPECT_NE(cut.damage().find("names 5 images"), std::string::npos) << cut.damage();
}

TEST_F(FilmAxes, CalibrationsAreGivenOrOfTheFilm) {
  TiffTestStack stack{.description =
                          "ImageJ=1.54f\nimages=2\nframes=2\nunit=micron\n"
                          "finterval=0.5\n",
                      .images = 2,
                      .x_per_unit = 3.125};
  CellsJob job;
  job.input = file(stack);
  std::vector<std::string> notes;
  const CellsCalibration own = calibrate(job, FilmSource(path_, {}), notes);
  EXPECT_EQ(calibration_text(own), "2 frames per second (film), 0.32 um per pixel (film)");
  EXPECT_TRUE(notes.empty());
  job.film.frame_rate = 2;  // the same as the film's: nothing to say
  job.film.um_per_pixel = 0.5;
  const CellsCalibration given = calibrate(job, FilmSource(path_, {}), notes);
  EXPECT_EQ(calibration_text(given), "2 frames per second (given), 0.5 um per pixel (given)");
  EXPECT_EQ(notes,
            std::vector<std::string>{path_ + " states 0.32 um per pixel; the given 0.5 are used"});
  stack.description = "";
  file(stack);
  notes.clear();
  const CellsCalibration none = calibrate(CellsJob{path_}, FilmSource(path_, {}), notes);
  EXPECT_EQ(calibration_text(none), "30 frames per second (assumed)");
  EXPECT_EQ(none.um_per_pixel_from, "unknown");
  EXPECT_EQ(notes.size(), 1U);
}

TEST(FilmSliceText, IsANumberOrMax) {
  FilmSlice slice;
  from_text("--z", "max", slice);
  EXPECT_EQ(to_text(slice), "max");
  from_text("--z", "12", slice);
  EXPECT_EQ(slice, FilmSlice{12});
  EXPECT_EQ(to_text(slice), "12");
  for (const char* text : {"", "mean", "1.5", "MAX"})
    expect_error([&] { from_text("--z", text, slice); }, ErrorKind::usage,
                 "' is not a slice; it can be a number from 0 on, or max");
}

TEST(FilmProjection, KeepsTheLargerOfEveryType) {
  for (const Type type : {Type::u8, Type::u16, Type::f32, Type::f64}) {
    const Image first = random_image({9, 7, 1, 1}, type, 1), second = random_image({9, 7}, type, 2);
    Image kept = copy(first.view());
    keep_maximum(second.view(), kept.view());
    for (int y = 0; y < 7; ++y)
      for (int x = 0; x < 9; ++x)
        EXPECT_EQ(value_at(kept.view(), x, y),
                  std::max(value_at(first.view(), x, y), value_at(second.view(), x, y)));
  }
  Image nan({2, 1}, Type::f32), one({2, 1}, Type::f32);
  nan.as<float>().at(0, 0) = NAN;
  one.as<float>().at(0, 0) = 1;
  one.as<float>().at(1, 0) = NAN;
  keep_maximum(std::as_const(one).view(), nan.view());
  EXPECT_EQ(nan.as<float>().at(0, 0), 1);
  EXPECT_EQ(nan.as<float>().at(1, 0), 0);
}

}  // namespace
}  // namespace tessera::testing
