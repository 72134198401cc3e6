// SPDX-License-Identifier: Apache-2.0
#include "io/tiff/tiff_pages.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tiffio.h>

#include <algorithm>
#include <utility>

#include "io/packed_rows.hpp"
#include "io/tiff/tiff_encoder.hpp"

namespace tessera {
namespace {

/// Large enough that seeks cost little, small enough that readers of a few rows decode little else.
constexpr long long kStripBytes = 128LL << 10;
/// Offsets of a classic TIFF end at 4 GiB; 64 MiB are set aside for everything except samples.
constexpr long long kMostClassic = (4LL << 30) - (64LL << 20);

// In the worst case LZW takes 12 bits per byte; the others take hardly more than the input.
bool needs_big(const ImageInfo& info, int compression, long long text_bytes) {
  const long long samples = bytes_of(info);
  const long long worst =
      compression == COMPRESSION_LZW ? samples + samples / 2 : samples + samples / 64;
  const long long headers = info.size.planes * (1024 + 8LL * tiff_strips(info)) + text_bytes;
  return (compression == COMPRESSION_NONE ? samples : worst) + headers > kMostClassic;
}

// The input's description comes first, then how this image was made.
std::string description_of(const WriteOptions& options) {
  std::vector<std::string> lines = history_to_write(options);
  if (!options.metadata.description.empty())
    lines.insert(lines.begin(), options.metadata.description);
  return fmt::format("{}", fmt::join(lines, "\n"));
}

}  // namespace

TiffPages::TiffPages(const ImageInfo& info, const WriteOptions& options, int compression)
    : info_(info),
      metadata_(options.metadata),
      exif_(tiff_exif(metadata_.exif)),
      description_(description_of(options)),
      compression_(compression),
      rows_a_strip_(tiff_strip_rows(info)),
      big_(needs_big(info, compression,
                     std::ssize(description_) + std::ssize(metadata_.profile) + exif_.bytes())),
      end_(big_ ? 16 : 8),
      link_at_(big_ ? 8 : 4) {}

void TiffPages::begin(const File* file) {
  file_ = file;
  put(0, TiffFields(big_, false).header(0));
  if (metadata_.profile.empty()) return;
  profile_at_ = end_;
  put(end_, metadata_.profile);
  end_ += (static_cast<long long>(metadata_.profile.size()) + 7) / 8 * 8;
}

long long TiffPages::place_strip(long long bytes) {
  offsets_.push_back(end_);
  counts_.push_back(bytes);
  return std::exchange(end_, end_ + bytes);
}

void TiffPages::finish_page() {
  TiffFields page = fields();
  long long at = (end_ + 7) / 8 * 8;
  if (page_ == 0) {
    const std::string parts = add_exif(exif_, at, page);
    put(at, parts);
    at += std::ssize(parts);
  }
  const std::string bytes = page.directory(at);
  put(at, bytes);
  put(link_at_, page.number(at, page.pointer_bytes()));
  link_at_ = at + page.next_at();
  end_ = at + static_cast<long long>(bytes.size());
  end_ += end_ % 2;
  offsets_.clear();
  counts_.clear();
  ++page_;
}

void TiffPages::put(long long offset, const std::string& bytes) const {
  if (file_) file_->write_all(offset, bytes.data(), static_cast<long long>(bytes.size()));
}

TiffFields TiffPages::fields() const {
  TiffFields fields(big_, false);
  const int channels = info_.size.channels, offset_type = big_ ? TIFF_LONG8 : TIFF_LONG;
  const auto add = [&](int tag, long long value) { fields.add(tag, TIFF_LONG, {value}); };
  const auto add_short = [&](int tag, long long value) { fields.add(tag, TIFF_SHORT, {value}); };
  const auto add_each = [&](int tag, long long value) {
    fields.add(tag, TIFF_SHORT, std::vector<long long>(static_cast<size_t>(channels), value));
  };
  add(TIFFTAG_IMAGEWIDTH, info_.size.width);
  add(TIFFTAG_IMAGELENGTH, info_.size.height);
  add_each(TIFFTAG_BITSPERSAMPLE, 8 * bytes_of(info_.type));
  add_each(TIFFTAG_SAMPLEFORMAT, tiff_sample_format(info_.type));
  add_short(TIFFTAG_COMPRESSION, compression_);
  add_short(TIFFTAG_PHOTOMETRIC, channels >= 3             ? PHOTOMETRIC_RGB
                                 : metadata_.white_is_zero ? PHOTOMETRIC_MINISWHITE
                                                           : PHOTOMETRIC_MINISBLACK);
  add_short(TIFFTAG_SAMPLESPERPIXEL, channels);
  add_short(TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  add(TIFFTAG_ROWSPERSTRIP, rows_a_strip_);
  fields.add(TIFFTAG_STRIPOFFSETS, offset_type, offsets_);
  fields.add(TIFFTAG_STRIPBYTECOUNTS, offset_type, counts_);
  if (channels % 2 == 0) add_short(TIFFTAG_EXTRASAMPLES, EXTRASAMPLE_UNASSALPHA);
  if (const int predictor = tiff_predictor(compression_, info_.type); predictor != PREDICTOR_NONE)
    add_short(TIFFTAG_PREDICTOR, predictor);
  if (info_.size.planes > 1) {
    add(TIFFTAG_SUBFILETYPE, FILETYPE_PAGE);
    if (info_.size.planes <= 65535)
      fields.add(TIFFTAG_PAGENUMBER, TIFF_SHORT, {page_, info_.size.planes});
  }
  add_metadata(fields);
  fields.add_text(TIFFTAG_SOFTWARE, "tessera " TESSERA_VERSION);
  if (page_ == 0 && !description_.empty()) fields.add_text(TIFFTAG_IMAGEDESCRIPTION, description_);
  return fields;
}

void TiffPages::add_metadata(TiffFields& fields) const {
  if (metadata_.orientation != ORIENTATION_TOPLEFT)
    fields.add(TIFFTAG_ORIENTATION, TIFF_SHORT, {metadata_.orientation});
  if (metadata_.across > 0) {
    fields.add_fraction(TIFFTAG_XRESOLUTION, metadata_.across);
    fields.add_fraction(TIFFTAG_YRESOLUTION, metadata_.down);
    fields.add(TIFFTAG_RESOLUTIONUNIT, TIFF_SHORT,
               {metadata_.per_inch ? RESUNIT_INCH : RESUNIT_CENTIMETER});
  }
  if (!metadata_.profile.empty())
    fields.add_elsewhere(TIFFTAG_ICCPROFILE, TIFF_UNDEFINED,
                         static_cast<long long>(metadata_.profile.size()), profile_at_);
}

int tiff_strip_rows(const ImageInfo& info) {
  return static_cast<int>(
      std::clamp(kStripBytes / row_bytes(info), 1LL, static_cast<long long>(info.size.height)));
}

int tiff_strips(const ImageInfo& info) {
  return (info.size.height - 1) / tiff_strip_rows(info) + 1;
}

Rows tiff_strip(const ImageInfo& info, int strip) {
  const long long first = 1LL * strip * tiff_strip_rows(info);
  return {static_cast<int>(first),
          static_cast<int>(std::min<long long>(first + tiff_strip_rows(info), info.size.height))};
}

}  // namespace tessera
