// SPDX-License-Identifier: Apache-2.0
/// Real transforms of whole planes on a device, by cuFFT, which is opened at run time.
#pragma once

#include <memory>
#include <string>

#include "tessera/stream.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// Immutable: any number of threads run it, each on its own stream.
class DeviceFft {
 public:
  virtual ~DeviceFft() = default;
  /// `real`: height x width values, packed; `complex`: height x (width / 2 + 1), packed. No factor.
  virtual void forward(Stream& stream, void* real, void* complex) const = 0;
  virtual void inverse(Stream& stream, void* complex, void* real) const = 0;
};

/// Why it is missing: "libcufft is not found …"; otherwise empty.
std::string why_no_device_fft();

/// `type`: f32 or f64. Throws Error(resources) or Error(failure) with cuFFT's reason.
std::unique_ptr<const DeviceFft> make_device_fft(int device, int height, int width, Type type);

}  // namespace tessera
