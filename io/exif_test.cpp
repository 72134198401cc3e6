// SPDX-License-Identifier: Apache-2.0
#include "io/exif.hpp"

#include <gtest/gtest.h>

namespace tessera {
namespace {

// Orientation and the maker's name, in either byte order.
std::string photograph(bool big, int orientation) {
  const auto number = [big](unsigned value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i)
      text += static_cast<char>(value >> 8 * (big ? bytes - 1 - i : i) & 255);
    return text;
  };
  std::string exif = (big ? "MM" : "II") + number(42, 2) + number(8, 4) + number(2, 2);
  exif += number(0x010f, 2) + number(2, 2) + number(3, 4) + std::string("ab\0\0", 4);
  exif += number(0x0112, 2) + number(3, 2) + number(1, 4);
  return exif + number(static_cast<unsigned>(orientation), 2) + number(0, 2) + number(0, 4);
}

TEST(Exif, TheOrientationIsReplacedInBothByteOrders) {
  for (const bool big : {false, true})
    for (int orientation = 1; orientation <= 8; ++orientation) {
      ImageMetadata found;
      add_exif(photograph(big, orientation), found);
      EXPECT_EQ(found.orientation, orientation);
      EXPECT_EQ(exif_to_write(found, true), photograph(big, orientation));
      found.orientation = 9 - orientation;
      EXPECT_EQ(exif_to_write(found, true), photograph(big, 9 - orientation));
    }
}

TEST(Exif, IsMadeFromWhatIsKnown) {
  for (const std::string words : {"", "abc", "A field of wheat"}) {
    ImageMetadata known, found;
    known.orientation = 7;
    known.description = words;
    add_exif(exif_to_write(known, true), found);
    EXPECT_EQ(found, known) << words;
    found = {};
    add_exif(exif_to_write(known, false), found);
    EXPECT_EQ(found.description, "");
  }
  EXPECT_EQ(exif_to_write({}, true), "");
}

TEST(Exif, DataThatIsCutOffOrDamagedSaysNothingWrong) {
  const std::string whole = photograph(false, 6);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    ImageMetadata found;
    add_exif(whole.substr(0, size), found);
    EXPECT_TRUE(found.orientation == 1 || found.orientation == 6);
    exif_to_write(found, true);
  }
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (const char value : {'\x00', '\x7f', '\xff'}) {
      std::string damaged = whole;
      damaged[at] = value;
      ImageMetadata found;
      add_exif(damaged, found);
      EXPECT_GE(found.orientation, 1);
      EXPECT_LE(found.orientation, 8);
      exif_to_write(found, true);
    }
}

}  // namespace
}  // namespace tessera
