// SPDX-License-Identifier: Apache-2.0
/// Rows of a PNG file from the first to the last, in the types Tessera knows.
#pragma once

#include <string>

#include "io/file.hpp"
#include "io/limits.hpp"
#include "io/png_guard.hpp"
#include "tessera/view.hpp"

namespace tessera {

class PngDecoder {
 public:
  /// Reads the header; throws Error(input). `file` outlives it.
  PngDecoder(const File& file, const ReadLimits& limits);
  PngDecoder(const PngDecoder&) = delete;
  PngDecoder& operator=(const PngDecoder&) = delete;
  ~PngDecoder();

  const ImageInfo& info() const { return info_; }
  int passes() const { return passes_; }
  /// The next row of the pass, combined with what earlier passes left in `row`. Throws Error(input)
  /// naming `number`, the row.
  void next_row(unsigned char* row, int number);
  /// Reads on to the end of the file, so that one that is cut short is noticed.
  void finish();

 private:
  void start();
  void check_header(const ReadLimits& limits);
  [[noreturn]] void fail(const std::string& where) const;
  static void read_bytes(png_structp png, png_bytep to, size_t count);

  const File& file_;
  png_structp png_ = nullptr;
  png_infop png_info_ = nullptr;
  PngMessage message_;
  ImageInfo info_;
  int passes_ = 1;
  long long position_ = 0;
  int read_error_ = 0;  ///< errno of a read that failed
  bool ended_ = false;  ///< libpng wanted bytes past the end
  long long buffered_from_ = 0, buffered_bytes_ = 0;
  unsigned char buffer_[1 << 16];
};

}  // namespace tessera
