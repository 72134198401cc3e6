// SPDX-License-Identifier: Apache-2.0
/// Blocks in deflate, Zstandard or LZMA, which must end where their pixels end.
#pragma once

#include <vector>

#include "io/tiff/tiff_block_decoder.hpp"
#include "io/tiff/tiff_inflater.hpp"

namespace tessera {

class TiffCheckedDecoder final : public TiffBlockDecoder {
 public:
  TiffCheckedDecoder(const TiffFile& file, const TiffPage& page,
                     std::unique_ptr<TiffInflater> inflater);

  bool decode_block(long long block, unsigned char* stored, long long stored_bytes,
                    unsigned char* to, long long bytes) override;
  int decode_rows(int plane, Rows rows, unsigned char* to) override;
  std::string message() const override { return message_; }

 private:
  bool is_complete(const TiffInflater::Result& made, long long bytes);
  void begin_strip(long long strip);
  bool fill(unsigned char* to, long long bytes);
  bool ends_here(long long more);
  bool next_row(unsigned char* to);
  bool refill();

  const TiffFile& file_;
  const TiffPage& page_;
  std::unique_ptr<TiffInflater> inflater_;
  TiffValues offsets_, counts_;
  std::string message_;
  std::vector<unsigned char> taller_;  ///< room for the last strip if it has rows below the image
  /// Of the strip that is read row by row.
  long long strip_ = -1;
  int row_ = 0;
  std::vector<unsigned char> part_, skipped_;  ///< stored bytes; room for a row
  long long next_ = 0, end_ = 0;               ///< stored bytes that were not read yet
  TiffInflater::Stored unused_;                ///< of part_
  bool ended_ = false;
};

}  // namespace tessera
