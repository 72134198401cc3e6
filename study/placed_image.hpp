// SPDX-License-Identifier: Apache-2.0
/// An image of a benchmark, in the memory that its case needs.
#pragma once

#include "core/device.hpp"
#include "tessera/image.hpp"
#include "tessera/stream.hpp"

namespace tessera {

/// Memory on a device, in the shape of an image on the host.
inline AnyMutableView like_on_device(void* data, const AnyMutableView& host, int device) {
  ImageInfo info = host.info();
  info.device = device;
  return packed(data, info);
}

/// On the host, or copied to the stream's device.
class PlacedImage {
 public:
  PlacedImage(Image& image, bool on_device, Stream& stream) : host_(image.view()), view_(host_) {
    if (!on_device) return;
    memory_ = stream.scratch(static_cast<std::size_t>(bytes_of(image.info())));
    view_ = like_on_device(memory_.data(), host_, stream.device());
    device_stream(stream).copy(host_, view_);
    stream.wait();
  }
  const AnyMutableView& view() const { return view_; }
  /// Its current contents, on the host.
  void fetch(Stream& stream) const {
    if (view_.device == kHost) return;
    device_stream(stream).copy(view_, host_);
    stream.wait();
  }

 private:
  AnyMutableView host_;
  Scratch memory_;
  AnyMutableView view_;
};

}  // namespace tessera
