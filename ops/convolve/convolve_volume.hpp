// SPDX-License-Identifier: Apache-2.0
/// Filters with planes, over the planes of an image as a volume.
#pragma once

#include <memory>

#include "core/volume_plan.hpp"
#include "tessera/convolve.hpp"

namespace tessera {

struct ConvolveVolume final : VolumePlan {
  ConvolveVolume(std::string text, const ImageInfo& in, const ImageInfo& out, VolumeParts made_of,
                 double magnitude, std::vector<Convolve> plans);

  /// As Convolve::error_bound.
  double error_bound(double largest_input) const;

 private:
  double magnitude_;  ///< |scale| * sum |weight|
  std::vector<Convolve> slices_;
};

/// Throws Error(usage) with what would be right.
std::shared_ptr<const ConvolveVolume> make_convolve_volume(const ImageInfo& image, AnyView filter,
                                                           const ConvolveOptions& options);

}  // namespace tessera
