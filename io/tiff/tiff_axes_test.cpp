// SPDX-License-Identifier: Apache-2.0
// ImageJ's descriptions of stacks and OME-XML: sizes, orders, units and sentences.
#include "io/tiff/tiff_axes.hpp"

#include <gtest/gtest.h>

#include "io/units.hpp"
#include "tests/support/tiff_stacks.hpp"

namespace tessera {
namespace {

using testing::ome_text;

TiffStack stack_of(const std::string& description, int planes) {
  TiffStack stack;
  stack.name = "film.tif";
  stack.description = description;
  stack.planes = planes;
  stack.x_per_unit = stack.y_per_unit = 4;
  stack.resolution_unit = 1;
  return stack;
}

StackAxes imagej(const std::string& lines, int planes) {
  return tiff_axes(stack_of("ImageJ=1.54f\n" + lines, planes));
}

StackAxes ome(const std::string& attributes, int planes, const std::string& elements = "",
              const std::string& root_attributes = "") {
  return tiff_axes(stack_of(ome_text(attributes, elements, root_attributes), planes));
}

const std::string kSizes = "SizeX=\"8\" SizeY=\"6\" SizeC=\"2\" SizeZ=\"3\" SizeT=\"4\" ";

TEST(TiffAxes, OtherDescriptionsSayNothing) {
  for (const char* text : {"", "tessera 0.9: convolve", "<html></html>", "imagej=1", "SCIFIO=1"})
    EXPECT_EQ(tiff_axes(stack_of(text, 5)), StackAxes()) << text;
}

TEST(TiffAxes, ImageJHasChannelsFastest) {
  const StackAxes axes = imagej("images=24\nchannels=2\nslices=3\nframes=4\nhyperstack=true\n", 24);
  EXPECT_EQ(axes.from, "ImageJ");
  EXPECT_EQ(axes.text(), "4 frames, 3 slices and 2 channels");
  EXPECT_TRUE(axes.consistent());
  for (int t = 0; t < 4; ++t)
    for (int z = 0; z < 3; ++z)
      for (int c = 0; c < 2; ++c) EXPECT_EQ(axes.plane(t, z, c), (t * 3 + z) * 2 + c);
  EXPECT_EQ(imagej("images=7\r\nslices=7\r\nloop=false\r\n", 7).text(), "7 slices");
  EXPECT_EQ(imagej("images=7\nframes=7", 7).text(), "7 frames");
  EXPECT_EQ(imagej("images=7\n", 7).text(), "7 frames");  // without any axis
  EXPECT_EQ(imagej("min=0\n", 1).text(), "1 frame");
}

TEST(TiffAxes, SizesThatDoNotFitThePagesAreNotUsed) {
  const StackAxes axes = imagej("images=24\nframes=24\n", 20);
  EXPECT_EQ(axes.text(), "20 frames");
  EXPECT_EQ(axes.notes, std::vector<std::string>{
                            "ImageJ names 1 channel, 1 slice and 24 frames, which are 24 images; "
                            "it has 20, which are taken as frames"});
  EXPECT_EQ(imagej("images=9\n", 2).notes,
            std::vector<std::string>{"ImageJ names 9 images; it has 2, which are taken as frames"});
  for (const char* lines : {"channels=0\nslices=-4\nframes=x\n", "frames=99999999999999999999\n"})
    EXPECT_EQ(imagej(lines, 5).text(), "5 frames") << lines;
}

TEST(TiffAxes, ChannelsAndSlicesThatDoNotFitThePagesAreUnclear) {
  for (const int pages : {20, 25}) {
    const StackAxes axes = imagej("images=24\nchannels=2\nslices=3\nframes=4\nunit=um\n", pages);
    EXPECT_EQ(axes.wrong,
              "its axes are not clear: ImageJ names 2 channels, 3 slices and 4 frames, which are "
              "24 images; it has " +
                  std::to_string(pages) + "; save the film again as an ImageJ or OME stack");
    EXPECT_TRUE(axes.consistent());
    EXPECT_EQ(axes.um_per_pixel, 0.25);
    EXPECT_TRUE(axes.notes.empty());
  }
  EXPECT_NE(imagej("slices=3\nframes=4\n", 13).wrong, "");
  EXPECT_NE(imagej("channels=65536\nslices=65536\nframes=65536\n", 2).wrong, "");
  // A page by itself is a frame.
  EXPECT_EQ(imagej("channels=2\nframes=4\n", 1).text(), "1 frame");
  EXPECT_EQ(imagej("channels=2\nframes=4\n", 1).wrong, "");
}

StackAxes tifffile(const std::string& json, int planes) {
  return tiff_axes(stack_of(json, planes));
}

TEST(TiffAxes, NamesOfTifffile) {
  const StackAxes axes =
      tifffile(R"({"shape": [4, 3, 1, 2, 6, 8], "axes": "TZQCYX", "more": [1]})", 24);
  EXPECT_EQ(axes.from, "tifffile");
  EXPECT_EQ(axes.wrong, "");
  EXPECT_EQ(axes.text(), "4 frames, 3 slices and 2 channels");
  EXPECT_EQ(axes.plane(2, 1, 1), (2 * 3 + 1) * 2 + 1);
  const StackAxes channels_first = tifffile(R"({"axes": "CTYX", "shape": [2, 4, 6, 8]})", 8);
  EXPECT_EQ(channels_first.text(), "4 frames and 2 channels");
  EXPECT_EQ(channels_first.plane(3, 0, 1), 7);
  EXPECT_EQ(channels_first.plane(1, 0, 0), 1);
  EXPECT_EQ(tifffile(R"({"shape": [2, 6, 8], "axes": "CYX"})", 2).text(), "2 channels");
}

TEST(TiffAxes, AxesThatTifffileDoesNotNameAreUnclear) {
  EXPECT_EQ(tifffile(R"({"shape": [12, 2, 6, 8]})", 24).wrong,
            "its axes are not clear: its 24 pages are 12 x 2, of which it does not say which are "
            "frames (T), slices (Z) and channels (C); save it as an ImageJ or OME stack, or name "
            "them to tifffile, as in metadata={'axes': 'TCYX'}");
  for (const char* names : {"TQYX", "TTYX", "RCYX"}) {
    const std::string wrong =
        tifffile(R"({"shape": [12, 2, 6, 8], "axes": ")" + std::string(names) + R"("})", 24).wrong;
    const std::string listed = std::string("are 12 ") + names[0] + " x 2 " + names[1] + ", of";
    EXPECT_NE(wrong.find(listed), std::string::npos) << wrong;
  }
}

TEST(TiffAxes, OneAxisOfTifffileIsThatOfFrames) {
  for (const char* json :
       {R"({"shape": [24, 6, 8]})", R"({"shape": [1, 24, 1, 6, 8]})", R"({"shape": [24, 6, 8, 3]})",
        R"({"shape": [24, 3, 6, 8]})", R"({"shape": [24, 6, 8], "axes": "IYX"})",
        // Shapes that do not fit the pages, or are damaged.
        R"({"shape": [12, 3, 6, 8]})", R"({"shape": [12, 0, 6, 8]})", R"({"shape": [24]})",
        R"({"shape": [12, 2, )", R"({"shape": []})", R"({"shape": [x, 2, 6, 8]})",
        R"({"shape": [12; 2, 6, 8], "axes": "TC})",
        R"({"shape": [99999999999999999999, 2, 6, 8]})"})
    EXPECT_EQ(tifffile(json, 24), StackAxes()) << json;
}

