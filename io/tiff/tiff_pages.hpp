// SPDX-License-Identifier: Apache-2.0
/// The bytes of a TIFF that is written, except its samples: header, colour profile, and the
/// directory of each page after its strips.
#pragma once

#include <string>
#include <vector>

#include "io/file.hpp"
#include "io/image_file.hpp"
#include "io/tiff/tiff_exif.hpp"
#include "io/tiff/tiff_fields.hpp"

namespace tessera {

/// Strips of an image that is written: all have this many rows, except the last of a page.
int tiff_strip_rows(const ImageInfo& info);
int tiff_strips(const ImageInfo& info);  ///< of each page
Rows tiff_strip(const ImageInfo& info, int strip);

class TiffPages {
 public:
  TiffPages(const ImageInfo& info, const WriteOptions& options, int compression);

  /// `file` outlives it. Null: nothing is written, only places are found.
  void begin(const File* file);
  /// The place of the next strip.
  long long place_strip(long long bytes);
  /// All strips of the page have their places: its directory follows them.
  void finish_page();
  int page() const { return page_; }  ///< the one that is begun

 private:
  void put(long long offset, const std::string& bytes) const;
  TiffFields fields() const;
  void add_metadata(TiffFields& fields) const;

  ImageInfo info_;
  ImageMetadata metadata_;
  ExifDirectory exif_;
  std::string description_;
  int compression_, rows_a_strip_;
  bool big_;
  long long end_;  ///< of the bytes that have a place
  long long profile_at_ = 0;
  long long link_at_;  ///< where the next directory's offset goes
  const File* file_ = nullptr;
  std::vector<long long> offsets_, counts_;
  int page_ = 0;
};

}  // namespace tessera
