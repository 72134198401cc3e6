// SPDX-License-Identifier: Apache-2.0
#include "io/tiff/tiff_encoder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <tiffio.h>

#include <algorithm>
#include <utility>

#include "io/packed_rows.hpp"
#include "io/tiff/tiff_pages.hpp"

namespace tessera {
namespace {

// Written data is never read again.
tmsize_t read_nothing(thandle_t, void*, tmsize_t) { return 0; }
int keep_open(thandle_t) { return 0; }
int map_no_bytes(thandle_t, void**, toff_t*) { return 0; }
void unmap_no_bytes(thandle_t, void*, toff_t) {}

bool has_predictor(int compression) {
  return compression == COMPRESSION_ADOBE_DEFLATE || compression == COMPRESSION_LZW ||
         compression == COMPRESSION_ZSTD;
}

}  // namespace

int tiff_compression(const std::string& path, Compression compression) {
  int number = COMPRESSION_NONE;
  if (compression == Compression::deflate) number = COMPRESSION_ADOBE_DEFLATE;
  if (compression == Compression::lzw) number = COMPRESSION_LZW;
  if (compression == Compression::packbits) number = COMPRESSION_PACKBITS;
  if (compression == Compression::zstd) number = COMPRESSION_ZSTD;
  const bool unknown = compression == Compression::rice;
  if (unknown ||
      (number != COMPRESSION_NONE && !TIFFIsCODECConfigured(static_cast<uint16_t>(number))))
    throw Error(ErrorKind::usage,
                fmt::format("{}: {} {}; give none, deflate, lzw, packbits or zstd", path,
                            name_of(compression),
                            unknown ? "is not a compression of TIFF" : "is not in this libtiff"));
  return number;
}

int tiff_predictor(int compression, Type type) {
  if (!has_predictor(compression)) return PREDICTOR_NONE;
  return is_integer(type) ? PREDICTOR_HORIZONTAL : PREDICTOR_FLOATINGPOINT;
}

int tiff_sample_format(Type type) {
  return is_signed_integer(type) ? SAMPLEFORMAT_INT
         : is_integer(type)      ? SAMPLEFORMAT_UINT
                                 : SAMPLEFORMAT_IEEEFP;
}

TiffEncoder::TiffEncoder(std::string path, const ImageInfo& info, int compression)
    : path_(std::move(path)), info_(info), compression_(compression) {}

void TiffEncoder::open() {
  if (TIFFOpenOptions* options = TIFFOpenOptionsAlloc()) {
    TIFFOpenOptionsSetErrorHandlerExtR(options, TiffMessage::keep, &message_);
    TIFFOpenOptionsSetWarningHandlerExtR(options, TiffMessage::ignore, nullptr);
    handle_ = TIFFClientOpenExt(
        "page", "w8m", this, read_nothing,
        [](thandle_t self, void* from, tmsize_t count) -> tmsize_t {
          return keep(self, from, count);
        },
        [](thandle_t self, toff_t offset, int whence) -> toff_t {
          auto& encoder = *static_cast<TiffEncoder*>(self);
          const toff_t from = whence == SEEK_SET   ? 0
                              : whence == SEEK_CUR ? encoder.position_
                                                   : encoder.end_;
          return encoder.position_ = from + offset;
        },
        keep_open, [](thandle_t self) -> toff_t { return static_cast<TiffEncoder*>(self)->end_; },
        map_no_bytes, unmap_no_bytes, options);
    TIFFOpenOptionsFree(options);
  }
  if (!handle_) fail();
  set_fields();
}

// Not closed, which would write a directory. Cleanup would also write one, and crash if memory ran
// out while strips were set up, unless the file is marked as opened for reading.
void TiffEncoder::close() {
  if (!handle_) return;
  TIFFSetMode(handle_, O_RDONLY);
  TIFFCleanup(std::exchange(handle_, nullptr));
}

long long TiffEncoder::keep(void* handle, const void* from, long long count) {
  auto& self = *static_cast<TiffEncoder*>(handle);
  const auto* bytes = static_cast<const unsigned char*>(from);
  try {
    self.made_.insert(self.made_.end(), bytes, bytes + count);
  } catch (...) {
    self.out_of_memory_ = true;
    return -1;
  }
  self.position_ += static_cast<unsigned long long>(count);
  self.end_ = std::max(self.end_, self.position_);
  return count;
}

void TiffEncoder::set_fields() {
  // All values are valid: if one is refused, memory has run out.
  const auto set = [this](unsigned tag, int value) {
    if (!TIFFSetField(handle_, tag, value)) out_of_memory_ = true;
  };
  set(TIFFTAG_IMAGEWIDTH, info_.size.width);
  set(TIFFTAG_IMAGELENGTH, info_.size.height);
  set(TIFFTAG_SAMPLESPERPIXEL, info_.size.channels);
  set(TIFFTAG_BITSPERSAMPLE, 8 * bytes_of(info_.type));
  set(TIFFTAG_SAMPLEFORMAT, tiff_sample_format(info_.type));
  set(TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  set(TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  set(TIFFTAG_COMPRESSION, compression_);
  set(TIFFTAG_ROWSPERSTRIP, tiff_strip_rows(info_));
  if (has_predictor(compression_)) set(TIFFTAG_PREDICTOR, tiff_predictor(compression_, info_.type));
  if (out_of_memory_) fail();
}

// The number matters: libtiff takes libdeflate only for a strip of the height that its number says,
// and zlib, with other bytes, for others.
const std::vector<unsigned char>& TiffEncoder::encode(int strip, unsigned char* rows) {
  if (strip < next_strip_) close();
  if (!handle_) open();
  next_strip_ = strip + 1;
  made_.clear();
  const long long bytes = tiff_strip(info_, strip).count() * row_bytes(info_);
  if (TIFFWriteEncodedStrip(handle_, static_cast<unsigned>(strip), rows, bytes) != bytes) fail();
  return made_;
}

void TiffEncoder::fail() const {
  // libtiff gives no message if its first allocations fail.
  if (out_of_memory_ || message_.text[0] == 0 || lacks_memory(message_.text))
    throw Error(ErrorKind::resources, path_ + ": there is no memory to compress a strip");
  throw Error(ErrorKind::failure,
              fmt::format("{}: libtiff cannot write it: {}", path_, message_.text));
}

}  // namespace tessera
