// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/pinned.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <new>

#include "core/pools.hpp"
#include "tessera/error.hpp"

namespace tessera::cuda {
namespace {

constexpr std::size_t kSmallest = 4096;                   // a page
constexpr std::size_t kKeptBytes = std::size_t{1} << 30;  // idle, when a new size is requested

void destroy(const PinnedBlock& block) {
  driver().cuEventDestroy(block.last_use);
  driver().cuMemFreeHost(block.data);
}

}  // namespace

std::size_t pinned_size(std::size_t bytes) {
  bytes = std::max(bytes, kSmallest);
  const std::size_t step = std::max(std::bit_floor(bytes - 1) / 4, std::size_t{1024});
  return (bytes + step - 1) / step * step;
}

// Only the oldest few are checked: blocks of one stream become free in order.
bool PinnedPool::take_idle(std::size_t bytes, std::size_t pending_bytes, PinnedBlock& block) {
  constexpr std::size_t kAsked = 4;
  const std::lock_guard lock(mutex_);
  std::deque<PinnedBlock>& blocks = idle_[bytes];
  for (std::size_t i = 0; i < std::min(blocks.size(), kAsked); ++i) {
    if (driver().cuEventQuery(blocks[i].last_use) != CUDA_SUCCESS) continue;
    block = blocks[i];
    blocks.erase(blocks.begin() + static_cast<std::ptrdiff_t>(i));
    idle_bytes_ -= bytes;
    return true;
  }
  if (blocks.size() < 2 || blocks.size() * bytes < pending_bytes) return false;
  block = blocks.front();
  blocks.pop_front();
  idle_bytes_ -= bytes;
  return true;
}

// Called on a miss only, so that a loop which finds its blocks again keeps them, however large.
void PinnedPool::trim(std::size_t kept_bytes) {
  const std::lock_guard lock(mutex_);
  for (auto size = idle_.rbegin(); size != idle_.rend(); ++size) {
    auto& blocks = size->second;
    while (idle_bytes_ > kept_bytes && !blocks.empty() &&
           driver().cuEventQuery(blocks.front().last_use) == CUDA_SUCCESS) {
      destroy(blocks.front());
      blocks.pop_front();
      idle_bytes_ -= size->first;
    }
  }
}

PinnedBlock PinnedPool::make(std::size_t bytes) {
  trim(kKeptBytes);
  PinnedBlock block{nullptr, bytes, nullptr};
  CUresult result = driver().cuMemHostAlloc(&block.data, bytes, CU_MEMHOSTALLOC_PORTABLE);
  if (result == CUDA_ERROR_OUT_OF_MEMORY) {
    trim(0);
    result = driver().cuMemHostAlloc(&block.data, bytes, CU_MEMHOSTALLOC_PORTABLE);
  }
  // A container may forbid it: then it is not permitted or not supported.
  if (result == CUDA_ERROR_OUT_OF_MEMORY || result == CUDA_ERROR_NOT_PERMITTED ||
      result == CUDA_ERROR_NOT_SUPPORTED || result == CUDA_ERROR_OPERATING_SYSTEM)
    throw Error(ErrorKind::resources,
                fmt::format("stream: {} of page-locked host memory could not be allocated; give a "
                            "smaller memory limit",
                            bytes_text(static_cast<double>(bytes))));
  check(result, "stream: page-locking host memory");
  const CUresult made = driver().cuEventCreate(&block.last_use, CU_EVENT_DISABLE_TIMING);
  if (made != CUDA_SUCCESS) driver().cuMemFreeHost(block.data);
  check(made, "stream: making an event");
  return block;
}

PinnedBlock PinnedPool::take(std::size_t bytes, std::size_t pending_bytes) {
  PinnedBlock block;
  if (!take_idle(pinned_size(bytes), pending_bytes, block)) return make(pinned_size(bytes));
  const CUresult result = driver().cuEventSynchronize(block.last_use);
  if (result != CUDA_SUCCESS) destroy(block);
  check(result, "stream: waiting for a copy from page-locked memory");
  return block;
}

void PinnedPool::give_back(const PinnedBlock& block, CUstream stream) noexcept {
  // Without a record of its last use it must not be handed out again.
  if (driver().cuEventRecord(block.last_use, stream) != CUDA_SUCCESS) return destroy(block);
  try {
    const std::lock_guard lock(mutex_);
    idle_[block.bytes].push_back(block);
    idle_bytes_ += block.bytes;
  } catch (const std::bad_alloc&) {  // no memory for the list of idle blocks
    driver().cuEventSynchronize(block.last_use);
    destroy(block);
  }
}

}  // namespace tessera::cuda
