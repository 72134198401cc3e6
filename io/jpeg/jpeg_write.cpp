// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <vector>

#include "core/refuse.hpp"
#include "io/jpeg/jpeg_file.hpp"
#include "io/jpeg/jpeg_guard.hpp"
#include "io/jpeg/jpeg_segments.hpp"
#include "io/output.hpp"
#include "io/packed_rows.hpp"
#include "tessera/error.hpp"
#include "tessera/options.hpp"

namespace tessera {
namespace {

/// From this quality on colours keep their full resolution.
constexpr int kFullColoursFrom = 90;

void check_writable(const std::string& path, const ImageInfo& info) {
  const Size& size = info.size;
  if (info.type != Type::u8)
    refuse(path, fmt::format("JPEG holds u8; this image is {}: give a .png or .npy name, or "
                             "convert it to u8 first",
                             name_of(info.type)));
  if (size.channels != 1 && size.channels != 3)
    refuse(path, fmt::format("JPEG holds 1 or 3 channels; this image has {}: give a .png name, or "
                             "extract one of them",
                             size.channels));
  if (size.planes != 1)
    refuse(path, fmt::format("JPEG holds one image; this one has {} planes: give an .npy name",
                             size.planes));
  if (size.width > JPEG_MAX_DIMENSION || size.height > JPEG_MAX_DIMENSION)
    refuse(path, fmt::format("JPEG holds at most {} pixels per side; this image has {}x{}: give a "
                             ".png name",
                             JPEG_MAX_DIMENSION, size.width, size.height));
}

class JpegSink : public ImageSink {
 public:
  JpegSink(const std::string& path, const ImageInfo& info, const WriteOptions& options)
      : output_(path, options.force),
        info_(info),
        row_(static_cast<size_t>(row_bytes(info))),
        segments_(jpeg_segments(options.metadata)) {
    jpeg_.err = jpeg_catch(errors_);
    if (jpeg_attempt(errors_, [&] { start(options.quality, options.metadata); })) return;
    jpeg_destroy_compress(&jpeg_);
    fail();
  }
  JpegSink(const JpegSink&) = delete;
  JpegSink& operator=(const JpegSink&) = delete;
  ~JpegSink() override { jpeg_destroy_compress(&jpeg_); }

  void write_plane(int, Rows rows, AnyView from) override {
    check_rows(info_, rows, from.info());
    check_next_row(rows, next_row_);
    for (int y = 0; y < rows.count(); ++y) {
      gather_row(from, y, 0, row_.data());
      if (!jpeg_attempt(errors_, [this] {
            JSAMPROW all[] = {row_.data()};
            jpeg_write_scanlines(&jpeg_, all, 1);
          }))
        fail();
    }
    next_row_ = rows.end;
  }

  void finish() override {
    check_next_row({info_.size.height, info_.size.height}, next_row_);
    if (!jpeg_attempt(errors_, [this] { jpeg_finish_compress(&jpeg_); })) fail();
    output_.finish();
  }

 private:
  void start(int quality, const ImageMetadata& metadata) {
    jpeg_create_compress(&jpeg_);
    jpeg_.client_data = this;
    destination_.init_destination = empty;
    destination_.empty_output_buffer = flush_all;
    destination_.term_destination = flush_rest;
    jpeg_.dest = &destination_;
    jpeg_.image_width = static_cast<JDIMENSION>(info_.size.width);
    jpeg_.image_height = static_cast<JDIMENSION>(info_.size.height);
    jpeg_.input_components = info_.size.channels;
    jpeg_.in_color_space = info_.size.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(&jpeg_);
    jpeg_set_quality(&jpeg_, quality, TRUE);
    const int luma = info_.size.channels == 1 || quality >= kFullColoursFrom ? 1 : 2;
    jpeg_.comp_info[0].h_samp_factor = jpeg_.comp_info[0].v_samp_factor = luma;
    set_density(metadata);
    jpeg_start_compress(&jpeg_, TRUE);
    for (const JpegSegment& segment : segments_)
      jpeg_write_marker(&jpeg_, segment.marker,
                        reinterpret_cast<const JOCTET*>(segment.bytes.data()),
                        static_cast<unsigned>(segment.bytes.size()));
  }

  // In whole numbers: fractions per centimetre are rounded less per inch.
  void set_density(const ImageMetadata& metadata) {
    if (metadata.across <= 0) return;
    const auto is_whole = [](double x) { return x == std::round(x); };
    const bool centimetres =
        !metadata.per_inch && is_whole(metadata.across) && is_whole(metadata.down);
    const double scale = metadata.per_inch || centimetres ? 1 : 2.54;
    jpeg_.density_unit = centimetres ? 2 : 1;
    jpeg_.X_density = static_cast<UINT16>(std::lround(metadata.across * scale));
    jpeg_.Y_density = static_cast<UINT16>(std::lround(metadata.down * scale));
  }

  static void empty(j_compress_ptr jpeg) {
    auto& self = *static_cast<JpegSink*>(jpeg->client_data);
    self.destination_.next_output_byte = self.buffer_;
    self.destination_.free_in_buffer = sizeof self.buffer_;
  }
  static void flush(j_compress_ptr jpeg, size_t bytes) {
    auto& self = *static_cast<JpegSink*>(jpeg->client_data);
    const auto count = static_cast<long long>(bytes);
    if (!self.output_.file().try_write(self.position_, self.buffer_, count)) {
      self.write_error_ = errno;
      ERREXIT(jpeg, JERR_FILE_WRITE);
    }
    self.position_ += count;
    empty(jpeg);
  }
  static boolean flush_all(j_compress_ptr jpeg) {
    flush(jpeg, sizeof(JpegSink::buffer_));
    return TRUE;
  }
  static void flush_rest(j_compress_ptr jpeg) {
    flush(jpeg, sizeof(JpegSink::buffer_) - jpeg->dest->free_in_buffer);
  }

  [[noreturn]] void fail() const {
    const std::string& path = output_.file().path();
    if (write_error_ != 0)
      throw system_error(ErrorKind::failure, path, "cannot be written", write_error_);
    if (errors_.code == JERR_OUT_OF_MEMORY)
      throw Error(ErrorKind::resources, path + ": there is no memory to write a JPEG");
    throw Error(ErrorKind::failure,
                fmt::format("{}: libjpeg cannot write it: {}", path, errors_.text));
  }

  Output output_;
  ImageInfo info_;
  std::vector<unsigned char> row_;
  std::vector<JpegSegment> segments_;
  JpegErrors errors_;
  jpeg_compress_struct jpeg_{};
  jpeg_destination_mgr destination_{};
  long long position_ = 0;
  int write_error_ = 0;
  int next_row_ = 0;
  JOCTET buffer_[1 << 16];
};

}  // namespace

std::unique_ptr<ImageSink> create_jpeg(const std::string& path, const ImageInfo& info,
                                       const WriteOptions& options) {
  check_writable(path, info);
  return std::make_unique<JpegSink>(path, info, options);
}

}  // namespace tessera
