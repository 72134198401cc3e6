// SPDX-License-Identifier: Apache-2.0
#include "tessera/image.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>

#include "core/counted.hpp"
#include "core/device.hpp"
#include "core/pools.hpp"
#include "tessera/error.hpp"

namespace tessera {

namespace {

void check_size(const Size& s) {
  if (s.width < 0 || s.height < 0 || s.channels < 1 || s.planes < 0)
    throw Error(
        ErrorKind::usage,
        fmt::format("image: {}x{} with {} and {} is not a valid size; none "
                    "may be negative, and there must be at least 1 channel",
                    s.width, s.height, counted(s.channels, "channel"), counted(s.planes, "plane")));
}

}  // namespace

Image::Image(const ImageInfo& info) : info_(info) {
  info_.device = kHost;
  const Size s = info.size;
  check_size(s);
  const auto bytes = static_cast<std::size_t>(bytes_of(info));
  // Not from the pool: an image may be large and live long. calloc does not create untouched pages.
  constexpr std::size_t kAlignment = 64;
  auto* raw = static_cast<unsigned char*>(std::calloc(bytes + kAlignment, 1));
  if (!raw)
    throw Error(ErrorKind::resources,
                fmt::format("image: {}x{} needs {}, which could not be allocated", s.width,
                            s.height, bytes_text(static_cast<double>(bytes))));
  const std::size_t off = reinterpret_cast<std::size_t>(raw) % kAlignment;
  data_ = std::shared_ptr<unsigned char>(raw + (kAlignment - off),
                                         [raw](unsigned char*) { std::free(raw); });
}

Image page_locked_image(const ImageInfo& info) {
  check_size(info.size);
  const auto bytes = static_cast<std::size_t>(bytes_of(info));
  const std::shared_ptr<void> memory = page_locked_memory(bytes);
  if (!memory) return Image(info);
  std::memset(memory.get(), 0, bytes);
  Image image;
  image.info_ = info;
  image.info_.device = kHost;
  image.data_ = std::shared_ptr<unsigned char>(memory, static_cast<unsigned char*>(memory.get()));
  return image;
}

Image Image::only_plane(int plane) const {
  Image one;
  one.info_ = info_;
  one.info_.size.planes = 1;
  one.data_ = std::shared_ptr<unsigned char>(data_, data_.get() + plane * bytes_of(one.info_));
  return one;
}

void copy_samples(AnyView from, AnyMutableView to) {
  if (from.size != to.size || from.type != to.type)
    throw Error(ErrorKind::failure, "copy: the two views differ in size or type");
  const auto pixel_bytes = static_cast<std::size_t>(bytes_of(from.type)) * from.size.channels;
  const bool packed_rows = from.pixel == from.size.channels && to.pixel == to.size.channels;
  for (int p = 0; p < from.size.planes; ++p)
    for (int y = 0; y < from.size.height; ++y) {
      if (packed_rows) {
        std::memcpy(to.address(0, y, p), from.address(0, y, p), pixel_bytes * from.size.width);
        continue;
      }
      for (int x = 0; x < from.size.width; ++x)
        std::memcpy(to.address(x, y, p), from.address(x, y, p), pixel_bytes);
    }
}

Image copy(AnyView from) {
  Image image(ImageInfo{from.size, from.type, kHost});
  copy_samples(from, image.view());
  return image;
}

}  // namespace tessera
