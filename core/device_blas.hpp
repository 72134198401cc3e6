// SPDX-License-Identifier: Apache-2.0
/// Products of matrices on a device, by cuBLAS, which is opened at run time.
#pragma once

#include <cstddef>
#include <string>

#include "tessera/stream.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// Why it is missing: "libcublas is not found …"; otherwise empty.
std::string why_no_device_blas();

/// c = a b, rows after rows without gaps: a has `rows` x `inner` values, b `inner` x `columns`.
struct DeviceProduct {
  Type type = Type::f32;  ///< f32 or f64, of all three
  int rows = 0, inner = 0, columns = 0;
  const void* a = nullptr;
  const void* b = nullptr;
  void* c = nullptr;
  bool add = false;  ///< to c
};

/// Scratch memory that enqueueing a product takes from its stream.
inline constexpr std::size_t kDeviceProductBytes = std::size_t{4} << 20;

/// Enqueues a product in the arithmetic of its type, never in TF32; from any thread. Throws
/// Error(resources) or Error(failure) with cuBLAS's reason.
void multiply_on_device(const DeviceProduct& product, Stream& stream);

/// The factor whose adjoint is multiplied: a* b or a b*.
enum class AdjointFactor : int { none, left, right };

/// c = a b of complex numbers, re and im side by side, rows after rows without gaps: a has `rows` x
/// `inner` values, b `inner` x `columns`. A factor whose adjoint is multiplied has its rows and
/// columns exchanged.
struct DeviceComplexProduct {
  Type type = Type::f32;  ///< f32 or f64, of the parts of all three
  int rows = 0, inner = 0, columns = 0;
  const void* a = nullptr;
  const void* b = nullptr;
  void* c = nullptr;
  AdjointFactor adjoint = AdjointFactor::none;
  bool add = false;  ///< to c
};

/// As multiply_on_device, by cublasCgemm or cublasZgemm.
void multiply_complex_on_device(const DeviceComplexProduct& product, Stream& stream);

/// c = a b' of signed bytes, exact: a has `rows` rows of `inner` values, b `columns` of them, c is
/// rows x columns. `inner` and `columns` are multiples of 4.
struct DeviceByteProduct {
  int rows = 0, columns = 0, inner = 0;
  const signed char *a = nullptr, *b = nullptr;
  int* c = nullptr;
};

/// As multiply_on_device.
void multiply_bytes_on_device(const DeviceByteProduct& product, Stream& stream);

}  // namespace tessera
