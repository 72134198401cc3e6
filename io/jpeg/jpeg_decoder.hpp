// SPDX-License-Identifier: Apache-2.0
/// Rows of a JPEG file from the first to the last.
#pragma once

#include <string>
#include <vector>

#include "io/file.hpp"
#include "io/jpeg/jpeg_guard.hpp"
#include "io/sequential_source.hpp"

namespace tessera {

class JpegDecoder : public RowDecoder {
 public:
  /// Reads the header; throws Error(input). `file` outlives it.
  JpegDecoder(const File& file, const ReadOptions& options);
  JpegDecoder(const JpegDecoder&) = delete;
  JpegDecoder& operator=(const JpegDecoder&) = delete;
  ~JpegDecoder() override;

  ImageInfo info() const override { return info_; }
  std::vector<FileDetail> details() const override;
  ImageMetadata metadata() const override;
  void begin() override;
  void next_row(unsigned char* row, int number) override;
  void finish() override;
  std::string warning() const override;

 private:
  void read_header();
  void check_header();
  void check_scans_memory();
  void begin_scans();
  [[noreturn]] void fail(const std::string& where) const;
  static boolean refill(j_decompress_ptr jpeg);
  static void skip(j_decompress_ptr jpeg, long count);
  static void watch(j_common_ptr jpeg);

  const File& file_;
  ReadOptions options_;
  JpegErrors errors_;
  jpeg_decompress_struct jpeg_{};
  jpeg_source_mgr source_{};
  jpeg_progress_mgr progress_{};
  ImageInfo info_;
  ImageMetadata metadata_;
  int damaged_scan_ = 0;  ///< counted from 1; 0: none
  int damaged_row_ = 0;
  std::string warning_;
  long long position_ = 0;  ///< in the file, of the first byte after the buffer
  int read_error_ = 0;
  unsigned char buffer_[1 << 16];
};

}  // namespace tessera
