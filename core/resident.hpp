// SPDX-License-Identifier: Apache-2.0
/// Data that a plan keeps on a device: tables and spectra, uploaded once.
#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <vector>

#include "tessera/stream.hpp"

namespace tessera {

/// Immutable bytes on a device. Kernels of any stream may read them; call `used_by` after
/// enqueueing one: the memory is freed only when that work is done.
class Resident {
 public:
  Resident() = default;  ///< nothing: data() is null
  Resident(int device, const void* from, std::size_t bytes);
  template <class T>
  Resident(int device, const std::vector<T>& values)
      : Resident(device, values.data(), values.size() * sizeof(T)) {}
  /// Memory that work enqueued on `owner` has filled; returns when it is done.
  Resident(Stream owner, Scratch memory);
  Resident(const Resident&) = delete;
  Resident& operator=(const Resident&) = delete;

  template <class T>
  const T* as() const {
    return static_cast<const T*>(memory_.data());
  }
  std::size_t bytes() const { return memory_.bytes(); }
  void used_by(const Stream& stream) const;

 private:
  mutable std::optional<Stream> owner_;  ///< none: nothing to free
  Scratch memory_;
  mutable std::mutex mutex_;
};

}  // namespace tessera
