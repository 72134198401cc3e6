// SPDX-License-Identifier: Apache-2.0
/// What single calls of a device cost, however little they do: a program of many small steps pays
/// mostly for them.
#pragma once

#include <cstddef>
#include <vector>

namespace tessera {

/// Seconds per call.
struct SmallCopy {
  std::size_t bytes = 0;
  double up = 0, down = 0;  ///< from and to ordinary memory, waited for
};

struct DeviceCalls {
  double launch = 0;         ///< of a kernel that does nothing, one after the other
  double launch_waited = 0;  ///< the same, each waited for
  double driver_allocate = 0, driver_release = 0;  ///< by the driver, which waits for the device
  double pool_allocate = 0, pool_release = 0;      ///< from the pool of a stream
  double host_allocate = 0, host_release = 0;      ///< malloc and free
  std::vector<SmallCopy> copies;                   ///< larger and larger
};

/// Blocks of memory have `bytes`. Takes some milliseconds; kept for the process. Throws Error.
const DeviceCalls& measure_device_calls(int device, std::size_t bytes = 16384);

/// The size in bytes up to which a copy, in the slower direction, takes at most a quarter longer
/// than the smallest; 0 without copies.
std::size_t constant_copy_bytes(const DeviceCalls& calls);

}  // namespace tessera
