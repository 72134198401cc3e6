// SPDX-License-Identifier: Apache-2.0
/// Rows between two passes, in the memory of the plan's images.
#pragma once

#include "core/device.hpp"
#include "tessera/image.hpp"
#include "tessera/stream.hpp"

namespace tessera {

/// Rows in their own memory: on the host, or on the stream's device.
class NoiseBuffer {
 public:
  NoiseBuffer(const ImageInfo& image, Rows rows, Stream& stream) : rows_(rows) {
    ImageInfo part = image;
    part.size.height = rows.count();
    if (image.device == kHost) {
      host_ = Image(part);
      view_ = host_.view();
    } else {
      memory_ = stream.scratch(static_cast<std::size_t>(bytes_of(part)));
      view_ = packed(memory_.data(), part);
    }
  }
  MutablePiece piece() const { return {view_, rows_.first}; }
  AnyMutableView plane(int p) const { return view_.only_plane(p); }

 private:
  Rows rows_;
  Image host_;
  Scratch memory_;
  AnyMutableView view_;
};

/// Copies on the host, on the device, and between them; from the device only after stream.wait().
inline void copy_anywhere(AnyView from, AnyMutableView to, Stream& stream) {
  if (from.device == kHost && to.device == kHost) return copy_samples(from, to);
  device_stream(stream).copy(from, to);
}

}  // namespace tessera
