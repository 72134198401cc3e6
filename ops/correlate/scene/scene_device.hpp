// SPDX-License-Identifier: Apache-2.0
/// The passes of scene_planes.cpp on a device: packed planes of floats there.
#pragma once

#include <memory>

#include "tessera/scene_planes.hpp"

namespace tessera {

class Resident;

class SceneOnDevice {
 public:
  SceneOnDevice(const ImageInfo& photograph, const ScenePlanesOptions& options);

  /// Planes of lightness, a and b.
  void colours(const AnyView& photograph, float* colours, Stream& stream) const;
  /// As SceneOrientation.
  void double_gradients(const float* lightness, float* doubled, Stream& stream) const;
  /// `made`: x1, then x2.
  void average(const float* doubled, float* made, Stream& stream) const;
  /// a, b, x1 and x2 in place.
  void normalise(float* planes, Stream& stream) const;

 private:
  /// A row of weights over rows of `planes` planes, or over columns.
  void run_line(const Resident& weights, const float* in, float* out, int planes, bool down,
                Stream& stream) const;

  ImageInfo photograph_;
  ScenePlanesOptions options_;
  std::shared_ptr<const Resident> light_, fine_, slope_, coarse_;
};

}  // namespace tessera
