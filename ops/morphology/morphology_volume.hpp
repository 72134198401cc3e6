// SPDX-License-Identifier: Apache-2.0
/// Elements with planes, over the planes of an image as a volume.
#pragma once

#include <memory>

#include "core/volume_plan.hpp"
#include "tessera/morphology.hpp"

namespace tessera {

struct MorphologyVolume final : VolumePlan {
  using VolumePlan::VolumePlan;
  Point first_pixel;  ///< as Morphology::first_pixel
};

/// Throws Error(usage) with what would be right.
std::shared_ptr<const MorphologyVolume> make_morphology_volume(MorphologyKind kind,
                                                               const ImageInfo& image,
                                                               AnyView element,
                                                               const MorphologyOptions& options);

}  // namespace tessera
