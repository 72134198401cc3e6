// SPDX-License-Identifier: Apache-2.0
/// An image that owns its samples, in host memory.
#pragma once

#include <memory>

#include "tessera/export.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// Packed samples, aligned to 64 bytes and zeroed. Moves are cheap; copies are explicit (`copy`).
class TESSERA_API Image {
 public:
  Image() = default;
  explicit Image(const ImageInfo& info);  ///< throws Error(resources) if memory runs out
  Image(Size size, Type type) : Image(ImageInfo{size, type, kHost}) {}

  const ImageInfo& info() const { return info_; }
  /// Only images with a name have views: that of a temporary would outlive its samples.
  AnyView view() const& { return AnyView(mutable_view()); }
  AnyMutableView view() & { return mutable_view(); }
  AnyView view() const&& = delete;
  template <class T>
  View<T> as() & {
    return mutable_view().as<T>();
  }
  template <class T>
  View<const T> as() const& {
    return view().as<const T>();
  }
  template <class T>
  View<const T> as() const&& = delete;
  /// One plane, which shares its samples with this image: they live as long as either. Packed, but
  /// aligned only to a sample.
  Image only_plane(int plane) const;
  explicit operator bool() const { return data_ != nullptr; }

 private:
  friend TESSERA_API Image page_locked_image(const ImageInfo& info);
  AnyMutableView mutable_view() const { return packed(data_.get(), info_); }

  ImageInfo info_;
  std::shared_ptr<unsigned char> data_;
};

/// In memory that devices read and write at the full speed of their link; in ordinary memory if
/// there is no device, or if the system refuses. When it is no longer used, its memory is kept for
/// the next one; `clear_cache` (kept_plans.hpp) frees it.
TESSERA_API Image page_locked_image(const ImageInfo& info);

/// Bytes of all samples of such an image, packed.
inline long long bytes_of(const ImageInfo& info) {
  return info.size.samples() * bytes_of(info.type);
}

/// Copies samples between host views of the same size and type; steps may differ.
TESSERA_API void copy_samples(AnyView from, AnyMutableView to);

/// A packed copy of a host view.
TESSERA_API Image copy(AnyView from);

}  // namespace tessera
