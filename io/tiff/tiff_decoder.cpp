// SPDX-License-Identifier: Apache-2.0
#include "io/tiff/tiff_decoder.hpp"

#include <fmt/format.h>
#include <tiffio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "io/tiff/tiff_checked_decoder.hpp"
#include "io/tiff/tiff_fields.hpp"

namespace tessera {
namespace {

/// More than any accepted strip or tile needs; larger allocations by libtiff are refused.
constexpr tmsize_t kMostBytesAtOnce = 640LL << 20;

int close_nothing(thandle_t) { return 0; }
int map_nothing(thandle_t, void**, toff_t*) { return 0; }
void unmap_nothing(thandle_t, void*, toff_t) {}
tmsize_t write_nothing(thandle_t, void*, tmsize_t) { return 0; }

/// Warnings about data that is decoded as it was meant. All others count as damage.
bool is_harmless(std::string_view warning) {
  return warning.starts_with("Old-style LZW codes") ||
         // The last strip was encoded with the height of the others; the rows below are left out.
         warning.starts_with("JPEG strip size exceeds expected dimensions");
}

}  // namespace

int TiffMessage::keep(tiff*, void* message, const char*, const char* format, va_list values) {
  char* text = static_cast<TiffMessage*>(message)->text;
  std::vsnprintf(text, sizeof TiffMessage::text, format, values);
  for (size_t end = std::strlen(text); end > 0 && text[end - 1] == '.'; --end) text[end - 1] = '\0';
  return 1;
}

int TiffMessage::keep_warning(tiff* handle, void* message, const char* module, const char* format,
                              va_list values) {
  if (static_cast<TiffMessage*>(message)->text[0] != '\0' || is_harmless(format)) return 1;
  return keep(handle, message, module, format, values);
}

TiffDecoder::TiffDecoder(const TiffFile& file, const TiffPage& page, bool cut_short)
    : file_(file), page_(page) {
  make_directory(cut_short);
  open();
  if (!handle_ && (message_.text[0] == 0 || lacks_memory(message_.text)))
    throw Error(ErrorKind::resources, page.where() + ": there is no memory to decode it");
  if (!handle_)
    throw Error(ErrorKind::input,
                fmt::format("{}: it cannot be decoded: {}", page.where(), message_.text));
}

TiffDecoder::~TiffDecoder() {
  if (handle_) TIFFClose(handle_);
}

void TiffDecoder::make_directory(bool cut_short) {
  TiffFields fields(true, file_.swapped());
  const TiffBlockGrid& grid = page_.grid;
  const auto add = [&](int tag, long long value) { fields.add(tag, TIFF_LONG, {value}); };
  const auto add_each = [&](int tag, long long value) {
    fields.add(tag, TIFF_SHORT, std::vector<long long>(static_cast<size_t>(grid.channels), value));
  };
  add(TIFFTAG_IMAGEWIDTH, page_.info.size.width);
  add(TIFFTAG_IMAGELENGTH, page_.info.size.height);
  add(TIFFTAG_COMPRESSION, page_.compression);
  add(TIFFTAG_PHOTOMETRIC, page_.photometric);
  add(TIFFTAG_FILLORDER, page_.fill_order == FILLORDER_LSB2MSB ? 2 : 1);
  add(TIFFTAG_SAMPLESPERPIXEL, grid.channels);
  add(TIFFTAG_PLANARCONFIG, grid.separate ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG);
  add_each(TIFFTAG_BITSPERSAMPLE, page_.coding.bits);
  constexpr int kFormats[] = {SAMPLEFORMAT_UINT, SAMPLEFORMAT_INT, SAMPLEFORMAT_IEEEFP};
  add_each(TIFFTAG_SAMPLEFORMAT, kFormats[static_cast<int>(page_.coding.format)]);
  if (page_.predictor != 1) add(TIFFTAG_PREDICTOR, page_.predictor);
  if (grid.tiled) {
    add(TIFFTAG_TILEWIDTH, grid.width);
    add(TIFFTAG_TILELENGTH, grid.height);
  } else {
    add(TIFFTAG_ROWSPERSTRIP, grid.height);
  }
  // Values that codecs read, copied from the file.
  for (const int tag : {TIFFTAG_STRIPOFFSETS, TIFFTAG_STRIPBYTECOUNTS, TIFFTAG_TILEOFFSETS,
                        TIFFTAG_TILEBYTECOUNTS, TIFFTAG_GROUP3OPTIONS, TIFFTAG_GROUP4OPTIONS,
                        TIFFTAG_JPEGTABLES, TIFFTAG_YCBCRSUBSAMPLING}) {
    const TiffEntry* entry = page_.directory.find(tag);
    const int item = entry ? tiff_type_bytes(entry->type) : 0;
    const long long room = entry ? std::max(0LL, file_.bytes() - entry->offset) : 0;
    if (item == 0 || entry->count < 1 || entry->count > room / item) continue;
    if (entry->count * item > 8) {
      fields.add_elsewhere(tag, entry->type, entry->count, entry->offset);
      continue;
    }
    std::string values(static_cast<size_t>(entry->count * item), '\0');
    file_.file().read_all(entry->offset, values.data(), entry->count * item);
    fields.add_bytes(tag, entry->type, entry->count, values);
  }
  if (cut_short) fields.add(TIFFTAG_STRIPBYTECOUNTS, TIFF_LONG8, counts_inside());
  directory_ = fields.directory(file_.bytes());
  header_ = fields.header(file_.bytes());
}

// libtiff refuses a strip that ends past the file, although its first rows may exist.
std::vector<long long> TiffDecoder::counts_inside() const {
  TiffValues offsets = page_.offsets, counts = page_.counts;
  std::vector<long long> inside;
  for (long long i = 0; i < page_.grid.count(); ++i)
    inside.push_back(std::min(counts.at(i), std::max(0LL, file_.bytes() - offsets.at(i))));
  return inside;
}

void TiffDecoder::open() {
  TIFFOpenOptions* options = TIFFOpenOptionsAlloc();
  if (!options) return;
  TIFFOpenOptionsSetMaxSingleMemAlloc(options, kMostBytesAtOnce);
  TIFFOpenOptionsSetErrorHandlerExtR(options, TiffMessage::keep, &message_);
  TIFFOpenOptionsSetWarningHandlerExtR(options, TiffMessage::keep_warning, &message_);
  // The file is not mapped (it may shrink) and not chopped into strips, and the tables of blocks
  // are loaded only when they are needed.
  handle_ = TIFFClientOpenExt(
      "page", "rmcDO", this,
      [](thandle_t self, void* to, tmsize_t count) -> tmsize_t { return read(self, to, count); },
      write_nothing,
      [](thandle_t self, toff_t offset, int whence) -> toff_t {
        return seek(self, offset, whence);
      },
      close_nothing, [](thandle_t self) -> toff_t { return size(self); }, map_nothing,
      unmap_nothing, options);
  TIFFOpenOptionsFree(options);
  opening_ = false;
  if (handle_ && page_.to_rgb) TIFFSetField(handle_, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
  if (!handle_) return;
  const tmsize_t row_bytes =
      page_.grid.tiled ? TIFFTileRowSize(handle_) : TIFFScanlineSize(handle_);
  if (row_bytes == page_.grid.row_bytes) return;
  std::snprintf(message_.text, sizeof message_.text, "its rows take %lld bytes, not %lld",
                static_cast<long long>(row_bytes), page_.grid.row_bytes);
  TIFFClose(handle_);
  handle_ = nullptr;
}

// The file's bytes, then the directory.
long long TiffDecoder::read(void* handle, void* to, long long count) {
  auto& self = *static_cast<TiffDecoder*>(handle);
  auto* bytes = static_cast<char*>(to);
  long long done = 0;
  const auto copy = [&](const std::string& from, long long offset) {
    const long long part = std::min(count - done, static_cast<long long>(from.size()) - offset);
    std::memcpy(bytes + done, from.data() + offset, static_cast<size_t>(part));
    return part;
  };
  while (done < count) {
    const long long at = self.position_, after = at - self.file_.bytes();
    long long got = 0;
    if (self.opening_ && at < static_cast<long long>(self.header_.size()))
      got = copy(self.header_, at);
    else if (after >= 0 && after < static_cast<long long>(self.directory_.size()))
      got = copy(self.directory_, after);
    else if (after < 0)
      got = ::pread(self.file_.file().descriptor(), bytes + done,
                    static_cast<size_t>(std::min(count - done, -after)), at);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    done += got;
    self.position_ += got;
  }
  return done;
}

unsigned long long TiffDecoder::seek(void* handle, unsigned long long offset, int whence) {
  auto& self = *static_cast<TiffDecoder*>(handle);
  const auto signed_offset = static_cast<long long>(offset);
  const long long from = whence == SEEK_SET   ? 0
                         : whence == SEEK_CUR ? self.position_
                                              : static_cast<long long>(size(handle));
  if (__builtin_add_overflow(from, signed_offset, &self.position_) || self.position_ < 0)
    self.position_ = static_cast<long long>(size(handle));
  return static_cast<unsigned long long>(self.position_);
}

unsigned long long TiffDecoder::size(void* handle) {
  const auto& self = *static_cast<TiffDecoder*>(handle);
  return static_cast<unsigned long long>(self.file_.bytes()) + self.directory_.size();
}

bool TiffDecoder::decode_block(long long block, unsigned char* stored, long long stored_bytes,
                               unsigned char* to, long long bytes) {
  message_.text[0] = '\0';
  strip_plane_ = -1;
  return TIFFReadFromUserBuffer(handle_, static_cast<uint32_t>(block), stored, stored_bytes, to,
                                bytes) != 0 &&
         message_.text[0] == '\0';
}

// libtiff's decoders only go forward; it restarts a strip if an earlier row is requested.
bool TiffDecoder::skip_to(int row, int plane) {
  const auto height = static_cast<int>(page_.grid.height);
  const bool goes_on =
      plane == strip_plane_ && next_row_ / height == row / height && next_row_ <= row;
  if (!goes_on) next_row_ = row / height * height;
  strip_plane_ = plane;
  skipped_.resize(static_cast<size_t>(page_.grid.row_bytes));
  for (; next_row_ < row; ++next_row_)
    if (TIFFReadScanline(handle_, skipped_.data(), static_cast<uint32_t>(next_row_),
                         static_cast<uint16_t>(plane)) != 1)
      return false;
  return true;
}

int TiffDecoder::decode_rows(int plane, Rows rows, unsigned char* to) {
  message_.text[0] = '\0';
  int done = 0;
  if (skip_to(rows.first, plane))
    for (; done < rows.count(); ++done, ++next_row_)
      if (TIFFReadScanline(handle_, to + done * page_.grid.row_bytes,
                           static_cast<uint32_t>(next_row_), static_cast<uint16_t>(plane)) != 1 ||
          message_.text[0] != '\0')
        break;
  if (done < rows.count()) strip_plane_ = -1;
  return done;
}

std::unique_ptr<TiffBlockDecoder> make_tiff_decoder(const TiffFile& file, const TiffPage& page,
                                                    bool cut_short) {
  if (auto inflater = TiffInflater::of(page.compression))
    return std::make_unique<TiffCheckedDecoder>(file, page, std::move(inflater));
  return std::make_unique<TiffDecoder>(file, page, cut_short);
}

}  // namespace tessera
