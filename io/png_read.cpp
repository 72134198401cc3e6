// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include "io/packed_rows.hpp"
#include "io/png_decoder.hpp"
#include "io/png_file.hpp"

namespace tessera {
namespace {

/// Rows kept after decoding: neighbouring strips share rows, and borders ask for the last rows once
/// more, which must not mean to start from the top. 64 MiB are 440 rows of 50000 RGB pixels.
constexpr long long kKeptBytes = 64LL << 20;

class PngSource : public ImageSource {
 public:
  PngSource(const std::string& path, const ReadOptions& options)
      : file_(File::open_to_read(path)), options_(options) {
    restart();
    info_ = decoder_->info();
    const long long most = std::max(1LL, kKeptBytes / row_bytes(info_));
    capacity_ = decoder_->passes() > 1
                    ? info_.size.height
                    : static_cast<int>(std::min<long long>(most, info_.size.height));
  }

  ImageInfo info() const override { return info_; }

  void read_plane(int, Rows rows, AnyMutableView to) override {
    check_rows(info_, rows, to.info());
    if (!decoder_ || rows.first < next_row_ - capacity_) restart();
    for (int row = rows.first; row < rows.end; ++row) {
      while (next_row_ <= row) decode();
      scatter_row(kept_row(row), to, row - rows.first);
    }
  }

 private:
  void restart() {
    decoder_.reset();
    decoder_ = std::make_unique<PngDecoder>(file_, options_.limits);
    next_row_ = 0;
  }

  unsigned char* kept_row(int row) { return kept_.view().address(0, row % capacity_); }

  /// After an error the decoder is of no more use: the next read starts over.
  void decode() {
    auto decoder = std::move(decoder_);
    if (!kept_) make_kept();
    if (decoder->passes() > 1) {
      decode_interlaced(*decoder);
    } else {
      decoder->next_row(kept_row(next_row_), next_row_);
      ++next_row_;
    }
    if (next_row_ == info_.size.height) decoder->finish();
    decoder_ = std::move(decoder);
  }

  void decode_interlaced(PngDecoder& decoder) {
    for (int pass = 0; pass < decoder.passes(); ++pass)
      for (int row = 0; row < info_.size.height; ++row) decoder.next_row(kept_row(row), row);
    next_row_ = info_.size.height;
  }

  void make_kept() {
    ImageInfo kept = info_;
    kept.size.height = capacity_;
    check_memory(file_.path(), kept, options_.limits);
    kept_ = Image(kept);
  }

  File file_;
  ReadOptions options_;
  std::unique_ptr<PngDecoder> decoder_;
  ImageInfo info_;
  Image kept_;  ///< row r of the file is row r % capacity_ here
  int capacity_ = 1;
  int next_row_ = 0;
};

bool is_png(std::string_view first_bytes) { return first_bytes.starts_with("\x89PNG\r\n\x1a\n"); }

std::unique_ptr<ImageSource> open_png(const std::string& path, const ReadOptions& options) {
  return std::make_unique<PngSource>(path, options);
}

}  // namespace

Format png_format() { return {"PNG", {".png"}, "libpng", is_png, open_png, create_png}; }

}  // namespace tessera