TEST(TiffAxes, UnitsOfLength) {
  const std::pair<const char*, double> known[] = {
      {"um", 1},    {"micron", 1}, {"microns", 1}, {"\\u00B5m", 1}, {"\xC2\xB5m", 1}, {"\xB5m", 1},
      {"nm", 1e-3}, {"mm", 1e3},   {"cm", 1e4},    {"inch", 25400}, {"\xCE\xBCm", 1}};
  for (const auto& [unit, um] : known)
    EXPECT_DOUBLE_EQ(imagej("unit=" + std::string(unit) + "\n", 1).um_per_pixel, um / 4) << unit;
  for (const char* unit : {"pixel", "pixels", "", " "}) {
    const StackAxes axes = imagej("unit=" + std::string(unit) + "\n", 1);
    EXPECT_EQ(axes.um_per_pixel, 0) << unit;
    EXPECT_TRUE(axes.notes.empty()) << unit;
  }
  EXPECT_EQ(imagej("slices=1\n", 1).um_per_pixel, 0);
  const StackAxes odd = imagej("unit=furlong\n", 1);
  EXPECT_EQ(odd.um_per_pixel, 0);
  ASSERT_EQ(odd.notes.size(), 1U);
  EXPECT_EQ(odd.notes[0], "its pixel size is in 'furlong', which is not a known unit of length");
}

