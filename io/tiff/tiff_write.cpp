// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tiffio.h>

#include <algorithm>
#include <optional>

#include "io/output.hpp"
#include "io/packed_rows.hpp"
#include "io/tiff/tiff_encoder.hpp"
#include "io/tiff/tiff_exif.hpp"
#include "io/tiff/tiff_fields.hpp"
#include "io/tiff/tiff_file.hpp"
#include "tessera/image.hpp"

namespace tessera {
namespace {

/// Large enough that seeks cost little, small enough that readers of a few rows decode little else.
constexpr long long kStripBytes = 128LL << 10;
/// Offsets of a classic TIFF end at 4 GiB; 64 MiB are set aside for everything except samples.
constexpr long long kMostClassic = (4LL << 30) - (64LL << 20);

int rows_a_strip(const ImageInfo& info) {
  return static_cast<int>(
      std::clamp(kStripBytes / row_bytes(info), 1LL, static_cast<long long>(info.size.height)));
}

// In the worst case LZW takes 12 bits per byte; the others take hardly more than the input.
bool needs_big(const ImageInfo& info, int compression, long long text_bytes) {
  const long long samples = bytes_of(info);
  const long long worst =
      compression == COMPRESSION_LZW ? samples + samples / 2 : samples + samples / 64;
  const long long strips = (info.size.height + rows_a_strip(info) - 1) / rows_a_strip(info);
  const long long headers = info.size.planes * (1024 + 8 * strips) + text_bytes;
  return (compression == COMPRESSION_NONE ? samples : worst) + headers > kMostClassic;
}

// The input's description comes first, then how this image was made.
std::string description_of(const WriteOptions& options) {
  std::vector<std::string> lines = history_to_write(options);
  if (!options.metadata.description.empty())
    lines.insert(lines.begin(), options.metadata.description);
  return fmt::format("{}", fmt::join(lines, "\n"));
}

class TiffSink : public ImageSink {
 public:
  TiffSink(const std::string& path, const ImageInfo& info, const WriteOptions& options)
      : compression_(tiff_compression(path, options.compression)),
        metadata_(options.metadata),
        exif_(tiff_exif(metadata_.exif)),
        description_(description_of(options)),
        output_(path, options.force),
        info_(info),
        rows_a_strip_(rows_a_strip(info)),
        big_(needs_big(info, compression_,
                       std::ssize(description_) + std::ssize(metadata_.profile) + exif_.bytes())),
        end_(big_ ? 16 : 8),
        link_at_(big_ ? 8 : 4) {
    if (compression_ == COMPRESSION_NONE) output_.file().reserve(bytes_of(info) + end_);
    put(0, TiffFields(big_, false).header(0));
    if (!metadata_.profile.empty()) {
      profile_at_ = end_;
      put(end_, metadata_.profile);
      end_ += (static_cast<long long>(metadata_.profile.size()) + 7) / 8 * 8;
    }
    strip_.resize(static_cast<size_t>(rows_a_strip_ * row_bytes(info)));
  }

  bool planes_in_turn() const override { return info_.size.planes > 1; }
  int block_rows() const override { return rows_a_strip_; }

  void write_plane(int plane, Rows rows, AnyView from) override {
    check_plane_rows(info_, rows, from.info());
    if (plane != plane_)
      throw Error(ErrorKind::failure,
                  fmt::format("plane {} is written but plane {} comes next", plane, plane_));
    check_next_row(rows, next_row_);
    for (int y = 0; y < rows.count(); ++y) write_row(from, y);
    if (next_row_ == info_.size.height) finish_page();
  }

  void finish() override {
    if (plane_ < info_.size.planes)
      throw Error(
          ErrorKind::failure,
          fmt::format("the file is finished but row {} of plane {} comes next", next_row_, plane_));
    output_.finish();
  }

 private:
  void put(long long offset, const std::string& bytes) {
    output_.file().write_all(offset, bytes.data(), static_cast<long long>(bytes.size()));
  }

  void write_row(AnyView from, int y) {
    const int in_strip = next_row_ % rows_a_strip_;
    gather_row(from, y, 0, strip_.data() + in_strip * row_bytes(info_));
    ++next_row_;
    if (in_strip + 1 == rows_a_strip_ || next_row_ == info_.size.height)
      write_strip((in_strip + 1) * row_bytes(info_));
  }

  void write_strip(long long bytes) {
    const unsigned char* made = strip_.data();
    if (compression_ != COMPRESSION_NONE) {
      if (!encoder_) encoder_.emplace(output_.file().path(), info_, compression_, rows_a_strip_);
      const auto& encoded = encoder_->encode(strip_.data(), bytes);
      made = encoded.data();
      bytes = static_cast<long long>(encoded.size());
    }
    output_.file().write_all(end_, made, bytes);
    offsets_.push_back(end_);
    counts_.push_back(bytes);
    end_ += bytes;
  }

  TiffFields fields() const {
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
        fields.add(TIFFTAG_PAGENUMBER, TIFF_SHORT, {plane_, info_.size.planes});
    }
    add_metadata(fields);
    fields.add_text(TIFFTAG_SOFTWARE, "tessera " TESSERA_VERSION);
    if (plane_ == 0 && !description_.empty())
      fields.add_text(TIFFTAG_IMAGEDESCRIPTION, description_);
    return fields;
  }

  /// The same for all pages.
  void add_metadata(TiffFields& fields) const {
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

  /// The page's directory is written after its strips, and its offset into the previous directory.
  void finish_page() {
    TiffFields page = fields();
    long long at = (end_ + 7) / 8 * 8;
    if (plane_ == 0) {
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
    encoder_.reset();
    next_row_ = 0;
    ++plane_;
  }

  int compression_;
  ImageMetadata metadata_;
  ExifDirectory exif_;
  std::string description_;
  Output output_;
  ImageInfo info_;
  int rows_a_strip_;
  bool big_;
  long long end_;  ///< of the data written so far
  long long profile_at_ = 0;
  long long link_at_;  ///< where the next directory's offset goes
  std::optional<TiffEncoder> encoder_;
  std::vector<unsigned char> strip_;
  std::vector<long long> offsets_, counts_;
  int plane_ = 0, next_row_ = 0;
};

}  // namespace

std::unique_ptr<ImageSink> create_tiff(const std::string& path, const ImageInfo& info,
                                       const WriteOptions& options) {
  return std::make_unique<TiffSink>(path, info, options);
}

}  // namespace tessera
