// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <tiffio.h>

#include <algorithm>
#include <cstring>

#include "core/ranks.hpp"
#include "io/output.hpp"
#include "io/packed_rows.hpp"
#include "io/tiff/tiff_encoder.hpp"
#include "io/tiff/tiff_file.hpp"
#include "io/tiff/tiff_pages.hpp"
#include "io/tiff/tiff_strips.hpp"

namespace tessera {
namespace {

/// Without compression every strip has its place before the first row is written, so that rows may
/// come in any order, and from all ranks.
class TiffPlainSink : public ImageSink {
 public:
  TiffPlainSink(const std::string& path, const ImageInfo& info, const WriteOptions& options)
      : output_(path, options.force, Output::Writers::all_ranks),
        info_(info),
        order_(info),
        starts_(static_cast<std::size_t>(info.size.planes)) {
    if (is_part()) return;
    const std::string places = told_by_first([&] { return lay_out(options); });
    std::memcpy(starts_.data(), places.data(), places.size());
  }

  void write_plane(int plane, Rows rows, AnyView from) override {
    check_plane_rows(info_, rows, from.info());
    order_.next(plane, rows);
    const long long place =
        starts_[static_cast<std::size_t>(plane)] + rows.first * row_bytes(info_);
    for_packed_rows(from, [&](long long at, const unsigned char* packed, long long count) {
      output_.file().write_all(place + at, packed, count);
    });
  }

  void finish() override {
    order_.check_whole();
    output_.finish();
  }

 private:
  /// Writes everything except samples; returns the places of the planes as one text.
  std::string lay_out(const WriteOptions& options) {
    output_.file().reserve(bytes_of(info_));
    TiffPages pages(info_, options, COMPRESSION_NONE);
    pages.begin(&output_.file());
    for (long long& start : starts_) {
      for (int strip = 0; strip < tiff_strips(info_); ++strip) {
        const long long place =
            pages.place_strip(tiff_strip(info_, strip).count() * row_bytes(info_));
        if (strip == 0) start = place;
      }
      pages.finish_page();
    }
    return {reinterpret_cast<const char*>(starts_.data()), starts_.size() * sizeof(long long)};
  }

  Output output_;
  ImageInfo info_;
  RowOrder order_;
  std::vector<long long> starts_;  ///< of the samples of each plane
};

/// Compressed, by one process: rows come in the order of the file.
class TiffInOrderSink : public ImageSink {
 public:
  TiffInOrderSink(const std::string& path, const ImageInfo& info, const WriteOptions& options,
                  int compression)
      : info_(info),
        file_(path, info, options, compression),
        encoder_(path, info, compression),
        strip_(static_cast<std::size_t>(tiff_strip_rows(info) * row_bytes(info))) {}

  bool planes_in_turn() const override { return info_.size.planes > 1; }
  int block_rows() const override { return tiff_strip_rows(info_); }

  void write_plane(int plane, Rows rows, AnyView from) override {
    check_plane_rows(info_, rows, from.info());
    if (plane != file_.page())
      throw Error(ErrorKind::failure,
                  fmt::format("plane {} is written but plane {} comes next", plane, file_.page()));
    check_next_row(rows, next_row_);
    for (int y = 0; y < rows.count(); ++y) write_row(from, y);
  }

  void finish() override {
    if (file_.page() < info_.size.planes)
      throw Error(ErrorKind::failure,
                  fmt::format("the file is finished but row {} of plane {} comes next", next_row_,
                              file_.page()));
    file_.finish();
  }

 private:
  void write_row(AnyView from, int y) {
    const int strip = next_row_ / tiff_strip_rows(info_);
    const int in_strip = next_row_ % tiff_strip_rows(info_);
    gather_row(from, y, 0, strip_.data() + in_strip * row_bytes(info_));
    ++next_row_;
    if (in_strip + 1 < tiff_strip_rows(info_) && next_row_ < info_.size.height) return;
    file_.add(encoder_.encode(strip, strip_.data()));
    next_row_ %= info_.size.height;
  }

  ImageInfo info_;
  TiffStripFile file_;
  TiffEncoder encoder_;
  std::vector<unsigned char> strip_;
  int next_row_ = 0;
};

}  // namespace

std::unique_ptr<ImageSink> create_tiff(const std::string& path, const ImageInfo& info,
                                       const WriteOptions& options) {
  const int compression = tiff_compression(path, options.compression);
  if (compression == COMPRESSION_NONE) return std::make_unique<TiffPlainSink>(path, info, options);
  if (ranks().count() > 1 && !ranks().apart())
    return std::make_unique<TiffStripsSink>(path, info, options, compression);
  return std::make_unique<TiffInOrderSink>(path, info, options, compression);
}

}  // namespace tessera
