// SPDX-License-Identifier: Apache-2.0
/// Small pictures of large images, made while their rows pass.
#pragma once

#include <vector>

#include "tessera/image.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// An image's first plane made smaller: every pixel is the mean over the area it covers, including
/// fractions of pixels. Rows come in order.
class AreaPicture {
 public:
  /// Limits of width and height; smaller images stay as they are. Alpha is left out.
  AreaPicture(const ImageInfo& image, int most_wide, int most_high);

  void add(AnyView rows);
  /// u8 with 1 or 3 channels, u16 divided by 257, floats from their darkest to their brightest mean
  /// (NaN is black); after the last row.
  Image picture() const;

 private:
  /// The row or column of the picture that one of the image falls into, or the share in it and the
  /// next.
  struct Place {
    int first;
    double share, next_share;
  };
  static std::vector<Place> places(int from, int to);
  /// The mean of floats that is black, and the distance to the one that is white.
  struct Scale {
    double low, range;
  };
  Scale scale() const;
  template <class T>
  void add_row(const T* row, long long pixel);

  ImageInfo image_;
  int channels_, width_, height_;
  int rows_ = 0;  ///< seen so far
  std::vector<Place> columns_, lines_;
  std::vector<double> sum_;  ///< sums for the picture's samples, each weighted by its area
};

/// Two pictures of the same height with a white gap between them; a grey one becomes colour if the
/// other is.
Image side_by_side(const Image& left, const Image& right);

}  // namespace tessera
