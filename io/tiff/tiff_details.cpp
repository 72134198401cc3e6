// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <tiffio.h>

#include "core/check.hpp"
#include "core/counted.hpp"
#include "io/tiff/tiff_file.hpp"

namespace tessera {
namespace {

std::string layout_of(const TiffPage& page) {
  const TiffBlockGrid& grid = page.grid;
  return (grid.tiled ? fmt::format("tiles of {}x{}", grid.width, grid.height)
                     : "strips of " + counted(grid.height, "row")) +
         (grid.separate ? ", channels stored separately" : "");
}

std::string bits_of(const TiffCoding& coding) {
  constexpr const char* kFormats[] = {"", ", signed", ", float"};
  return std::to_string(coding.bits) + kFormats[static_cast<int>(coding.format)];
}

std::string orientation_of(int orientation) {
  constexpr const char* kNames[] = {"top left", "top right", "bottom right", "bottom left",
                                    "left top", "right top", "right bottom", "left bottom"};
  const std::string name = orientation >= 1 && orientation <= 8
                               ? kNames[orientation - 1]
                               : fmt::format("number {}", orientation);
  return name + "; rows are read as stored";
}

std::string resolution_of(const TiffFile& file, const TiffPage& page) {
  const double x = tiff_rational(file, page.directory, TIFFTAG_XRESOLUTION);
  const double y = tiff_rational(file, page.directory, TIFFTAG_YRESOLUTION);
  if (x <= 0 || y <= 0) return "";
  const int unit = tiff_resolution_unit(file, page);
  return fmt::format("{:.6g} x {:.6g} pixels{}", x, y,
                     unit == RESUNIT_INCH         ? " per inch"
                     : unit == RESUNIT_CENTIMETER ? " per centimetre"
                                                  : "");
}

}  // namespace

int tiff_resolution_unit(const TiffFile& file, const TiffPage& page) {
  const TiffEntry* entry = page.directory.find(TIFFTAG_RESOLUTIONUNIT);
  if (!entry) return RESUNIT_INCH;
  const long long unit = TiffValues(file, page.directory, *entry).at(0);
  return unit == RESUNIT_INCH || unit == RESUNIT_CENTIMETER ? static_cast<int>(unit) : RESUNIT_NONE;
}

std::string tiff_kind(const TiffPage& page) {
  return image_text(page.info) + (page.other_version ? ", another version of a page" : "");
}

std::vector<FileDetail> tiff_details(const TiffFile& file, const TiffPage& page) {
  std::vector<FileDetail> list{{"compression", tiff_compression_name(page.compression)}};
  if (page.predictor != 1)
    list.push_back({"predictor", page.predictor == 2   ? "differences"
                                 : page.predictor == 3 ? "floating point"
                                                       : fmt::format("number {}", page.predictor)});
  list.push_back({"layout", layout_of(page)});
  list.push_back({"bits per sample", bits_of(page.coding)});
  list.push_back({"photometric", tiff_photometric_name(page.photometric)});
  list.push_back({"byte order", file.little() ? "little" : "big"});
  list.push_back({"BigTIFF", file.big() ? "yes" : "no"});
  if (page.orientation != ORIENTATION_TOPLEFT)
    list.push_back({"orientation", orientation_of(page.orientation)});
  if (const std::string resolution = resolution_of(file, page); !resolution.empty())
    list.push_back({"resolution", resolution});
  return list;
}

}  // namespace tessera
