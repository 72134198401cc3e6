// SPDX-License-Identifier: Apache-2.0
/// Gives access in any order to the rows of files that can only be decoded from the first row on
/// (PNG, JPEG).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "io/file.hpp"
#include "io/image_file.hpp"
#include "tessera/image.hpp"

namespace tessera {

/// Goes once through the rows of a file; the constructor reads the header.
class RowDecoder {
 public:
  virtual ~RowDecoder() = default;
  virtual ImageInfo info() const = 0;
  virtual std::vector<FileDetail> details() const = 0;
  virtual ImageMetadata metadata() const { return {}; }
  /// The number of passes over all rows: 7 in an interlaced PNG.
  virtual int passes() const { return 1; }
  /// Work to be done once before the first row; if it fails, nothing can be decoded.
  virtual void begin() {}
  /// Decodes the next row of the pass, packed, into `row`, which holds the pixels of earlier
  /// passes. Throws Error(input) that names `number`, the row; the decoder is then unusable.
  virtual void next_row(unsigned char* row, int number) = 0;
  /// Reads to the end of the file, to notice if it is cut short.
  virtual void finish() = 0;
  /// A warning about damage without missing rows, as in a JPEG whose later scans are damaged or
  /// whose data has bytes left over; or "". Asked for after the last row, and again after `finish`.
  virtual std::string warning() const { return ""; }
};

/// Error(input): the file ends, or is damaged, in `where` ("row 7 of 32").
Error decoding_error(const File& file, const std::string& where, bool ended, const char* reason);

class SequentialSource : public ImageSource {
 public:
  using Start = std::function<std::unique_ptr<RowDecoder>(const File&, const ReadOptions&)>;

  /// Throws what `start` throws.
  SequentialSource(const std::string& path, const ReadOptions& options, Start start);

  ImageInfo info() const override { return info_; }
  std::vector<FileDetail> details() const override { return details_; }
  ImageMetadata metadata() const override { return metadata_; }
  void read_plane(int plane, Rows rows, AnyMutableView to) override;

 private:
  void restart();
  void decode();
  void decode_row(RowDecoder& decoder);
  void decode_passes(RowDecoder& decoder);
  void finish(RowDecoder& decoder);
  bool allowed(const Error& error) const;
  void make_kept();
  unsigned char* kept_row(int row) { return kept_.view().address(0, row % capacity_); }

  File file_;
  ReadOptions options_;
  Start start_;
  std::unique_ptr<RowDecoder> decoder_;
  ImageInfo info_;
  std::vector<FileDetail> details_;
  ImageMetadata metadata_;
  Image kept_;  ///< row r of the file is row r % capacity_ here
  int capacity_ = 1;
  int next_row_ = 0;
  bool missing_ = false;  ///< the rows from next_row_ on
};

}  // namespace tessera
