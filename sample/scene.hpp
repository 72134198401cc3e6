// SPDX-License-Identifier: Apache-2.0
/// A dead-leaves scene: occluding, shaded, textured discs and ellipses whose radii follow r^-3, as
/// sizes of objects in photographs do. Edges, scales and colours are like those of natural images,
/// and every size and seed gives a scene.
#pragma once

#include <cstdint>

#include "core/strips.hpp"
#include "tessera/image.hpp"

namespace tessera {

/// The scene as a source of rows, so that it may be larger than memory.
///
/// The same bytes on every machine, for any threads and strips: only + - * / and square roots are
/// used, in a fixed order for each pixel. Integers fill their range, floats lie in [0, 1].
class Scene : public RowSource {
 public:
  /// `size` has 3 channels (red, green, blue) or 1 (their luminance). `threads` 0: as many as the
  /// environment allows. Throws Error(usage).
  Scene(Size size, std::uint64_t seed, Type type = Type::u8, int threads = 0);

  ImageInfo info() const override { return info_; }
  void read(Rows rows, AnyMutableView to) override;

 private:
  void paint(Rows rows, int plane, AnyMutableView to) const;

  ImageInfo info_;
  std::uint64_t seed_;
  int threads_;
  int levels_;
};

/// The whole scene.
Image scene(Size size, std::uint64_t seed, Type type = Type::u8);

}  // namespace tessera
