// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/film_memory.hpp"

#include "core/device.hpp"
#include "tessera/image.hpp"
#include "tessera/stream.hpp"

namespace tessera {
namespace {

class FramesInMemory : public ImageSource {
 public:
  explicit FramesInMemory(const AnyView& frames) : frames_(frames) { set_format("array"); }

  ImageInfo info() const override { return {frames_.size, frames_.type, kHost}; }
  void read_plane(int plane, Rows rows, AnyMutableView to) override {
    const AnyView part = frames_.only_plane(plane).rows(rows.first, rows.count());
    if (part.device == kHost) {
      copy_samples(part, to);
      return;
    }
    Stream& stream = thread_stream(part.device);
    device_stream(stream).copy(part, to);
    stream.wait();
  }

 private:
  AnyView frames_;
};

}  // namespace

std::unique_ptr<ImageSource> frames_in_memory(const AnyView& frames) {
  return std::make_unique<FramesInMemory>(frames);
}

}  // namespace tessera
