// SPDX-License-Identifier: Apache-2.0
/// Samples stored one after the other, as in NPY and raw files: any row needs one seek per plane.
#pragma once

#include "core/items.hpp"
#include "io/file.hpp"
#include "io/image_file.hpp"
#include "io/output.hpp"
#include "io/packed_rows.hpp"

namespace tessera {

/// Where the samples lie and what they are.
struct PlainLayout {
  long long offset = 0;  ///< bytes before the first sample
  Items items;
  bool fortran_order = false;  ///< the first axis (planes, then rows) is contiguous
  bool fills_file = false;     ///< nothing may follow the samples
};

class PlainSource : public ImageSource {
 public:
  /// Throws Error(input) if the file is too short, unless `allow_truncated`.
  PlainSource(File file, const PlainLayout& layout, const ImageInfo& info, bool allow_truncated,
              std::vector<FileDetail> details);

  ImageInfo info() const override { return info_; }
  void read(Rows rows, AnyMutableView to) override;
  void read_plane(int plane, Rows rows, AnyMutableView to) override;
  std::vector<FileDetail> details() const override { return details_; }

 private:
  void read_items(long long first, long long count, unsigned char* samples);
  void read_fortran(Rows planes, Rows rows, AnyMutableView to);
  void scatter_column(const unsigned char* samples, int x, int channel, AnyMutableView to) const;

  File file_;
  PlainLayout layout_;
  ImageInfo info_;
  std::vector<FileDetail> details_;
  long long items_;  ///< that the file holds
  std::vector<unsigned char> raw_;
};

/// Writes samples, packed, in this machine's byte order, after `start`.
class PlainRows {
 public:
  /// `file` outlives it. `sparse`: zeros are not written, so that they become holes.
  PlainRows(const File& file, const ImageInfo& info, std::string start, bool sparse = false);

  /// Reserves space and writes the start.
  void begin() const;
  void write_plane(int plane, Rows rows, AnyView from);
  /// Throws Error(failure) unless every row was written.
  void check_whole() const;

 private:
  void write(long long offset, const void* from, long long count) const;

  const File& file_;
  ImageInfo info_;
  std::string start_;
  bool sparse_;
  RowOrder order_;
};

class PlainSink : public ImageSink {
 public:
  PlainSink(const std::string& path, const ImageInfo& info, const WriteOptions& options,
            const std::string& start)
      : output_(path, options.force, Output::Writers::all_ranks),
        rows_(output_.file(), info, start, options.sparse) {
    output_.begin([this] { rows_.begin(); });
  }

  void write_plane(int plane, Rows rows, AnyView from) override {
    rows_.write_plane(plane, rows, from);
  }
  void finish() override {
    rows_.check_whole();
    output_.finish();
  }

 private:
  Output output_;
  PlainRows rows_;
};

}  // namespace tessera
