// SPDX-License-Identifier: Apache-2.0
/// Where trials of a plan run: an image on the host or the device, room for the result, and some of
/// its rows to be compared with the reference.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/device.hpp"
#include "tessera/image.hpp"
#include "tessera/stream.hpp"
#include "tune/operations.hpp"

namespace tessera {

class TrialRoom {
 public:
  /// `out` is on the host; its device is ignored.
  TrialRoom(const TuneRequest& request, Image in, ImageInfo out);

  const Image& host() const { return host_; }
  AnyView in() const { return in_; }
  AnyMutableView out() const { return out_; }
  Stream& stream() { return stream_; }

  /// A few rows, which a reference makes in milliseconds: the first, the last, and two at which
  /// pieces and tiles of a power of two do not begin. None twice.
  std::vector<int> sampled_rows() const;
  /// Sampled rows, or all of a small result, become NaN or the largest value, so that missing
  /// writes are seen.
  void poison();
  Image result();   ///< all of it, on the host
  Image sampled();  ///< its sampled rows, one under the other

 private:
  void poison_rows(int first, int count);
  void copy_rows(AnyView from, AnyMutableView to);  ///< and waits

  Stream stream_;
  Image host_, host_out_;
  Scratch device_in_, device_out_;
  AnyView in_;
  AnyMutableView out_;
};

/// A trial in a room: `run` enqueues the plan, `wrong` compares the result with the reference.
Trial trial_in(const std::shared_ptr<TrialRoom>& room, std::function<void(Stream&)> run,
               std::function<std::string()> wrong);

/// Random samples of a type: 0 to 1 in floats, all values in integers.
Image random_image_of(Size size, Type type);

}  // namespace tessera
