// SPDX-License-Identifier: Apache-2.0
#include "io/tiff/tiff_inflater.hpp"

#include <libdeflate.h>
#include <lzma.h>
#include <tiffio.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>

namespace tessera {
namespace {

constexpr const char* kNoMemory = "there is not enough memory";

template <auto destroy>
struct Destroy {
  void operator()(auto* object) const { destroy(object); }
};

class Deflate final : public TiffInflater {
 public:
  Deflate() = default;
  Deflate(const Deflate&) = delete;
  Deflate& operator=(const Deflate&) = delete;
  ~Deflate() override { ::inflateEnd(&stream_); }

  Result whole(Stored stored, Bytes to) override {
    if (!at_once_) at_once_.reset(libdeflate_alloc_decompressor());
    if (!at_once_) return {.wrong = kNoMemory};
    Result made;
    const libdeflate_result result = libdeflate_zlib_decompress_ex(
        at_once_.get(), stored.data(), stored.size(), to.data(), to.size(), &made.used, &made.made);
    made.ended = result == LIBDEFLATE_SUCCESS;
    if (result == LIBDEFLATE_INSUFFICIENT_SPACE)
      made.made = to.size();
    else if (!made.ended)
      made.wrong = "its deflate data or its checksum is wrong";
    return made;
  }
  void begin() override {
    ready_ = (stream_.state ? ::inflateReset(&stream_) : ::inflateInit(&stream_)) == Z_OK;
  }
  Result part(Stored stored, Bytes to) override {
    if (!ready_) return {.wrong = kNoMemory};
    constexpr std::size_t kMost = 1U << 30;
    const auto in = static_cast<uInt>(std::min(stored.size(), kMost));
    const auto out = static_cast<uInt>(std::min(to.size(), kMost));
    stream_.next_in = const_cast<unsigned char*>(stored.data());  // zlib only reads it
    stream_.avail_in = in;
    stream_.next_out = to.data();
    stream_.avail_out = out;
    const int result = ::inflate(&stream_, Z_NO_FLUSH);
    Result made{in - stream_.avail_in, out - stream_.avail_out, result == Z_STREAM_END, ""};
    if (result == Z_MEM_ERROR)
      made.wrong = kNoMemory;
    else if (result != Z_OK && result != Z_BUF_ERROR && result != Z_STREAM_END)
      made.wrong = stream_.msg ? stream_.msg : "it needs a dictionary";
    return made;
  }

 private:
  std::unique_ptr<libdeflate_decompressor, Destroy<libdeflate_free_decompressor>> at_once_;
  z_stream stream_{};
  bool ready_ = false;
};

class Zstandard final : public TiffInflater {
 public:
  Result whole(Stored stored, Bytes to) override {
    if (!context_) return {.wrong = kNoMemory};
    const std::size_t frame = ZSTD_findFrameCompressedSize(stored.data(), stored.size());
    if (ZSTD_isError(frame)) return {.wrong = ZSTD_getErrorName(frame)};
    const std::size_t made =
        ZSTD_decompressDCtx(context_.get(), to.data(), to.size(), stored.data(), frame);
    if (!ZSTD_isError(made)) return {frame, made, true, ""};
    if (ZSTD_getErrorCode(made) == ZSTD_error_dstSize_tooSmall) return {.made = to.size()};
    return {.wrong = ZSTD_getErrorName(made)};
  }
  void begin() override {
    if (context_) ZSTD_DCtx_reset(context_.get(), ZSTD_reset_session_only);
  }
  Result part(Stored stored, Bytes to) override {
    if (!context_) return {.wrong = kNoMemory};
    ZSTD_inBuffer in{stored.data(), stored.size(), 0};
    ZSTD_outBuffer out{to.data(), to.size(), 0};
    const std::size_t left = ZSTD_decompressStream(context_.get(), &out, &in);
    Result made{in.pos, out.pos, left == 0, ""};
    if (ZSTD_isError(left)) made.wrong = ZSTD_getErrorName(left);
    return made;
  }

 private:
  std::unique_ptr<ZSTD_DCtx, Destroy<ZSTD_freeDCtx>> context_{ZSTD_createDCtx()};
};

class Lzma final : public TiffInflater {
 public:
  Lzma() = default;
  Lzma(const Lzma&) = delete;
  Lzma& operator=(const Lzma&) = delete;
  ~Lzma() override { lzma_end(&stream_); }

  // liblzma's own function for this does not tell which side was exhausted.
  Result whole(Stored stored, Bytes to) override {
    begin();
    Result made = part(stored, to);
    if (made.ended || !made.wrong.empty() || made.made < to.size()) return made;
    unsigned char one_more = 0;
    const Result end = part(stored.subspan(made.used), {&one_more, 1});
    made.ended = end.ended && end.made == 0;
    made.wrong = end.wrong;
    return made;
  }
  void begin() override { ready_ = lzma_stream_decoder(&stream_, kMostMemory, 0) == LZMA_OK; }
  Result part(Stored stored, Bytes to) override {
    if (!ready_) return {.wrong = kNoMemory};
    stream_.next_in = stored.data();
    stream_.avail_in = stored.size();
    stream_.next_out = to.data();
    stream_.avail_out = to.size();
    const lzma_ret result = lzma_code(&stream_, LZMA_RUN);
    Result made{stored.size() - stream_.avail_in, to.size() - stream_.avail_out,
                result == LZMA_STREAM_END, ""};
    if (result != LZMA_OK && result != LZMA_STREAM_END && result != LZMA_BUF_ERROR)
      made.wrong = name_of(result);
    return made;
  }

 private:
  /// The dictionary of xz -9 takes 65 MB.
  static constexpr std::uint64_t kMostMemory = 640U << 20;

  static const char* name_of(lzma_ret result) {
    switch (result) {
      case LZMA_MEM_ERROR:
        return kNoMemory;
      case LZMA_MEMLIMIT_ERROR:
        return "its dictionary is larger than the limit of 640 MiB";
      case LZMA_FORMAT_ERROR:
        return "it is not LZMA data";
      case LZMA_OPTIONS_ERROR:
        return "its LZMA options are not known";
      default:
        return "its LZMA data or its checksum is wrong";
    }
  }

  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool ready_ = false;
};

}  // namespace

std::unique_ptr<TiffInflater> TiffInflater::of(int compression) {
  switch (compression) {
    case COMPRESSION_ADOBE_DEFLATE:
    case COMPRESSION_DEFLATE:
      return std::make_unique<Deflate>();
    case COMPRESSION_ZSTD:
      return std::make_unique<Zstandard>();
    case COMPRESSION_LZMA:
      return std::make_unique<Lzma>();
    default:
      return nullptr;
  }
}

}  // namespace tessera
