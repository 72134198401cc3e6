// SPDX-License-Identifier: Apache-2.0
#include "io/tiff/tiff_page.hpp"

#include "core/counted.hpp"
#include "core/refuse.hpp"

#include <fmt/format.h>
#include <tiffio.h>

#include <algorithm>

namespace tessera {
namespace {

[[noreturn]] void unsupported(const TiffDirectory& directory, const std::string& what) {
  throw UnsupportedTiff(ErrorKind::input, directory.where + ": " + what);
}

/// The tags of one directory as numbers.
class Tags {
 public:
  Tags(const TiffFile& file, const TiffDirectory& directory) : file_(file), directory_(directory) {}

  bool has(int tag) const { return directory_.find(tag) != nullptr; }
  TiffValues values(int tag) const { return {file_, directory_, *directory_.find(tag)}; }
  long long number(int tag, long long otherwise) const {
    if (!has(tag)) return otherwise;
    TiffValues list = values(tag);
    if (list.size() != 1)
      refuse_input(directory_.where, fmt::format("its tag {} has {}; it must have one", tag,
                                                 counted(list.size(), "value")));
    return list.at(0);
  }
  long long needed(int tag, const char* name) const {
    if (!has(tag)) refuse_input(directory_.where, fmt::format("it has no {} (tag {})", name, tag));
    return number(tag, 0);
  }
  int small(int tag, int otherwise) const { return as_int(number(tag, otherwise)); }
  /// One of 1, 2, … `most`.
  int choice(int tag, const char* name, int most) const {
    const long long value = number(tag, 1);
    if (value < 1 || value > most)
      refuse_input(directory_.where,
                   fmt::format("its {} (tag {}) is {}; it can be 1 to {}", name, tag, value, most));
    return static_cast<int>(value);
  }
  /// A tag with one value per sample, all of which must be the same.
  int same(int tag, const char* name, int otherwise) const {
    if (!has(tag)) return otherwise;
    TiffValues list = values(tag);
    for (long long i = 1; i < list.size(); ++i)
      if (list.at(i) != list.at(0))
        unsupported(directory_, fmt::format("its samples differ in {} ({} and {}); all must be the "
                                            "same",
                                            name, list.at(0), list.at(i)));
    return as_int(list.at(0));
  }

 private:
  static int as_int(long long value) { return static_cast<int>(std::min(value, 0x7fffffffLL)); }

