// SPDX-License-Identifier: Apache-2.0
/// Writes one image HDU: numbers one after the other, from a given byte of a file on.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "io/file.hpp"
#include "io/fits/fits_sum.hpp"
#include "io/image_file.hpp"
#include "io/packed_rows.hpp"

namespace tessera {

class FitsHduWriter {
 public:
  /// The image and its place in the file. `axes`, which go into the header, hold as many numbers as
  /// `info`.
  struct Image {
    ImageInfo info;
    std::vector<long long> axes;
    long long offset = 0;
    bool primary = true;
    /// Called when everything is done; returns one more line of history, at most 70 characters
    /// long.
    std::function<std::string()> last_words;
  };
  /// `file` outlives it.
  FitsHduWriter(const File& file, Image image, const WriteOptions& options);

  /// Reserves space on the disk, or makes the file long enough.
  void make_room() const;
  /// Where the next HDU begins.
  long long end() const { return data_end_; }
  /// Rows of a plane come in ascending order.
  void write_plane(int plane, Rows rows, AnyView from);
  /// Writes the header, after all rows. Where there are several ranks, the first does.
  void finish();

 private:
  void write_channel(int plane, int channel, Rows rows, AnyView from);

  const File& file_;
  Image image_;
  std::vector<std::string> cards_;
  RowOrder order_;
  long long data_offset_ = 0, data_end_ = 0;
  bool sparse_;
  FitsSum sum_;
  std::vector<unsigned char> raw_;
};

}  // namespace tessera
