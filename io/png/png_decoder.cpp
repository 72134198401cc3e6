// SPDX-License-Identifier: Apache-2.0
#include "io/png/png_decoder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>

#include "core/counted.hpp"
#include "io/exif.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr long long kSignatureBytes = 8;
/// Deflate expands one byte to at most 1032.
constexpr long long kMostExpansion = 1032;

/// Bytes read at once with allow-truncated: no more than these are lost from a file that is cut
/// short.
constexpr size_t kFewBytes = 16;
/// The limit for one chunk, unpacked: a colour profile has some hundred kilobytes.
constexpr png_alloc_size_t kMostChunkBytes = 8 << 20;

// Counts the chunks before the pixels; stops past `most`.
long long count_header_chunks(const File& file, long long most) {
  long long offset = kSignatureBytes, count = 0;
  unsigned char start[8];
  for (; count <= most && file.read_some(offset, start, sizeof start) == sizeof start; ++count) {
    if (std::memcmp(start + 4, "IDAT", 4) == 0) break;
    const long long length = 1LL * start[0] << 24 | start[1] << 16 | start[2] << 8 | start[3];
    offset += length + 12;
  }
  return count;
}

std::string latin_as_utf8(const char* text) {
  std::string result;
  for (; *text; ++text) {
    const auto letter = static_cast<unsigned char>(*text);
    if (letter >= 0x80) result += static_cast<char>(0xc0 | letter >> 6);
    result += static_cast<char>(letter >= 0x80 ? 0x80 | (letter & 0x3f) : letter);
  }
  return result;
}

const char* colour_name(int colour) {
  switch (colour) {
    case PNG_COLOR_TYPE_GRAY:
      return "grey";
    case PNG_COLOR_TYPE_GRAY_ALPHA:
      return "grey and alpha";
    case PNG_COLOR_TYPE_PALETTE:
      return "palette";
    case PNG_COLOR_TYPE_RGB:
      return "RGB";
    default:
      return "RGB and alpha";
  }
}

}  // namespace

PngDecoder::PngDecoder(const File& file, const ReadOptions& options) : file_(file) {
  if (file.bytes() < kSignatureBytes)
    throw Error(ErrorKind::input, fmt::format("{}: it has {}; a PNG signature needs 8", file.path(),
                                              counted(file.bytes(), "byte")));
  check_count(file.path(), "tags", count_header_chunks(file, options.limits.tags),
              options.limits.tags);
  png_ = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &message_, png_keep_message,
                                  png_keep_warning, &message_, png_take_memory, png_give_memory);
  png_info_ = png_ ? png_create_info_struct(png_) : nullptr;
  if (!png_info_) {
    png_destroy_read_struct(&png_, nullptr, nullptr);
    throw Error(ErrorKind::resources, file.path() + ": there is no memory to read a PNG");
  }
  try {
    if (!png_attempt(png_, [&] { read_header(options); })) fail("its header");
    check_header(options.limits);
    if (!png_attempt(png_, [this] { png_read_update_info(png_, png_info_); })) fail("its header");
  } catch (...) {
    png_destroy_read_struct(&png_, &png_info_, nullptr);
    throw;
  }
}

PngDecoder::~PngDecoder() { png_destroy_read_struct(&png_, &png_info_, nullptr); }

// Chunks that do not describe pixels and may unpack to any size; none of them is used.
constexpr char kUnusedChunks[] = "zTXt\0sPLT\0hIST";
/// Most texts that are kept: one of them may be the description.
constexpr png_uint_32 kMostTexts = 16;

void PngDecoder::read_header(const ReadOptions& options) {
  png_set_read_fn(png_, this, read_bytes);
  // The sides are checked by checked_info, with a better sentence.
  png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_chunk_cache_max(png_, kMostTexts + 1);  // libpng counts one more than it keeps
  png_set_chunk_malloc_max(png_, kMostChunkBytes);
  png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_NEVER,
                              reinterpret_cast<png_const_bytep>(kUnusedChunks),
                              sizeof kUnusedChunks / 5);
  // If the file ends within a read, libpng drops all bytes of that read.
  if (options.allow_truncated) png_set_compression_buffer_size(png_, kFewBytes);
  png_read_info(png_, png_info_);
  keep_facts();
  png_set_expand(png_);
  if (std::endian::native == std::endian::little) png_set_swap(png_);
  passes_ = png_set_interlace_handling(png_);
}

void PngDecoder::keep_facts() {
  facts_.colour = png_get_color_type(png_, png_info_);
  facts_.depth = png_get_bit_depth(png_, png_info_);
  facts_.interlaced = png_get_interlace_type(png_, png_info_) != PNG_INTERLACE_NONE;
  facts_.transparent = png_get_valid(png_, png_info_, PNG_INFO_tRNS) != 0;
  png_get_gAMA(png_, png_info_, &facts_.gamma);
  facts_.across_per_metre = png_get_x_pixels_per_meter(png_, png_info_);
  facts_.down_per_metre = png_get_y_pixels_per_meter(png_, png_info_);
}