  const TiffFile& file_;
  const TiffDirectory& directory_;
};

void check_compression(const TiffPage& page) {
  constexpr int kKnown[] = {COMPRESSION_NONE,          COMPRESSION_CCITTRLE,  COMPRESSION_CCITTRLEW,
                            COMPRESSION_CCITTFAX3,     COMPRESSION_CCITTFAX4, COMPRESSION_LZW,
                            COMPRESSION_ADOBE_DEFLATE, COMPRESSION_DEFLATE,   COMPRESSION_PACKBITS,
                            COMPRESSION_JPEG,          COMPRESSION_LZMA,      COMPRESSION_ZSTD};
  const int compression = page.compression;
  if (std::ranges::count(kKnown, compression) == 0 ||
      (compression != COMPRESSION_NONE &&
       !TIFFIsCODECConfigured(static_cast<uint16_t>(compression))))
    unsupported(page.directory,
                fmt::format("its compression is {}, which cannot be read; none, LZW, deflate, "
                            "PackBits, Zstandard, LZMA, JPEG and CCITT can",
                            tiff_compression_name(compression)));
}

TiffFormat format_of(const TiffPage& page, int sample_format) {
  switch (sample_format) {
    case SAMPLEFORMAT_UINT:
    case SAMPLEFORMAT_VOID:
      return TiffFormat::whole;
    case SAMPLEFORMAT_INT:
      return TiffFormat::with_sign;
    case SAMPLEFORMAT_IEEEFP:
      return TiffFormat::floating;
    case SAMPLEFORMAT_COMPLEXINT:
    case SAMPLEFORMAT_COMPLEXIEEEFP:
      unsupported(page.directory, "its samples are complex numbers; only real ones can be read");
    default:
      unsupported(page.directory,
                  fmt::format("its sample format is {}; 1 to 4 can be read", sample_format));
  }
}

void read_palette(TiffPage& page, const Tags& tags) {
  const int bits = page.coding.bits;
  if (page.grid.channels != 1 || page.coding.format != TiffFormat::whole || bits > 16 || bits < 1)
    unsupported(page.directory,
                fmt::format("it has a palette and {} of {} per pixel; "
                            "1 sample of up to 16 bits is needed",
                            counted(page.grid.channels, "sample"), counted(bits, "bit")));
  if (!tags.has(TIFFTAG_COLORMAP))
    refuse_input(page.directory.where, "its palette (tag 320) is missing");
  TiffValues map = tags.values(TIFFTAG_COLORMAP);
  if (map.size() < 3LL << bits)
    refuse_input(page.directory.where,
                 fmt::format("its palette has {}; {} {} {}", counted(map.size(), "value"),
                             counted(bits, "bit"), bits == 1 ? "needs" : "need", 3LL << bits));
  const long long colours = map.size() / 3;
  for (long long c = 0; c < 3; ++c)
    for (long long i = 0; i < 1LL << bits; ++i)
      page.coding.colours.push_back(static_cast<unsigned short>(map.at(c * colours + i)));
}

void read_photometric(TiffPage& page) {
  const int photometric = page.photometric;
  switch (photometric) {
    case PHOTOMETRIC_MINISWHITE:
      if (page.grid.channels != 1)
        unsupported(
            page.directory,
            fmt::format("white is 0 in its {} samples per pixel; only grey images can have that",
                        page.grid.channels));
      return;  // values stay as they are stored, whatever their type
    case PHOTOMETRIC_YCBCR:
      page.to_rgb = page.compression == COMPRESSION_JPEG && page.grid.channels == 3 &&
                    !page.grid.separate && page.coding.bits == 8;
      if (!page.to_rgb)
        unsupported(page.directory,
                    "its colours are YCbCr, which can be read only from 8-bit JPEG");
      return;
    case PHOTOMETRIC_RGB:
      if (page.grid.channels < 3)
        refuse_input(page.where(), fmt::format("its colours are RGB, which needs 3 samples per "
                                               "pixel; it has {}",
                                               page.grid.channels));
      return;
    case PHOTOMETRIC_MINISBLACK:
    case PHOTOMETRIC_PALETTE:
    case PHOTOMETRIC_MASK:
    case PHOTOMETRIC_CFA:
    case 34892:  // linear raw, of DNG
      return;
    default:
      unsupported(page.directory,
                  fmt::format("its colours are {}; grey, RGB, palettes and YCbCr in JPEG can be "
                              "read",
                              tiff_photometric_name(photometric)));
  }
}

void read_samples(TiffPage& page, const Tags& tags, const ReadLimits& limits) {
  const long long channels = tags.number(TIFFTAG_SAMPLESPERPIXEL, 1);
  ClaimedSize size{tags.needed(TIFFTAG_IMAGEWIDTH, "width"),
                   tags.needed(TIFFTAG_IMAGELENGTH, "height"), 1, 1};
  checked_info(page.where(), size, Type::u8, limits);
  if (channels < 1 || channels > 4)
    unsupported(page.directory,
                fmt::format("it has {} samples per pixel; it can have 1 to 4", channels));
  page.grid.channels = static_cast<int>(channels);
  page.grid.separate =
      tags.choice(TIFFTAG_PLANARCONFIG, "planar configuration", 2) == PLANARCONFIG_SEPARATE &&
      channels > 1;
  page.coding.bits = tags.same(TIFFTAG_BITSPERSAMPLE, "bits", 1);
  page.coding.format = format_of(page, tags.same(TIFFTAG_SAMPLEFORMAT, "format", 1));
  page.photometric =
      tags.small(TIFFTAG_PHOTOMETRIC, channels < 3 ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB);
  read_photometric(page);
  auto type = page.coding.type();
  if (!type)
    unsupported(page.directory,
                fmt::format("its samples are {}s of {} bits; unsigned whole numbers can have 1 to "
                            "16 or 32 bits, signed ones 8, 16 or 32, and floats 16, 24, 32 or 64",
                            page.coding.format == TiffFormat::floating ? "float" : "whole number",
                            page.coding.bits));
  size.channels = channels;
  if (page.photometric == PHOTOMETRIC_PALETTE) {
    read_palette(page, tags);
    page.coding.narrow_colours();
    type = page.coding.type();
    size.channels = 3;
  }
  page.info = checked_info(page.where(), size, *type, limits);
}

void read_grid(TiffPage& page, const Tags& tags, const ReadLimits& limits) {
  TiffBlockGrid& grid = page.grid;
  const Size& size = page.info.size;
  grid.tiled = tags.has(TIFFTAG_TILEWIDTH) || tags.has(TIFFTAG_TILELENGTH);
  if (grid.tiled) {
    grid.width = tags.needed(TIFFTAG_TILEWIDTH, "tile width");
    grid.height = tags.needed(TIFFTAG_TILELENGTH, "tile height");
  } else {
    grid.width = size.width;
    grid.height = std::min<long long>(tags.number(TIFFTAG_ROWSPERSTRIP, size.height), size.height);
  }
  if (grid.width < 1 || grid.height < 1 || std::max(grid.width, grid.height) > limits.side)
    refuse_input(page.directory.where, fmt::format("its {} are {}x{} pixels; a side can be 1 to {}",
                                                   grid.tiled ? "tiles" : "strips", grid.width,
                                                   grid.height, limits.side));
  grid.across = (size.width + grid.width - 1) / grid.width;
  grid.down = (size.height + grid.height - 1) / grid.height;
  grid.row_bytes = (grid.width * grid.block_channels() * page.coding.bits + 7) / 8;
}

TiffValues block_values(const TiffPage& page, const Tags& tags, int tile_tag, int strip_tag,
                        const char* name) {
  // Files that mix the two tags are so common that libtiff accepts either.
  const int tag =
      tags.has(tile_tag) && (page.grid.tiled || !tags.has(strip_tag)) ? tile_tag : strip_tag;
  if (!tags.has(tag))
    refuse_input(page.directory.where, fmt::format("the {} (tag {}) are missing", name, tag));
  TiffValues values = tags.values(tag);
  if (values.size() < page.grid.count())
    refuse_input(page.directory.where,
                 fmt::format("it has {} {}; {}x{} pixels in {} of {}x{} need {}", values.size(),
                             name, page.info.size.width, page.info.size.height,
                             page.grid.tiled ? "tiles" : "strips", page.grid.width,
                             page.grid.height, page.grid.count()));
  return values;
}

}  // namespace

Rows TiffPage::rows_of(long long down_at) const {
  const long long first = down_at * grid.height;
  return {static_cast<int>(first),
          static_cast<int>(std::min<long long>(first + grid.height, info.size.height))};
}

std::string TiffPage::name_of(long long block) const {
  const Rows rows = rows_of(block / grid.across % grid.down);
  return fmt::format("{} {} (rows {} to {})", grid.tiled ? "tile" : "strip", block, rows.first,
                     rows.end - 1);
}

TiffPage read_tiff_page(const TiffFile& file, long long offset, int number,
                        const ReadLimits& limits) {
  TiffPage page;
  page.directory = file.directory(offset, number);
  const Tags tags(file, page.directory);
  page.compression = tags.small(TIFFTAG_COMPRESSION, COMPRESSION_NONE);
  page.predictor = tags.small(TIFFTAG_PREDICTOR, 1);
  page.fill_order = tags.choice(TIFFTAG_FILLORDER, "order of bits", 2);
  page.orientation = tags.small(TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
  page.other_version =
      (tags.number(TIFFTAG_SUBFILETYPE, 0) & (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK)) != 0;
  read_samples(page, tags, limits);
  check_compression(page);
  read_grid(page, tags, limits);
  page.offsets =
      block_values(page, tags, TIFFTAG_TILEOFFSETS, TIFFTAG_STRIPOFFSETS, "offsets of its data");
  const bool counted = tags.has(TIFFTAG_TILEBYTECOUNTS) || tags.has(TIFFTAG_STRIPBYTECOUNTS);
  if (counted || page.compressed())
    page.counts = block_values(page, tags, TIFFTAG_TILEBYTECOUNTS, TIFFTAG_STRIPBYTECOUNTS,
                               "byte counts of its data");
  return page;
}

}  // namespace tessera
