// SPDX-License-Identifier: Apache-2.0
/// Images that strips need for a moment.
#pragma once

#include "core/pools.hpp"
#include "tessera/image.hpp"
#include "tessera/stream.hpp"
#include "tessera/view.hpp"

namespace tessera {

inline ImageInfo rows_of(ImageInfo info, int rows, int device) {
  info.size.height = rows;
  info.device = device;
  return info;
}
inline ImageInfo with_planes(ImageInfo info, int planes) {
  info.size.planes = planes;
  return info;
}

/// An image in memory of the stream's device, or of the host.
struct FaradayBlock {
  Scratch memory;
  AnyMutableView view;

  FaradayBlock(const ImageInfo& info, Stream& stream)
      : memory(info.device == kHost ? host_scratch(static_cast<std::size_t>(bytes_of(info)))
                                    : stream.scratch(static_cast<std::size_t>(bytes_of(info)))),
        view(packed(memory.data(), info)) {}
};

}  // namespace tessera
