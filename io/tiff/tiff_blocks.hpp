// SPDX-License-Identifier: Apache-2.0
/// The rows of one page of a TIFF, in any order, out of its strips or tiles.
#pragma once

#include <deque>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "io/tiff/tiff_block_decoder.hpp"
#include "io/tiff/tiff_page.hpp"

namespace tessera {

/// The blocks that allow-truncated had to fill in.
struct TiffLosses {
  std::set<std::pair<int, long long>> blocks;  ///< page and block
  std::string first;                           ///< the sentence about the first of them
};

class TiffBlocks {
 public:
  /// Throws Error(input) for blocks that are missing, extend past the file or are far too small for
  /// their contents. `file`, and `losses` if given, outlive it; with `losses`, missing samples are
  /// filled in.
  TiffBlocks(const TiffFile& file, TiffPage page, const ReadLimits& limits, TiffLosses* losses);
  TiffBlocks(const TiffBlocks&) = delete;
  TiffBlocks& operator=(const TiffBlocks&) = delete;

  const TiffPage& page() const { return page_; }
  /// `to` has one plane.
  void read(Rows rows, AnyMutableView to);

 private:
  struct Stored {
    long long offset = 0, bytes = 0;
    std::string wrong;  ///< why it cannot be read whole; empty if it can
  };
  /// The unit of decoding: a block, or some rows of a large strip.
  struct Part {
    int plane = 0;
    long long across = 0, block = 0;
    Rows rows;
  };
  struct Decoded {
    std::vector<unsigned char> bytes;
    int rows = 0;  ///< that were decoded
  };

  void check_blocks(const ReadLimits& limits);
  void plan_parts(const ReadLimits& limits);
  Stored stored(long long block);
  long long plain_bytes(long long block) const;
  void read_block(int plane, long long down, long long across, Rows rows, AnyMutableView to);
  AnyMutableView target(const Part& part, Rows wanted, Rows rows, AnyMutableView to) const;
  int read_plain(const Part& part, Rows wanted, AnyMutableView to);
  const Decoded& decoded(const Part& part);
  Decoded decode(const Part& part);
  bool decode_block(const Part& part, const Stored& from, std::vector<unsigned char>& to);
  TiffBlockDecoder& row_decoder(int plane);
  void deliver(const unsigned char* from, bool swapped, int rows, AnyMutableView to);
  void lose(long long block, const std::string& why);

  const TiffFile& file_;
  TiffPage page_;
  TiffLosses* losses_;
  int part_rows_ = 0;  ///< of a block; fewer than its height only for large strips
  std::unique_ptr<TiffBlockDecoder> block_decoder_;
  std::vector<std::unique_ptr<TiffBlockDecoder>>
      row_decoders_;  ///< one per channel if they are stored separately
  std::unordered_map<long long, Decoded> kept_;
  std::deque<long long> kept_order_;
  long long kept_bytes_ = 0, most_kept_bytes_ = 0;
  /// The last damaged block, and its first row that could not be decoded: these rows are not tried
  /// again.
  long long ended_block_ = -1;
  int ended_row_ = 0;
  std::vector<unsigned char> row_, bytes_;
};

}  // namespace tessera
