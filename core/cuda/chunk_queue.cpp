// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/chunk_queue.hpp"

#include <thread>

namespace tessera::cuda {
namespace {

/// These copy about as fast as the link carries; while the caller copied one, nothing would be
/// sent.
constexpr int kEnoughHelpers = 5;

}  // namespace

void ChunkQueue::copy_one(int index, const std::function<void(int)>& copy) {
  copy(index);
  finished_[static_cast<std::size_t>(index)].store(true, std::memory_order_release);
  finished_count_.fetch_add(1, std::memory_order_release);
}

// The wait is short: the caller starts helpers when chunks can be copied.
void ChunkQueue::help(const std::function<void(int)>& copy) {
  ++helpers_;
  for (int index; (index = next_.fetch_add(1, std::memory_order_relaxed)) < count();) {
    while (index >= allowed_.load(std::memory_order_acquire)) {
      if (abandoned_.load(std::memory_order_acquire)) return;
      std::this_thread::yield();
    }
    copy_one(index, copy);
  }
  --helpers_;
}

void ChunkQueue::help_or_yield(int end, const std::function<void(int)>& copy) {
  int index = next_.load(std::memory_order_relaxed);
  const bool may = helpers_.load(std::memory_order_relaxed) < kEnoughHelpers && index < end &&
                   index < allowed_.load(std::memory_order_relaxed);
  if (may && next_.compare_exchange_strong(index, index + 1))
    copy_one(index, copy);
  else
    std::this_thread::yield();
}

}  // namespace tessera::cuda