TEST(TiffAxes, PixelsOfImageJ) {
  TiffStack stack = stack_of("ImageJ=1.54f\nunit=um\n", 1);
  stack.y_per_unit = 5;
  ASSERT_EQ(tiff_axes(stack).notes.size(), 1U);
  EXPECT_EQ(tiff_axes(stack).notes[0],
            "its pixels are 0.25 um wide and 0.2 um high; its pixel size is not used, because only "
            "square pixels can be converted to micrometres");
  EXPECT_EQ(tiff_axes(stack).um_per_pixel, 0);
  stack.y_per_unit = 4.001;  // rounded
  EXPECT_EQ(tiff_axes(stack).um_per_pixel, 0.25);
  stack.y_per_unit = 0;
  EXPECT_EQ(tiff_axes(stack).um_per_pixel, 0.25);
  stack.x_per_unit = 0;
  EXPECT_EQ(tiff_axes(stack).um_per_pixel, 0);
  stack.x_per_unit = stack.y_per_unit = 20000;  // per centimetre, as ImageJ reads it
  stack.resolution_unit = 3;
  EXPECT_DOUBLE_EQ(tiff_axes(stack).um_per_pixel, 0.5);
  stack.description = "ImageJ=1.54f\nunit=nm\nyunit=um\n";
  stack.x_per_unit = 0.001;
  stack.y_per_unit = 1;
  EXPECT_DOUBLE_EQ(tiff_axes(stack).um_per_pixel, 1);
}

TEST(TiffAxes, IntervalsOfImageJ) {
  EXPECT_EQ(imagej("finterval=0.5\nfps=7.0\n", 1).seconds_per_frame, 0.5);
  EXPECT_EQ(imagej("finterval=0.5\ntunit=min\n", 1).seconds_per_frame, 30);
  EXPECT_EQ(imagej("finterval=40\ntunit=ms\n", 1).seconds_per_frame, 0.04);
  for (const char* lines : {"", "finterval=0\n", "finterval=-1\n", "finterval=nan\n", "fps=inf\n"})
    EXPECT_EQ(imagej(lines, 1).seconds_per_frame, 0) << lines;
  const StackAxes played = imagej("fps=25.0\n", 1), odd = imagej("finterval=2\ntunit=moon\n", 1);
  EXPECT_EQ(played.seconds_per_frame, 0.04);
  ASSERT_EQ(played.notes.size(), 1U);
  EXPECT_EQ(played.notes[0],
            "it has no frame interval; the 25 frames per second at which ImageJ plays it are taken "
            "as its rate");
  EXPECT_EQ(odd.seconds_per_frame, 0);
  ASSERT_EQ(odd.notes.size(), 1U);
  EXPECT_EQ(odd.notes[0], "its frame interval is in 'moon', which is not a known unit of time");
}

TEST(TiffAxes, EveryOrderOfOme) {
  for (const char* order : {"XYCZT", "XYCTZ", "XYZCT", "XYZTC", "XYTCZ", "XYTZC"})
    for (const char* elements : {"", "<TiffData/>", "<TiffData IFD=\"0\" PlaneCount=\"24\"/>"}) {
      const StackAxes axes = ome(kSizes + "DimensionOrder=\"" + order + "\"", 24, elements);
      ASSERT_EQ(axes.wrong, "") << order;
      ASSERT_TRUE(axes.consistent());
      EXPECT_EQ(axes.text(), "4 frames, 3 slices and 2 channels");
      int page = 0;  // the loops of the specification, slowest axis first
      const auto size = [](char axis) { return axis == 'C' ? 2 : axis == 'Z' ? 3 : 4; };
      for (int slow = 0; slow < size(order[4]); ++slow)
        for (int middle = 0; middle < size(order[3]); ++middle)
          for (int fast = 0; fast < size(order[2]); ++fast, ++page) {
            const auto at = [&](char axis) {
              return order[4] == axis ? slow : order[3] == axis ? middle : fast;
            };
            EXPECT_EQ(axes.plane(at('T'), at('Z'), at('C')), page) << order << elements;
          }
    }
}

