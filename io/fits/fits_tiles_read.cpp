// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "io/fits/fits_library.hpp"
#include "io/fits/fits_source.hpp"
#include "io/fits/fits_tiles.hpp"
#include "io/packed_rows.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

int library_type(int bitpix) {
  switch (bitpix) {
    case 8:
      return TBYTE;
    case 16:
      return TSHORT;
    case 32:
      return TINT;
    case 64:
      return TLONGLONG;
    case -32:
      return TFLOAT;
    default:
      return TDOUBLE;
  }
}

/// The part of a plane that a tile covers.
struct TilePart {
  long long table_row = 0;
  long long first_x = 0, end_x = 0;
  Rows rows;
};

class TiledFitsSource : public FitsSource {
 public:
  TiledFitsSource(FitsTileCopy copy, FitsTileTable table, const FitsHdu& hdu,
                  const FitsImage& image, bool allow_truncated)
      : FitsSource(hdu, image),
        copy_(std::move(copy)),
        table_(std::move(table)),
        library_(copy_.file, READONLY, ErrorKind::input),
        allow_truncated_(allow_truncated) {
    library_.must([](fitsfile* file, int* status) {
      fits_movabs_hdu(file, 2, nullptr, status);
      fits_set_bscale(file, 1, 0, status);  // numbers as stored: decode_fits scales them
    });
    if (!copy_.problem.empty()) miss(copy_.problem);
  }

  void read_plane(int plane, Rows rows, AnyMutableView to) override {
    check_plane_rows(info(), rows, to.info());
    const long long height = table_.tiling.axes.size() > 1 ? table_.tiling.tile[1] : 1;
    const int kept = static_cast<int>(std::min<long long>(height, info().size.height));
    for (int first = rows.first; first < rows.end;) {
      const int end = std::min(rows.end, (first / kept + 1) * kept);
      read_band(plane, {first, end}, to.rows(first - rows.first, end - first));
      first = end;
    }
  }

 private:
  // The rows that one row of tiles covers.
  void read_band(int plane, Rows rows, AnyMutableView to) {
    const FitsTiling& tiling = table_.tiling;
    for (long long column = 0; column < tiling.tiles(0); ++column) {
      const long long x = column * tiling.tile[0];
      read_part(plane,
                {column + tiling.tiles(0) * band_of(plane, rows.first), x,
                 std::min(x + tiling.tile[0], tiling.axes[0]), rows},
                to);
    }
  }

  // The number of the row of tiles, counted through all axes.
  long long band_of(int plane, int row) const {
    const FitsTiling& tiling = table_.tiling;
    if (tiling.axes.size() < 2) return 0;
    long long band = row / tiling.tile[1], step = tiling.tiles(1), rest = plane;
    for (size_t i = 2; i < tiling.axes.size(); ++i) {
      band += step * (rest % tiling.axes[i] / tiling.tile[i]);
      step *= tiling.tiles(i);
      rest /= tiling.axes[i];
    }
    return band;
  }

  void read_part(int plane, const TilePart& part, AnyMutableView to) {
    const AnyMutableView place(to.region(static_cast<int>(part.first_x), 0,
                                         static_cast<int>(part.end_x - part.first_x),
                                         part.rows.count()));
    if (copy_.lacks(part.table_row)) return fill_missing(place);
    std::string problem = checked(part.table_row);
    if (problem.empty()) problem = read_numbers(plane, part);
    if (!problem.empty()) {
      miss(fmt::format("tile {} cannot be decoded: {}", part.table_row, problem));
      return fill_missing(place);
    }
    const long long width = place.size.width;
    row_.resize(static_cast<size_t>(width * bytes_of(info().type)));
    for (int y = 0; y < part.rows.count(); ++y) {
      decode_fits(image().numbers, raw_.data() + y * width * image().numbers.bytes(), true,
                  row_.data(), width);
      scatter_row(row_.data(), place, y);
    }
  }

  // Strips read the same tile several times; an earlier failure is already in `problem`.
  std::string checked(long long row) {
    if (row == checked_row_) return checked_problem_;
    if (static_cast<size_t>(row) < sound_.size() && sound_[static_cast<size_t>(row)]) return "";
    checked_problem_ = check_tile_data(table_, copy_, row);
    checked_row_ = row;
    sound_.resize(std::max(sound_.size(), static_cast<size_t>(row) + 1));
    sound_[static_cast<size_t>(row)] = checked_problem_.empty();
    return checked_problem_;
  }

  std::string read_numbers(int plane, const TilePart& part) {
    const size_t axes = table_.tiling.axes.size();
    std::vector<long> first(axes, 1), last(axes, 1), step(axes, 1);
    first[0] = part.first_x + 1;
    last[0] = part.end_x;
    if (axes > 1) {
      first[1] = part.rows.first + 1;
      last[1] = part.rows.end;
    }
    long rest = plane;
    for (size_t i = 2; i < axes; ++i) {
      first[i] = last[i] = rest % table_.tiling.axes[i] + 1;
      rest /= table_.tiling.axes[i];
    }
    const int bitpix = image().numbers.bitpix;
    raw_.assign(static_cast<size_t>((part.end_x - part.first_x) * part.rows.count() *
                                    image().numbers.bytes()),
                0);
    float none32 = std::numeric_limits<float>::quiet_NaN();
    double none64 = std::numeric_limits<double>::quiet_NaN();
    void* none = bitpix == -32 ? static_cast<void*>(&none32) : bitpix == -64 ? &none64 : nullptr;
    return library_.try_to([&](fitsfile* file, int* status) {
      fits_read_subset(file, library_type(bitpix), first.data(), last.data(), step.data(), none,
                       raw_.data(), nullptr, status);
    });
  }

  // One sentence for all tiles: if one is damaged, others usually are too.
  void miss(const std::string& problem) {
    const std::string sentence = fmt::format("{}: {}", hdu().header.name(), problem);
    if (!allow_truncated_) throw Error(ErrorKind::input, sentence);
    if (!missed_) warn(sentence);
    missed_ = true;
  }

  FitsTileCopy copy_;
  FitsTileTable table_;
  FitsLibrary library_;
  bool allow_truncated_, missed_ = false;
  std::vector<unsigned char> raw_, row_;
  std::vector<bool> sound_;  ///< tiles that were checked
  long long checked_row_ = -1;
  std::string checked_problem_;
};

void check_whole(FitsBytes& bytes, const FitsHdu& hdu) {
  const long long needed = hdu.data_bytes();
  const long long there =
      std::max(0LL, bytes.available(hdu.data_offset + needed) - hdu.data_offset);
  if (there < needed)
    throw Error(ErrorKind::input,
                fmt::format("{}: its tiles need {} bytes after byte {}; there are {}",
                            hdu.header.name(), needed, hdu.data_offset, there));
}

}  // namespace

std::unique_ptr<FitsSource> open_fits_tiles(FitsBytes& bytes, const FitsHdu& hdu,
                                            const FitsImage& image, const ReadOptions& options) {
  const FitsTileTable table = check_tile_table(bytes.path(), hdu, image, options.limits);
  check_expansion(bytes.path(), image.info, std::min(hdu.data_bytes(), bytes.stored_bytes()),
                  options.limits);
  if (!options.allow_truncated) check_whole(bytes, hdu);
  return std::make_unique<TiledFitsSource>(copy_tile_table(bytes, hdu, table), table, hdu, image,
                                           options.allow_truncated);
}

}  // namespace tessera
