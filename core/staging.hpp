// SPDX-License-Identifier: Apache-2.0
/// Host images on a device: strips are uploaded, processed and downloaded.
#pragma once

#include <functional>
#include <vector>

#include "tessera/border.hpp"
#include "tessera/stream.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// Which input rows output rows need, and what replaces rows outside the image.
struct RowRule {
  const char* operation;
  std::function<Rows(Rows)> needs;
  int image_height;
  Border border;
  int row_step = 1;  ///< rows are made in groups of this size, counted from row 0
  int limit_parts =
      1;  ///< strips may take one of this many parts of the limit: work takes the others
};

/// This many rows of an image, on a device.
inline ImageInfo strip_info(const AnyView& view, int rows, int device) {
  ImageInfo info = view.info();
  info.size.height = rows;
  info.device = device;
  return info;
}

/// Enqueues work on pieces that lie on the stream's device.
using DeviceWork = std::function<void(const Piece&, const MutablePiece&, Stream&)>;

/// One strip being uploaded, one processed, one downloaded.
inline constexpr int kStagedStrips = 3;
/// This thread's streams for that many strips, made on first use: they wait for what is enqueued on
/// `stream` and have its limits.
std::vector<Stream>& staging_lanes(Stream& stream);

/// Calls `on_device` with strips that fit in their part of the stream's memory limit, smaller ones
/// if the device still runs out of memory. Copies of strips and work on others overlap; the output
/// is complete after stream.wait().
void run_staged(const Piece& in, const MutablePiece& out, const RowRule& rule, Stream& stream,
                const DeviceWork& on_device);

}  // namespace tessera
