// SPDX-License-Identifier: Apache-2.0
/// A device in use: its primary context and the state shared by all streams on it.
#pragma once

#include <cstddef>
#include <string>

#include "core/cuda/driver.hpp"
#include "core/cuda/event.hpp"
#include "core/cuda/pinned.hpp"
#include "core/machine.hpp"

namespace tessera::cuda {

/// Made on first use and never destroyed: memory freed at exit still finds it. The
/// context is the device's primary one, which CuPy and torch use too.
struct OpenDevice {
  DeviceInfo info;
  CUdevice handle = 0;
  CUcontext context = nullptr;
  CUmemoryPool pool = nullptr;
  std::size_t max_pitch = 0;  ///< largest row step of a 2-D copy, in bytes
  PinnedPool pinned;
  /// For copies. A thread that waits for one sleeps: what is enqueued before a copy may take long.
  EventPool copy_events{CU_EVENT_DISABLE_TIMING | CU_EVENT_BLOCKING_SYNC};

  std::string name() const;  ///< "device 0 (NVIDIA H200)"
  /// Available bytes: free on the device, or unused in the pool.
  std::size_t free_bytes() const;
  std::size_t pool_bytes() const;  ///< bytes the pool holds, used or not
};

/// Throws Error(resources) naming the existing devices.
OpenDevice& open_device(int index);

}  // namespace tessera::cuda
