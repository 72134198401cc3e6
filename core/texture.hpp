// SPDX-License-Identifier: Apache-2.0
/// Device memory that kernels read through the texture units, by tex1Dfetch.
#pragma once

#include <memory>
#include <utility>

namespace tessera {

class Texture {
 public:
  Texture() = default;
  Texture(unsigned long long handle, std::shared_ptr<void> owner)
      : handle_(handle), owner_(std::move(owner)) {}
  unsigned long long handle() const { return handle_; }  ///< a kernel's cudaTextureObject_t

 private:
  unsigned long long handle_ = 0;
  std::shared_ptr<void> owner_;
};

/// Over `samples` floats on a device, which must outlive it; a texel has 1, 2 or 4 of them. Kernels
/// that read it must finish before the last copy is destroyed. Throws Error(failure) for more
/// texels than the device can address.
Texture make_texture(int device, const float* data, long long samples, int samples_a_texel);
/// The same over signed bytes, which kernels read as whole numbers.
Texture make_texture(int device, const signed char* data, long long samples, int samples_a_texel);

}  // namespace tessera
