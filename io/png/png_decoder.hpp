// SPDX-License-Identifier: Apache-2.0
/// Rows of a PNG file from the first to the last, in the types Tessera knows.
#pragma once

#include <string>
#include <vector>

#include "io/file.hpp"
#include "io/limits.hpp"
#include "io/png/png_guard.hpp"
#include "io/sequential_source.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// The facts in a PNG's header, in the numbers of the format; plain data, so that a jump may pass
/// over it.
struct PngFacts {
  int colour = 0, depth = 0;
  bool interlaced = false, transparent = false;
  double gamma = 0;                                   ///< 0: not given
  unsigned across_per_metre = 0, down_per_metre = 0;  ///< pixels; 0: not given
};

class PngDecoder : public RowDecoder {
 public:
  /// Reads the header; throws Error(input). `file` outlives it.
  PngDecoder(const File& file, const ReadOptions& options);
  PngDecoder(const PngDecoder&) = delete;
  PngDecoder& operator=(const PngDecoder&) = delete;
  ~PngDecoder() override;

  ImageInfo info() const override { return info_; }
  std::vector<FileDetail> details() const override;
  ImageMetadata metadata() const override;
  int passes() const override { return passes_; }
  void next_row(unsigned char* row, int number) override;
  void finish() override;
  std::string warning() const override;

 private:
  void read_header(const ReadOptions& options);
  void keep_facts();
  void check_header(const ReadLimits& limits);
  [[noreturn]] void fail(const std::string& where) const;
  static void read_bytes(png_structp png, png_bytep to, size_t count);

  const File& file_;
  png_structp png_ = nullptr;
  png_infop png_info_ = nullptr;
  PngMessage message_;
  PngFacts facts_;
  ImageInfo info_;
  int passes_ = 1;
  long long position_ = 0;
  int read_error_ = 0;  ///< errno of a read that failed
  bool ended_ = false;  ///< libpng wanted bytes past the end
  long long buffered_from_ = 0, buffered_bytes_ = 0;
  unsigned char buffer_[1 << 16];
};

}  // namespace tessera
