// SPDX-License-Identifier: Apache-2.0
#include "io/jpeg/jpeg_decoder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

#include "io/exif.hpp"
#include "io/jpeg/jpeg_segments.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// Encoders make about ten. Every scan goes through all coefficients, so a small file with many
/// scans of a large image can only be meant to waste time: 500 scans of 81 million pixels took 6.6
/// s.
constexpr long long kMostScans = 500, kAlwaysScans = 64, kPixelsOfAllScans = 1LL << 32;
constexpr int kTooManyScans = -1;  // not a code of libjpeg

std::string sampling_text(const jpeg_decompress_struct& jpeg) {
  const jpeg_component_info *luma = jpeg.comp_info, *chroma = jpeg.comp_info + 1;
  const int across = luma->h_samp_factor, down = luma->v_samp_factor;
  const bool usual = chroma[0].h_samp_factor == 1 && chroma[0].v_samp_factor == 1 &&
                     chroma[1].h_samp_factor == 1 && chroma[1].v_samp_factor == 1;
  if (usual && down == 1 && (across == 1 || across == 2 || across == 4))
    return across == 1 ? "4:4:4" : across == 2 ? "4:2:2" : "4:1:1";
  if (usual && down == 2 && across <= 2) return across == 1 ? "4:4:0" : "4:2:0";
  return fmt::format("{}x{}, {}x{}, {}x{}", across, down, chroma[0].h_samp_factor,
                     chroma[0].v_samp_factor, chroma[1].h_samp_factor, chroma[1].v_samp_factor);
}

int most_scans(const ImageInfo& info) {
  return static_cast<int>(
      std::clamp(kPixelsOfAllScans / info.size.pixels(), kAlwaysScans, kMostScans));
}

void ignore_source(j_decompress_ptr) {}

/// Whether scans are missing: every coefficient that was sent is sent to its last bit in the end.
bool is_unfinished(const jpeg_decompress_struct& jpeg) {
  if (!jpeg.coef_bits) return false;
  for (int c = 0; c < jpeg.num_components; ++c)
    for (int i = 0; i < DCTSIZE2; ++i)
      if (jpeg.coef_bits[c][i] > 0 || jpeg.coef_bits[c][0] < 0) return true;
  return false;
}

}  // namespace

JpegDecoder::JpegDecoder(const File& file, const ReadOptions& options)
    : file_(file), options_(options) {
  jpeg_.err = jpeg_catch(errors_);
  unsigned char first[3] = {};
  if (file.read_some(0, first, sizeof first) == sizeof first && first[0] == 0xff &&
      first[1] == 0xd8 && first[2] != 0xff)
    throw Error(ErrorKind::input,
                file.path() + ": its header is damaged: no marker follows its start");
  try {
    if (!jpeg_attempt(errors_, [this] { read_header(); })) fail("its header");
    check_header();
    metadata_ = jpeg_metadata(file);
  } catch (...) {
    jpeg_destroy_decompress(&jpeg_);
    throw;
  }
}

JpegDecoder::~JpegDecoder() { jpeg_destroy_decompress(&jpeg_); }

void JpegDecoder::read_header() {
  jpeg_create_decompress(&jpeg_);
  jpeg_.client_data = this;
  source_.init_source = ignore_source;
  source_.fill_input_buffer = refill;
  source_.skip_input_data = skip;
  source_.resync_to_restart = jpeg_resync_to_restart;
  source_.term_source = ignore_source;
  jpeg_.src = &source_;
  progress_.progress_monitor = watch;
  jpeg_.progress = &progress_;
  jpeg_read_header(&jpeg_, TRUE);
}

void JpegDecoder::check_header() {
  const J_COLOR_SPACE space = jpeg_.jpeg_color_space;
  if (space == JCS_CMYK || space == JCS_YCCK)
    throw Error(ErrorKind::input,
                file_.path() +
                    ": its colours are CMYK, for printing; convert it to an RGB JPEG or PNG first");
  if (space != JCS_GRAYSCALE && space != JCS_YCbCr && space != JCS_RGB)
    throw Error(ErrorKind::input,
                fmt::format("{}: it has {} components of unknown colours; 1 (grey) and 3 (YCbCr or "
                            "RGB) can be read",
                            file_.path(), jpeg_.num_components));
  jpeg_.out_color_space = space == JCS_GRAYSCALE ? JCS_GRAYSCALE : JCS_RGB;
  const ClaimedSize size{jpeg_.image_width, jpeg_.image_height, space == JCS_GRAYSCALE ? 1 : 3, 1};
  info_ = checked_info(file_.path(), size, Type::u8, options_.limits);
  check_expansion(file_.path(), info_, file_.bytes(), options_.limits);
}

std::vector<FileDetail> JpegDecoder::details() const {
  std::vector<FileDetail> details{
      {"coding", fmt::format("{}{}", jpeg_.progressive_mode ? "progressive" : "sequential",
                             jpeg_.arith_code ? ", arithmetic" : "")},
      {"colours", jpeg_.jpeg_color_space == JCS_GRAYSCALE ? "grey"
                  : jpeg_.jpeg_color_space == JCS_YCbCr   ? "YCbCr"
                                                          : "RGB"}};
  if (jpeg_.num_components == 3) details.push_back({"sampling", sampling_text(jpeg_)});
  if (jpeg_.saw_JFIF_marker && jpeg_.density_unit != 0)
    details.push_back(
        {"resolution", fmt::format("{} x {} dots {}", jpeg_.X_density, jpeg_.Y_density,
                                   jpeg_.density_unit == 1 ? "per inch" : "per cm")});
  if (metadata_.orientation != 1)
    details.push_back({"orientation", orientation_text(metadata_.orientation)});
  return details;
}

