// SPDX-License-Identifier: Apache-2.0
/// Page-locked host memory, kept for reuse: allocating it takes longer than most copies.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <mutex>

#include "core/cuda/driver.hpp"

namespace tessera::cuda {

struct PinnedBlock {
  void* data = nullptr;
  std::size_t bytes = 0;
  CUevent last_use = nullptr;  ///< once it is done, nothing enqueued before touches the block
};

/// With this much of one size still in use by copies, waiting for the oldest is faster than pinning
/// more: it also bounds what a fast producer can pile up.
inline constexpr std::size_t kPendingPinnedBytes = std::size_t{32} << 20;

/// One per device, used from any thread with the device's context current.
class PinnedPool {
 public:
  /// A block of at least `bytes` that no copy touches any more; a new one only if copies use fewer
  /// than `pending_bytes` of its size. Throws Error(resources).
  PinnedBlock take(std::size_t bytes, std::size_t pending_bytes = kPendingPinnedBytes);
  /// Takes a block back; copies on `stream` may still be using it. Destructors call this.
  void give_back(const PinnedBlock& block, CUstream stream) noexcept;
  /// Frees the blocks that no copy uses.
  void free_idle() { trim(0); }

 private:
  bool take_idle(std::size_t bytes, std::size_t pending_bytes, PinnedBlock& block);
  PinnedBlock make(std::size_t bytes);
  void trim(std::size_t kept_bytes);

  std::mutex mutex_;
  std::map<std::size_t, std::deque<PinnedBlock>> idle_;  // by size, longest idle first
  std::size_t idle_bytes_ = 0;
};

/// The size of a block for `bytes`: four steps per doubling, so that similar sizes share blocks and
/// at most a quarter is wasted.
std::size_t pinned_size(std::size_t bytes);

}  // namespace tessera::cuda
