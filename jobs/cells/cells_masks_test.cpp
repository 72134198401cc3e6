// SPDX-License-Identifier: Apache-2.0
// Names, frames and labels of mask files.
#include "jobs/cells/cells_masks.hpp"

#include <gtest/gtest.h>

#include "jobs/cells/cell_labels.hpp"
#include "tests/support/files.hpp"
#include "tests/support/followed_film.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tessera::testing {
namespace {

/// Two cells in a film of which 12 frames were read, from its frame 100 on.
CellsFilmResult late_film() {
  CellsFilmResult result =
      followed("film.npy", {64, 48, 1, 12},
               {straight_track(2, 100, 12, 20, 20, 1), straight_track(7, 104, 5, 40, 30, 0)});
  result.film.first_frame = 100;
  return result;
}

TEST(CellsMasks, PagesAndFilesAreCountedFromTheFirstFrameRead) {
  if (!format_of_name("a.tif")->can_write()) GTEST_SKIP() << "this build cannot write TIFF";
  const TemporaryFolder folder;
  const CellsFilmResult result = late_film();
  write_masks(result, folder.path("masks.tif"), false);
  write_ctc(result, folder.path("ctc"), false);
  EXPECT_EQ(read_bytes(folder.path("ctc/res_track.txt")), "2 0 11 0\n7 4 8 0\n");
  const Image stack = read_image(folder.path("masks.tif"));
  ASSERT_EQ(stack.info().size, (Size{64, 48, 1, 12}));
  EXPECT_EQ(stack.as<unsigned short>().at(20, 20, 0, 0), 2);
  for (int k = 0; k < 12; ++k)
    EXPECT_EQ(stack.as<unsigned short>().at(40, 30, 0, k), k >= 4 && k <= 8 ? 7 : 0) << k;
  const std::vector<std::string> names = ctc_masks_in(folder.path("ctc"));
  ASSERT_EQ(names.size(), 12U);
  EXPECT_EQ(names.front(), "mask000.tif");
  EXPECT_EQ(names.back(), "mask011.tif");
  EXPECT_EQ(testing::short_view(read_image(folder.path("ctc/mask006.tif")))
                .as<const unsigned short>()
                .at(40, 30),
            7);
}

TEST(CellsMasks, LongFilmsHaveNamesOfOneLength) {
  if (!format_of_name("a.tif")->can_write()) GTEST_SKIP() << "this build cannot write TIFF";
  const TemporaryFolder folder;
  write_ctc(followed("film.npy", {4, 3, 1, 1001}, {}), folder.path("ctc"), false);
  const std::vector<std::string> names = ctc_masks_in(folder.path("ctc"));
  ASSERT_EQ(names.size(), 1001U);
  EXPECT_EQ(names.front(), "mask0000.tif");
  EXPECT_EQ(names.back(), "mask1000.tif");
  EXPECT_EQ(read_bytes(folder.path("ctc/res_track.txt")), "");
}

TEST(CellsMasks, OtherFilesInTheFolderAreNotMasks) {
  const TemporaryFolder folder;
  for (const char* name : {"mask.tif", "mask12.tif", "mask0001.tif", "mask001.tiff", "mask00a.tif",
                           "Mask001.tif", "man_track001.tif"})
    write_bytes(folder.path(name), "");
  EXPECT_EQ(ctc_masks_in(folder.path("")), std::vector<std::string>{"mask0001.tif"});
  EXPECT_TRUE(ctc_masks_in(folder.path("nowhere")).empty());
}

TEST(CellsMasks, IdsBeyondSixteenBitsAreSaid) {
  CellsFilmResult result = late_film();
  EXPECT_EQ(why_no_masks(result), "");
  result.tracks[1].id = kLargestLabel;
  EXPECT_EQ(why_no_masks(result), "");
  result.tracks[0].id = kLargestLabel + 1;
  EXPECT_EQ(why_no_masks(result),
            "masks were not made: track 65536 cannot be a label of 16 bits, which end at 65535; "
            "follow the film in parts with --first-frame and --frames");
}

}  // namespace
}  // namespace tessera::testing