TEST(TiffAxes, BlocksOfOme) {
  const std::string sizes = "SizeC=\"2\" SizeZ=\"1\" SizeT=\"3\" DimensionOrder=\"XYCZT\"";
  // Frames backwards, the second channel in the first pages.
  const StackAxes axes = ome(sizes, 6,
                             "<TiffData IFD=\"3\" FirstT=\"0\"/><TiffData IFD=\"4\" FirstT=\"1\"/>"
                             "<TiffData IFD=\"5\" FirstT=\"2\"/>"
                             "<TiffData IFD=\"0\" FirstC=\"1\" FirstT=\"2\" PlaneCount=\"1\"/>"
                             "<TiffData IFD=\"1\" FirstC=\"1\" FirstT=\"1\"/>");
  EXPECT_EQ(axes.planes, (std::vector<int>{3, -1, 4, 1, 5, 0}));
  // Fewer pages than planes; blocks that leave the file or the stack.
  EXPECT_EQ(ome(sizes, 4, "").planes, (std::vector<int>{0, 1, 2, 3, -1, -1}));
  EXPECT_EQ(ome(sizes, 4, "<TiffData IFD=\"2\" PlaneCount=\"99\"/>").planes,
            (std::vector<int>{2, 3, -1, -1, -1, -1}));
  EXPECT_EQ(ome(sizes, 4, "<TiffData IFD=\"9223372036854775807\" PlaneCount=\"4\"/>").planes,
            std::vector<int>(6, -1));
  EXPECT_EQ(ome(sizes, 4, "<TiffData IFD=\"-1\" PlaneCount=\"-4\"/>").planes,
            std::vector<int>(6, -1));
  EXPECT_EQ(ome(sizes, 6, "<TiffData FirstT=\"3\"/>").wrong,
            "its OME-XML has a plane with FirstT 3; it can be 0 to 2");
  EXPECT_EQ(ome(sizes, 6, "<TiffData/><TiffData/><TiffData/>").wrong,
            "its OME-XML lists its planes more than twice; each can be listed once");
}

TEST(TiffAxes, ColoursOfOneOmePageAreNotAnAxis) {
  TiffStack stack =
      stack_of(ome_text("SizeC=\"3\" SizeZ=\"1\" SizeT=\"5\" DimensionOrder=\"XYCZT\""), 5);
  stack.samples = 3;
  EXPECT_EQ(tiff_axes(stack).text(), "5 frames");
  EXPECT_EQ(tiff_axes(stack).planes, (std::vector<int>{0, 1, 2, 3, 4}));
}

TEST(TiffAxes, ScalesOfOme) {
  const std::string sizes = kSizes + "DimensionOrder=\"XYCZT\" ";
  const auto um = [&](const std::string& more) { return ome(sizes + more, 24).um_per_pixel; };
  EXPECT_EQ(um(""), 0);
  EXPECT_EQ(um("PhysicalSizeX=\"0.32\" PhysicalSizeY=\"0.32\""), 0.32);
  EXPECT_DOUBLE_EQ(um("PhysicalSizeX=\"320\" PhysicalSizeXUnit=\"nm\""), 0.32);
  EXPECT_EQ(um("PhysicalSizeX=\"0.32\" PhysicalSizeXUnit=\"\xC2\xB5m\""), 0.32);
  EXPECT_EQ(um("PhysicalSizeX=\"0.32\" PhysicalSizeXUnit=\"&#181;m\""), 0.32);
  EXPECT_EQ(um("PhysicalSizeX=\"1\" PhysicalSizeXUnit=\"pixel\""), 0);
  EXPECT_EQ(um("PhysicalSizeX=\"1\" PhysicalSizeXUnit=\"reference frame\""), 0);
  EXPECT_EQ(um("PhysicalSizeX=\"-1\""), 0);
  EXPECT_EQ(um("PhysicalSizeX=\"0.3\" PhysicalSizeY=\"0.4\""), 0);
  const auto seconds = [&](const std::string& more) {
    return ome(sizes + more, 24).seconds_per_frame;
  };
  EXPECT_EQ(seconds(""), 0);
  EXPECT_EQ(seconds("TimeIncrement=\"0.5\""), 0.5);
  EXPECT_EQ(seconds("TimeIncrement=\"40\" TimeIncrementUnit=\"ms\""), 0.04);
  EXPECT_EQ(seconds("TimeIncrement=\"2\" TimeIncrementUnit=\"min\""), 120);
  EXPECT_EQ(ome(sizes + "TimeIncrement=\"2\" TimeIncrementUnit=\"moon\"", 24).notes,
            std::vector<std::string>{
                "its frame interval is in 'moon', which is not a known unit of time"});
}

