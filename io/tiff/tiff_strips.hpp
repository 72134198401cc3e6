// SPDX-License-Identifier: Apache-2.0
/// Compressed strips of a TIFF: the file that has them in order, and the sink by which several
/// ranks make them.
#pragma once

#include <string>
#include <vector>

#include "io/image_file.hpp"
#include "io/output.hpp"
#include "io/spool.hpp"
#include "io/tiff/tiff_encoder.hpp"
#include "io/tiff/tiff_pages.hpp"

namespace tessera {

/// Takes all strips of the first page, then those of the next.
class TiffStripFile {
 public:
  TiffStripFile(const std::string& path, const ImageInfo& info, const WriteOptions& options,
                int compression);

  int page() const { return pages_.page(); }  ///< of the next strip
  void add(const std::vector<unsigned char>& encoded);
  void finish() { output_.finish(); }

 private:
  Output output_;
  TiffPages pages_;
  int strips_of_page_, strips_ = 0;  ///< of this page
};

/// Each rank compresses the strips of its rows. Their sizes, and so their places, are known only
/// when all are made: until then each has a slot in a spool, larger than it can be. The file system
/// keeps no blocks for the rest of a slot. A strip whose rows two ranks have made is compressed by
/// rank 0.
class TiffStripsSink : public ImageSink {
 public:
  TiffStripsSink(const std::string& path, const ImageInfo& info, const WriteOptions& options,
                 int compression);

  int block_rows() const override { return tiff_strip_rows(info_); }
  void write_plane(int plane, Rows rows, AnyView from) override;
  void finish() override;

 private:
  void write_rows(int plane, int strip, Rows rows, AnyView from);
  long long slot(int plane, int strip) const;
  const std::vector<unsigned char>& encoded(int strip);
  void write_output(TiffStripFile& file);

  ImageInfo info_;
  Spool<TiffStripFile> spool_;
  TiffEncoder encoder_;
  std::vector<unsigned char> strip_;
  long long slot_bytes_;
  std::vector<Rows> runs_;  ///< of each plane: the last rows that came one after the other
};

}  // namespace tessera