std::vector<FileDetail> PngDecoder::details() const {
  constexpr double kInch = 0.0254;
  std::vector<FileDetail> details{
      {"colours", fmt::format("{}{}", colour_name(facts_.colour),
                              facts_.transparent ? " with transparency" : "")},
      {"bits", std::to_string(facts_.depth)},
      {"interlaced", facts_.interlaced ? "yes" : "no"}};
  if (facts_.gamma > 0) details.push_back({"gamma", fmt::format("{:.5g}", facts_.gamma)});
  if (facts_.across_per_metre > 0 && facts_.down_per_metre > 0)
    details.push_back(
        {"resolution", fmt::format("{:.4g} x {:.4g} dots per inch", facts_.across_per_metre * kInch,
                                   facts_.down_per_metre * kInch)});
  return details;
}

// libpng allocates nothing here and cannot fail: it hands out what it has read.
ImageMetadata PngDecoder::metadata() const {
  constexpr double kCentimetresPerMetre = 100;
  ImageMetadata metadata;
  png_textp texts = nullptr;
  const int count = png_get_text(png_, png_info_, &texts, nullptr);
  png_bytep bytes = nullptr;
  png_uint_32 length = 0;
  if (png_get_eXIf_1(png_, png_info_, &length, &bytes) != 0)
    add_exif({reinterpret_cast<const char*>(bytes), length}, metadata);
  for (int i = count - 1; i >= 0; --i)
    if (std::strcmp(texts[i].key, "Description") == 0 && texts[i].text)
      metadata.description = texts[i].compression < PNG_ITXT_COMPRESSION_NONE
                                 ? latin_as_utf8(texts[i].text)
                                 : texts[i].text;
  png_charp name = nullptr;
  int compression = 0;
  if (png_get_iCCP(png_, png_info_, &name, &compression, &bytes, &length) != 0)
    metadata.profile.assign(reinterpret_cast<const char*>(bytes), length);
  if (facts_.across_per_metre > 0 && facts_.down_per_metre > 0) {
    metadata.across = facts_.across_per_metre / kCentimetresPerMetre;
    metadata.down = facts_.down_per_metre / kCentimetresPerMetre;
    metadata.per_inch = false;
  }
  return metadata;
}

void PngDecoder::check_header(const ReadLimits& limits) {
  // The channels after palettes and transparency are expanded: libpng itself knows them only after
  // it has allocated rows.
  const bool colours = (facts_.colour & PNG_COLOR_MASK_COLOR) != 0;
  const bool alpha = (facts_.colour & PNG_COLOR_MASK_ALPHA) != 0 || facts_.transparent;
  const ClaimedSize size{png_get_image_width(png_, png_info_),
                         png_get_image_height(png_, png_info_), (colours ? 3 : 1) + (alpha ? 1 : 0),
                         1};
  const Type type = facts_.depth == 16 ? Type::u16 : Type::u8;
  info_ = checked_info(file_.path(), size, type, limits);
  // Otherwise a false header could make callers that read the whole image allocate any amount of
  // memory. A PNG stores at least one bit per pixel.
  const long long least_bytes = (size.width + 7) / 8 * size.height;
  if (least_bytes / kMostExpansion > file_.bytes())
    throw Error(ErrorKind::input,
                fmt::format("{}: its header claims {}x{} pixels, which a file of {} "
                            "bytes cannot hold",
                            file_.path(), size.width, size.height, file_.bytes()));
  check_expansion(file_.path(), info_, file_.bytes(), limits);
}

void PngDecoder::read_bytes(png_structp png, png_bytep to, size_t count) {
  auto& self = *static_cast<PngDecoder*>(png_get_io_ptr(png));
  while (count > 0) {
    const long long offset = self.position_ - self.buffered_from_;
    const long long left = self.buffered_bytes_ - offset;
    if (left > 0) {
      const size_t part = std::min(count, static_cast<size_t>(left));
      std::memcpy(to, self.buffer_ + offset, part);
      to += part;
      count -= part;
      self.position_ += static_cast<long long>(part);
      continue;
    }
    self.buffered_from_ = self.position_;
    self.buffered_bytes_ = self.file_.try_read(self.position_, self.buffer_, sizeof self.buffer_);
    if (self.buffered_bytes_ > 0) continue;
    self.ended_ = self.buffered_bytes_ == 0;
    self.read_error_ = self.ended_ ? 0 : errno;
    self.buffered_bytes_ = 0;
    png_error(png, "no more bytes");
  }
}

void PngDecoder::next_row(unsigned char* row, int number) {
  if (!png_attempt(png_, [&] { png_read_row(png_, row, nullptr); }))
    fail(fmt::format("row {} of {}", number, info_.size.height));
}

void PngDecoder::finish() {
  if (!png_attempt(png_, [this] { png_read_end(png_, nullptr); }))
    fail("the data after the last row");
}

std::string PngDecoder::warning() const {
  if (message_.warning[0] == '\0') return "";
  return fmt::format(
      "{}: a part of its header is damaged: {}; colours or transparency may be wrong", file_.path(),
      message_.warning);
}

void PngDecoder::fail(const std::string& where) const {
  if (message_.no_memory)
    throw Error(ErrorKind::resources, file_.path() + ": there is no memory to read a PNG");
  if (read_error_ != 0)
    throw system_error(ErrorKind::input, file_.path(), "cannot be read", read_error_);
  throw decoding_error(file_, where, ended_, message_.text);
}

}  // namespace tessera