TEST(TiffAxes, TimesOfPlanesStandInForAnInterval) {
  const std::string sizes = "SizeC=\"1\" SizeZ=\"1\" SizeT=\"3\" DimensionOrder=\"XYCZT\"";
  const auto planes = [](const char* middle) {
    std::string text;
    const char* times[] = {"100", middle, "1100"};
    for (int t = 0; t < 3; ++t)
      text += "<Plane TheC=\"0\" TheZ=\"0\" TheT=\"" + std::to_string(t) + "\" DeltaT=\"" +
              times[t] + "\" DeltaTUnit=\"ms\"/>";
    return text;
  };
  const StackAxes even = ome(sizes, 3, planes("605")), uneven = ome(sizes, 3, planes("300"));
  EXPECT_DOUBLE_EQ(even.seconds_per_frame, 0.5);
  EXPECT_FALSE(even.uneven);
  EXPECT_DOUBLE_EQ(uneven.seconds_per_frame, 0.5);
  EXPECT_TRUE(uneven.uneven);
}

TEST(TiffAxes, PlanesInOtherFilesAreRefused) {
  const std::string sizes = "SizeC=\"1\" SizeZ=\"1\" SizeT=\"2\" DimensionOrder=\"XYCZT\"";
  const auto blocks = [](const std::string& name, const std::string& uuid) {
    return "<TiffData IFD=\"0\"><UUID FileName=\"" + name + "\">" + uuid + "</UUID></TiffData>";
  };
  EXPECT_EQ(ome(sizes, 2, blocks("film.tif", "a") + blocks("second.ome.tif", "b")).wrong,
            "its OME-XML places planes in another file (second.ome.tif), and a film must be one "
            "file; export it as one OME-TIFF");
  EXPECT_EQ(ome(sizes, 2, blocks("film.tif", "a")).wrong, "");
  // Renamed: the UUID is what counts.
  EXPECT_EQ(ome(sizes, 2, blocks("old.tif", "a"), "UUID=\"a\"").wrong, "");
  EXPECT_NE(ome(sizes, 2, blocks("film.tif", "b"), "UUID=\"a\"").wrong, "");
  EXPECT_EQ(tiff_axes(stack_of("<?xml version=\"1.0\"?><ome:OME xmlns:ome=\"o\"><ome:BinaryOnly "
                               "MetadataFile=\"film.companion.ome\" UUID=\"a\"/></ome:OME>",
                               2))
                .wrong,
            "its OME-XML is in another file (film.companion.ome), which is not read; export the "
            "film as one OME-TIFF");
}

TEST(TiffAxes, OmeThatIsWrong) {
  const auto wrong = [](const std::string& attributes) { return ome(attributes, 2).wrong; };
  EXPECT_EQ(wrong("DimensionOrder=\"XYCZT\" SizeT=\"2\" SizeZ=\"0\" SizeC=\"1\""),
            "its OME-XML has the SizeZ '0'; it must be a whole number above 0");
  EXPECT_EQ(wrong("DimensionOrder=\"XYCZZ\""),
            "its OME-XML has the DimensionOrder 'XYCZZ'; it can be XYCZT, XYCTZ, XYZCT, XYZTC, "
            "XYTCZ or XYTZC");
  EXPECT_EQ(wrong("DimensionOrder=\"XYCZT\" SizeT=\"65536\" SizeZ=\"65536\" SizeC=\"65536\""),
            "its OME-XML has 65536 frames, 65536 slices and 65536 channels, 281474976710656 "
            "planes; there can be 65536");
  EXPECT_EQ(tiff_axes(stack_of("<?xml version=\"1.0\"?><OME><Image/></OME>", 2)).wrong,
            "its OME-XML has no element Pixels");
  EXPECT_EQ(tiff_axes(stack_of("<?xml version=\"1.0\"?><OME><Image>", 2)).wrong.substr(0, 31),
            "its OME-XML is damaged at byte ");
  const std::string two = ome_text("DimensionOrder=\"XYCZT\" SizeT=\"2\" SizeZ=\"1\" SizeC=\"1\"");
  const std::string both = two.substr(0, two.size() - 6) + "<Image/></OME>";
  EXPECT_EQ(tiff_axes(stack_of(both, 2)).notes,
            std::vector<std::string>{"it holds 2 images; the first is read"});
}

}  // namespace
}  // namespace tessera
