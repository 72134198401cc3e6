// SPDX-License-Identifier: Apache-2.0
/// Images that live on a stream's device.
#pragma once

#include "core/device.hpp"
#include "tessera/image.hpp"
#include "tessera/stream.hpp"

namespace tessera::testing {

/// Packed samples, contents undefined.
struct DeviceImage {
  DeviceImage(const ImageInfo& info, Stream& stream)
      : memory(stream.scratch(static_cast<std::size_t>(bytes_of(info)))) {
    ImageInfo on_device = info;
    on_device.device = stream.device();
    view = packed(memory.data(), on_device);
  }
  Scratch memory;
  AnyMutableView view;
};

inline DeviceImage upload(const Image& image, Stream& stream) {
  DeviceImage copy(image.info(), stream);
  device_stream(stream).copy(image.view(), copy.view);
  return copy;
}

inline Image download(const DeviceImage& image, Stream& stream) {
  Image host(ImageInfo{image.view.size, image.view.type, kHost});
  device_stream(stream).copy(image.view, host.view());
  stream.wait();
  return host;
}

}  // namespace tessera::testing
