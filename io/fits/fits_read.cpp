// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/counted.hpp"
#include "io/fits/fits.hpp"
#include "io/fits/fits_beams.hpp"
#include "io/fits/fits_source.hpp"
#include "io/packed_rows.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// Numbers one after the other: any row is one seek.
class PlainFitsSource : public FitsSource {
 public:
  PlainFitsSource(std::unique_ptr<FitsBytes> bytes, const FitsHdu& hdu, const FitsImage& image,
                  bool allow_truncated)
      : FitsSource(hdu, image), bytes_(std::move(bytes)) {
    const long long needed = hdu.data_bytes();
    const long long there =
        std::max(0LL, bytes_->available(hdu.data_offset + needed) - hdu.data_offset);
    held_ = there / image.numbers.bytes();
    if (there >= needed) {
      check_whole(allow_truncated);
      return;
    }
    const std::string why = bytes_->damage().empty() ? "" : ": " + bytes_->damage();
    const std::string sentence = fmt::format(
        "{}: its {}x{} pixels in {} need {} after byte {}; there are {}{}", hdu.header.name(),
        image.info.size.width, image.info.size.height, counted(image.info.size.planes, "plane"),
        counted(needed, "byte"), hdu.data_offset, there, why);
    if (!allow_truncated) throw Error(ErrorKind::input, sentence);
    warn(sentence);
  }

  void read_plane(int plane, Rows rows, AnyMutableView to) override {
    check_plane_rows(info(), rows, to.info());
    const Size& size = info().size;
    const long long first = (1LL * plane * size.height + rows.first) * size.width;
    if (packed_in_plane(to))
      return read_numbers(first, 1LL * rows.count() * size.width, to.address(0, 0));
    row_.resize(static_cast<size_t>(row_bytes(info())));
    for (int y = 0; y < rows.count(); ++y) {
      read_numbers(first + 1LL * y * size.width, size.width, row_.data());
      scatter_row(row_.data(), to, y);
    }
  }

 private:
  void check_whole(bool allow_truncated) {
    bytes_->check_end();
    if (bytes_->damage().empty()) return;
    const std::string sentence = fmt::format("{}: {}", hdu().header.name(), bytes_->damage());
    if (!allow_truncated) throw Error(ErrorKind::input, sentence);
    warn(sentence);
  }

  void read_numbers(long long first, long long count, unsigned char* samples) {
    constexpr long long kPart = 1 << 16;
    const long long number_bytes = image().numbers.bytes(), sample_bytes = bytes_of(info().type);
    const long long held = std::clamp(held_ - first, 0LL, count);
    raw_.resize(static_cast<size_t>(kPart * number_bytes));
    for (long long done = 0; done < held; done += kPart) {
      const long long part = std::min(kPart, held - done);
      bytes_->file().read_all(hdu().data_offset + (first + done) * number_bytes, raw_.data(),
                              part * number_bytes);
      decode_fits(image().numbers, raw_.data(), false, samples + done * sample_bytes, part);
    }
    fill_missing(info().type, samples + held * sample_bytes, count - held);
  }

  std::unique_ptr<FitsBytes> bytes_;
  long long held_;  ///< numbers that the file holds
  std::vector<unsigned char> raw_, row_;
};

bool is_fits(std::string_view first_bytes) {
  return first_bytes.starts_with("SIMPLE  =") || first_bytes.starts_with("\x1f\x8b");
}

std::unique_ptr<ImageSource> open_fits(const std::string& path, const ReadOptions& options) {
  auto bytes = std::make_unique<FitsBytes>(path, options.limits);
  const FitsHdu hdu = find_hdu(*bytes, options);
  const FitsImage image = fits_image(path, hdu, options.limits);
  if (bytes->in_gzip()) check_expansion(path, image.info, bytes->stored_bytes(), options.limits);
  BeamTable beams = read_beam_table(*bytes, hdu, options);
  std::unique_ptr<FitsSource> source;
  if (hdu.is_tiled())
    source = open_fits_tiles(*bytes, hdu, image, options);
  else
    source =
        std::make_unique<PlainFitsSource>(std::move(bytes), hdu, image, options.allow_truncated);
  source->set_beams(std::move(beams));
  return source;
}

}  // namespace

Format fits_format() {
  Format format{"FITS", {".fits", ".fit", ".fts"}, "cfitsio", is_fits, open_fits, create_fits};
  format.any_order = [](const WriteOptions& options) {
    return options.compression == Compression::automatic ||
           options.compression == Compression::none;
  };
  format.pages = true;
  return format;
}

}  // namespace tessera
