// SPDX-License-Identifier: Apache-2.0
/// One image HDU while it is written: numbers one after the other, at a place of a file.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "io/file.hpp"
#include "io/fits/fits_sum.hpp"
#include "io/image_file.hpp"

namespace tessera {

class FitsHduWriter {
 public:
  /// What is written, and where. `axes` has as many numbers as `info`; the header has them.
  struct Image {
    ImageInfo info;
    std::vector<long long> axes;
    long long offset = 0;
    bool primary = true;
    /// Asked when all is done: one more line of history, no longer than a card's 70 characters.
    std::function<std::string()> last_words;
  };
  /// `file` outlives it.
  FitsHduWriter(const File& file, Image image, const WriteOptions& options);

  /// Room on the disk, or a file that is long enough.
  void make_room() const;
  /// Where the next HDU begins.
  long long end() const { return data_end_; }
  /// Rows of a plane come in ascending order.
  void write_plane(int plane, Rows rows, AnyView from);
  /// The header, when all rows are there.
  void finish();

 private:
  void write_channel(int plane, int channel, Rows rows, AnyView from);

  const File& file_;
  Image image_;
  std::vector<std::string> cards_;
  std::vector<int> next_rows_;  ///< one a plane
  long long data_offset_ = 0, data_end_ = 0;
  bool sparse_;
  FitsSum sum_;
  std::vector<unsigned char> raw_;
};

}  // namespace tessera
