// SPDX-License-Identifier: Apache-2.0
/// The paper's problem: a square image of four planes, correlated with itself at half as many
/// shifts each way as it has pixels (500 by 500, 250 by 250).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/texture.hpp"
#include "study/rung.hpp"
#include "tessera/image.hpp"
#include "tessera/stream.hpp"

namespace tessera {

class CorrelateCase {
 public:
  /// `planes` is a packed square f32 image of four planes. Without a stream on a device the case
  /// has only its host half.
  CorrelateCase(const Image& planes, Stream* device);

  std::string name() const;
  int side() const { return separate_.info().size.width; }
  int shifts() const { return side() / 2; }
  double steps() const;  ///< pixels of all overlaps: iterations of the innermost loop
  double flops() const { return 8 * steps(); }  ///< 4 multiplications and 4 additions each
  double energy() const { return energy_; }     ///< C(0, 0)

  /// Bound of the error of a sum of `terms` terms, added one after the other; see
  /// docs/study-correlate.md.
  double chain_bound(double additions) const;

  const Image& separate() const { return separate_; }  ///< four planes
  const Image& together() const { return together_; }  ///< four channels
  float* host_map() const { return host_map_.as<float>().data; }

  struct OnDevice {
    Scratch separate, together, map;
    Texture separate_texture, together_texture;
  };
  const OnDevice& on_device() const;  ///< throws Error(resources) if there is none

  /// Fills the map on the stream's side with NaN.
  void poison(const PreparedRung& rung, Stream& stream) const;
  /// The first shift of the map on the stream's side that is too far from the truth; "" if there is
  /// none.
  std::string disagreement(const PreparedRung& rung, Stream& stream) const;
  /// Largest error of the last map compared with the truth, as a share of C(0, 0).
  double largest_error() const { return largest_error_; }

  const Image& truth() const;  ///< every shift, in double; made when first asked for

 private:
  ImageInfo map_info(int device) const;

  Image separate_, together_;
  double energy_;
  mutable Image host_map_, truth_;
  mutable double largest_error_ = 0;
  std::optional<OnDevice> on_device_;
};

/// A seeded scene: smooth waves that correlate over long distances, noise that does not; mean 0,
/// variance near 1.
Image scene_planes(int side);

}  // namespace tessera
