// SPDX-License-Identifier: Apache-2.0
/// One filter size of the ladder, with everything on the device.
///
/// The paper's images include their border and are larger than the output. Here too: an image is
/// padded by the rule `replicate` before any clock runs, and rungs read the padded one. The
/// product's methods get the image itself with border replicate: they do more for the same result.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ops/convolve/study/ladder_shape.hpp"
#include "study/rung.hpp"
#include "study/studies.hpp"
#include "tessera/image.hpp"
#include "tessera/stream.hpp"

namespace tessera {

/// The result of a rung: the whole, or one pass of it.
enum LadderTruth { kBothWays = 0, kHorizontal = 1, kVertical = 2 };

/// Samples on the device with a margin of NaN right and below (kLadderMargin); steps of a row are
/// multiples of 128 bytes.
struct PaddedImage {
  Scratch memory;
  long long row = 0;
  const float* at(int y) const { return memory.as<const float>() + y * row; }
};

/// The same on the host: packed rows, without a margin.
struct HostPadded {
  Image image;
  const float* at(int y) const {
    return image.as<float>().data + 1LL * y * image.info().size.width;
  }
  long long row() const { return image.info().size.width; }
};

struct LadderSettings {
  int search = 1;                      ///< number of shapes a rung may try
  std::optional<LadderLimits> limits;  ///< of another GPU, for rung 7; none: the device's own
};

class ConvolveCase {
 public:
  /// `image` is packed f32 and outlives the case. Without a stream on a device the case has only
  /// its host half.
  ConvolveCase(const Image& image, StudySize filter, const LadderSettings& settings,
               Stream* device);

  std::string name() const;
  const StudySize& filter_size() const { return filter_size_; }
  int width() const { return image_.info().size.width; }
  int height() const { return image_.info().size.height; }
  double pixels() const { return static_cast<double>(image_.info().size.pixels()); }
  double largest_pixel() const { return largest_pixel_; }
  const LadderSettings& settings() const { return settings_; }

  /// The filter is the product of a column and a row of weights, without rounding.
  const Image& filter() const { return filter_; }
  const std::vector<float>& row_weights() const { return row_weights_; }
  const std::vector<float>& column_weights() const { return column_weights_; }

  const PaddedImage& padded() const { return on_device().padded; }
  const PaddedImage& padded_above_and_below(Stream& stream) const;  ///< made when first asked for
  PaddedImage room_for_passes(Stream& stream) const;                ///< between two passes
  AnyView image_on_device() const { return packed(on_device().image.data(), on_device().info); }
  AnyMutableView out() const { return packed(on_device().out.data(), on_device().info); }
  const float* filter_on_device() const { return on_device().filter.as<const float>(); }

  AnyView image_on_host() const { return image_.view(); }
  const HostPadded& padded_on_host() const;  ///< made when first asked for
  AnyMutableView host_out() const;           ///< the same

  /// Fills the rows that will be compared with NaN.
  void poison(const PreparedRung& rung, Stream& stream) const;
  /// The first pixel of some rows, all in a small image, that is too far from the reference; "" if
  /// there is none.
  std::string disagreement(const PreparedRung& rung, Stream& stream) const;

  /// The shape that rung 8 found, for rung 9.
  std::optional<LadderShape>& unrolled_shape() const { return unrolled_shape_; }

 private:
  struct OnDevice {
    ImageInfo info;
    Scratch image, out, filter;
    PaddedImage padded;
  };
  const OnDevice& on_device() const;  ///< throws Error(resources) if there is none
  AnyMutableView out_of(const Stream& stream) const;
  PaddedImage pad(int left, int right, int above, int below, Stream& stream) const;
  const std::vector<Image>& truth(int which) const;
  Image filter_of(int which) const;

  const Image& image_;
  StudySize filter_size_;
  LadderSettings settings_;
  double largest_pixel_;
  std::vector<float> row_weights_, column_weights_;
  Image filter_;
  std::vector<Rows> looked_at_;
  std::optional<OnDevice> on_device_;
  mutable std::optional<HostPadded> padded_on_host_;
  mutable Image host_out_;
  mutable std::optional<PaddedImage> rows_only_;
  mutable std::vector<Image> truths_[3];
  mutable std::optional<LadderShape> unrolled_shape_;
};

/// A seeded square image of f32.
Image ladder_image(int side);

}  // namespace tessera