ImageMetadata JpegDecoder::metadata() const {
  ImageMetadata metadata = metadata_;
  if (jpeg_.saw_JFIF_marker && jpeg_.density_unit != 0 && jpeg_.X_density > 0 &&
      jpeg_.Y_density > 0) {
    metadata.across = jpeg_.X_density;
    metadata.down = jpeg_.Y_density;
    metadata.per_inch = jpeg_.density_unit == 1;
  }
  return metadata;
}

// Pixels come from the sum of all scans: one coefficient of 2 bytes per sample is kept in memory.
void JpegDecoder::check_scans_memory() {
  ImageInfo coefficients = info_;
  coefficients.type = Type::u16;
  check_memory(file_.path(), coefficients, options_.limits);
}

void JpegDecoder::begin() {
  if (jpeg_has_multiple_scans(&jpeg_)) return begin_scans();
  if (!jpeg_attempt(errors_, [this] { jpeg_start_decompress(&jpeg_); })) fail("its first row");
}

// All scans are read here. With allow-truncated those before the damage make a coarser image; only
// rows that the first scan lacks are missing.
void JpegDecoder::begin_scans() {
  check_scans_memory();
  errors_.stop_at_damage = !options_.allow_truncated;
  const bool whole = jpeg_attempt(errors_, [this] { jpeg_start_decompress(&jpeg_); });
  const std::string where =
      fmt::format("scan {} near row {} of {}", damaged_scan_, damaged_row_, info_.size.height);
  if (!whole) fail(where);
  errors_.stop_at_damage = true;
  if (!errors_.damaged) {
    if (is_unfinished(jpeg_))
      warning_ =
          file_.path() + ": its last scans are missing; the image is coarser than the original";
    return;
  }
  warning_ = fmt::format("{}: {} is damaged: {}; the image is coarser than the original",
                         file_.path(), where, errors_.text);
}

void JpegDecoder::next_row(unsigned char* row, int number) {
  const std::string where = fmt::format("row {} of {}", number, info_.size.height);
  if (damaged_scan_ == 1 && errors_.damaged && number >= damaged_row_) fail(where);
  if (!jpeg_attempt(errors_, [&] {
        JSAMPROW rows[] = {row};
        jpeg_read_scanlines(&jpeg_, rows, 1);
      }))
    fail(where);
}

void JpegDecoder::finish() {
  if (!jpeg_attempt(errors_, [this] { jpeg_finish_decompress(&jpeg_); }))
    fail("the data after the last row");
}

std::string JpegDecoder::warning() const {
  if (!warning_.empty() || !errors_.extra_bytes) return warning_;
  return fmt::format(
      "{}: extra bytes follow the data of its pixels; no row is missing, but pixels may be damaged",
      file_.path());
}

// After damage nothing more is read: the bytes that follow would be misunderstood.
boolean JpegDecoder::refill(j_decompress_ptr jpeg) {
  static constexpr JOCTET kEnd[] = {0xff, JPEG_EOI};
  auto& self = *static_cast<JpegDecoder*>(jpeg->client_data);
  const long long got =
      self.errors_.damaged ? 0
                           : self.file_.try_read(self.position_, self.buffer_, sizeof self.buffer_);
  if (got < 0) {
    self.read_error_ = errno;
    ERREXIT(jpeg, JERR_FILE_READ);
  }
  self.source_.next_input_byte = got > 0 ? self.buffer_ : kEnd;
  self.source_.bytes_in_buffer = got > 0 ? static_cast<size_t>(got) : sizeof kEnd;
  self.position_ += got;
  if (got == 0 && !self.errors_.damaged) WARNMS(jpeg, JWRN_JPEG_EOF);
  return TRUE;
}

void JpegDecoder::skip(j_decompress_ptr jpeg, long count) {
  auto& self = *static_cast<JpegDecoder*>(jpeg->client_data);
  const auto held = static_cast<long>(self.source_.bytes_in_buffer);
  if (count <= 0) return;
  if (count > held) self.position_ += count - held;
  const auto part = static_cast<size_t>(count > held ? held : count);
  self.source_.next_input_byte += part;
  self.source_.bytes_in_buffer -= part;
}

void JpegDecoder::watch(j_common_ptr common) {
  auto& self = *static_cast<JpegDecoder*>(common->client_data);
  jpeg_decompress_struct& jpeg = self.jpeg_;
  if (!self.errors_.damaged && !jpeg_input_complete(&jpeg)) {
    self.damaged_scan_ = jpeg.input_scan_number;
    self.damaged_row_ = static_cast<int>(jpeg.input_iMCU_row) * jpeg.max_v_samp_factor * DCTSIZE;
  }
  if (jpeg.input_scan_number <= most_scans(self.info_)) return;
  self.errors_.code = kTooManyScans;
  std::longjmp(self.errors_.jump, 1);
}

void JpegDecoder::fail(const std::string& where) const {
  if (read_error_ != 0)
    throw system_error(ErrorKind::input, file_.path(), "cannot be read", read_error_);
  if (errors_.code == kTooManyScans)
    throw Error(ErrorKind::input, fmt::format("{}: it has more than {} scans, and no picture "
                                              "of its size needs that many",
                                              file_.path(), most_scans(info_)));
  if (errors_.code == JERR_OUT_OF_MEMORY)
    throw Error(ErrorKind::resources, file_.path() + ": there is no memory to read a JPEG");
  throw decoding_error(file_, where, errors_.code == JWRN_JPEG_EOF, errors_.text);
}

}  // namespace tessera
