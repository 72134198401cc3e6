// SPDX-License-Identifier: Apache-2.0
/// Pixels and places on the sky, as the header of an image relates them.
///
///     const SkyWcs sky("q.fits", header, 1, 2);      // the axes of x and y, counted from 1
///     const auto pixel = sky.pixel_of({83.63, 22.01});  // ICRS
#pragma once

#include <optional>
#include <string>

#include "jobs/sky_frame.hpp"
#include "jobs/sky_projection.hpp"

namespace tessera {

/// Counted from 0; whole numbers are the middles of pixels.
struct SkyPixel {
  double x = 0, y = 0;
};

class SkyWcs {
 public:
  /// Throws Error(input) for a header without coordinates, and for a projection, a frame or a
  /// distortion that is not known here; `path` begins the message.
  SkyWcs(const std::string& path, const HeaderCards& header, int x_axis, int y_axis);

  /// The pixel of a place in ICRS; nothing if the projection does not show it.
  std::optional<SkyPixel> pixel_of(SkyPoint icrs) const;
  /// Nothing if the pixel lies outside the picture of the sphere.
  std::optional<SkyPoint> place_of(SkyPixel pixel) const;
  SkyFrame frame() const { return frame_; }

 private:
  void find_pole(double longitude, double latitude, const HeaderCards& header, int longitude_axis,
                 const std::string& path);
  NativePoint native_of(SkyPoint place) const;
  SkyPoint celestial_of(NativePoint native) const;

  std::optional<SkyProjection> projection_;
  SkyFrame frame_ = SkyFrame::icrs;
  SkyPoint pole_;              ///< the native pole in the image's frame
  double pole_longitude_ = 0;  ///< LONPOLE: the native longitude of the frame's pole
  double reference_[2] = {};   ///< CRPIX of x and y
  double steps_[2][2] = {};    ///< from pixels to the plane: rows are longitude and latitude
};

}  // namespace tessera
