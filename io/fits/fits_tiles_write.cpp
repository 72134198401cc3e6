// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <vector>

#include "io/fits/fits_cards.hpp"
#include "io/fits/fits_header.hpp"
#include "io/fits/fits_library.hpp"
#include "io/fits/fits_source.hpp"
#include "io/output.hpp"
#include "io/packed_rows.hpp"

namespace tessera {
namespace {

struct LibraryType {
  int image, samples;
};

LibraryType library_type(Type type) {
  switch (type) {
    case Type::u8:
      return {BYTE_IMG, TBYTE};
    case Type::u16:
      return {USHORT_IMG, TUSHORT};
    case Type::i16:
      return {SHORT_IMG, TSHORT};
    case Type::i32:
      return {LONG_IMG, TINT};
    case Type::f32:
      return {FLOAT_IMG, TFLOAT};
    default:
      return {DOUBLE_IMG, TDOUBLE};
  }
}

// cfitsio appends to an existing file: a primary HDU without an image.
const File& with_empty_primary(const File& file) {
  const std::string header = fits_header_bytes(
      {fits_card("SIMPLE", "T", "a FITS file"), fits_card("BITPIX", "8", ""),
       fits_card("NAXIS", "0", "the image is in the next HDU"), fits_card("EXTEND", "T", "")},
      0);
  file.write_all(0, header.data(), std::ssize(header));
  return file;
}

/// Each tile is one row, so that rows of several planes may come in any order.
class TiledFitsSink : public ImageSink {
 public:
  TiledFitsSink(const std::string& path, const ImageInfo& info, const WriteOptions& options)
      : output_(path, options.force),
        library_(with_empty_primary(output_.file()), READWRITE, ErrorKind::failure),
        info_(info),
        stamp_(options.stamp),
        next_rows_(static_cast<size_t>(info.size.planes)),
        row_(static_cast<size_t>(1LL * info.size.width * bytes_of(info.type))) {
    library_.must([&](fitsfile* file, int* status) { start(file, options.compression, status); });
    for (const std::string& card : fits_cards_to_keep(options)) write_card(card);
  }

  void write_plane(int plane, Rows rows, AnyView from) override {
    int& next_row = next_rows_.at(static_cast<size_t>(plane));
    check_plane_rows(info_, rows, from.info());
    check_next_row(rows, next_row);
    next_row = rows.end;
    for (int channel = 0; channel < info_.size.channels; ++channel) {
      AnyView one = from;
      one.data = from.address(0, 0) + channel * bytes_of(from.type);
      one.size.channels = 1;
      for (int y = 0; y < rows.count(); ++y) {
        gather_row(one, y, 0, row_.data());
        write_row(plane, channel, rows.first + y);
      }
    }
  }

  void finish() override {
    for (const int next_row : next_rows_)
      check_next_row({info_.size.height, info_.size.height}, next_row);
    library_.must([this](fitsfile* file, int* status) { write_sums(file, status); });
    library_.close();
    output_.finish();
  }

 private:
  void start(fitsfile* file, Compression compression, int* status) const {
    std::vector<long long> axes = fits_axes_of(info_.size);
    std::vector<long> tile(axes.size(), 1);
    tile[0] = axes[0];
    fits_set_compression_type(file, compression == Compression::rice ? RICE_1 : GZIP_2, status);
    fits_set_tile_dim(file, static_cast<int>(axes.size()), tile.data(), status);
    if (!is_integer(info_.type)) fits_set_quantize_level(file, 0, status);  // keeps every bit
    fits_create_imgll(file, library_type(info_.type).image, static_cast<int>(axes.size()),
                      axes.data(), status);
  }

  // The library writes the date into the comments of both cards, and the sum covers the comments. A
  // sum of zeros it replaces without touching the comment.
  void write_sums(fitsfile* file, int* status) const {
    fits_write_chksum(file, status);
    if (stamp_) return;
    fits_modify_comment(file, "DATASUM", "data unit checksum", status);
    fits_modify_key_str(file, "CHECKSUM", "0000000000000000", "HDU checksum", status);
    fits_write_chksum(file, status);
  }

  void write_card(const std::string& card) const {
    library_.must([&](fitsfile* file, int* status) {
      if (fits_keyword(card) == "EXTNAME")
        fits_update_card(file, "EXTNAME", card.c_str(), status);
      else
        fits_write_record(file, card.c_str(), status);
    });
  }

  void write_row(int plane, int channel, int row) {
    std::vector<long> first{1, row + 1L};
    if (info_.size.channels > 1) first.push_back(channel + 1);
    if (info_.size.planes > 1) first.push_back(plane + 1);
    std::vector<long> last = first;
    last[0] = info_.size.width;
    library_.must([&](fitsfile* file, int* status) {
      fits_write_subset(file, library_type(info_.type).samples, first.data(), last.data(),
                        row_.data(), status);
    });
  }

  Output output_;
  FitsLibrary library_;
  ImageInfo info_;
  bool stamp_;
  std::vector<int> next_rows_;  ///< one per plane
  std::vector<unsigned char> row_;
};

}  // namespace

std::unique_ptr<ImageSink> create_fits_tiles(const std::string& path, const ImageInfo& info,
                                             const WriteOptions& options) {
  return std::make_unique<TiledFitsSink>(path, info, options);
}

}  // namespace tessera
