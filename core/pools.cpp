// SPDX-License-Identifier: Apache-2.0
#include "core/pools.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>
#include <new>
#include <vector>

#include "core/fork.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr std::size_t kAlignment = 256;
constexpr std::size_t kMostIdleBytes = std::size_t{1} << 30;

/// Four sizes per octave: at most a quarter of a block is wasted, and sizes repeat.
std::size_t size_class(std::size_t bytes) {
  if (bytes <= kAlignment * 4) return (bytes + kAlignment - 1) / kAlignment * kAlignment;
  const std::size_t step = std::bit_floor(bytes - 1) / 4;
  return (bytes + step - 1) / step * step;
}

/// From here on blocks are made of huge pages where the system has them: it then clears 2 MiB at a
/// time.
constexpr std::size_t kHugePages = std::size_t{4} << 20;

void ask_for_huge_pages(void* block, std::size_t size) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  const std::uintptr_t first = (address + page - 1) / page * page;
  const std::uintptr_t end = (address + size) / page * page;
  madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);
}

/// Idle blocks, and a lock for them.
class Blocks {
 public:
  void most_idle(std::size_t bytes) { most_idle_ = bytes; }

  void* take(std::size_t size) {
    const std::lock_guard lock(mutex_);
    auto& list = free_[size];
    if (list.empty()) return nullptr;
    void* block = list.back();
    list.pop_back();
    idle_ -= size;
    return block;
  }

  // Destructors return blocks, and must not throw if there is no memory for the list.
  bool keep(void* block, std::size_t size) noexcept {
    try {
      const std::lock_guard lock(mutex_);
      if (idle_ + size > most_idle_) return false;
      free_[size].push_back(block);
      idle_ += size;
      return true;
    } catch (const std::bad_alloc&) {
      return false;
    }
  }

  void free_idle() {
    const std::lock_guard lock(mutex_);
    for (auto& [size, blocks] : free_)
      for (void* block : blocks) std::free(block);
    free_.clear();
    idle_ = 0;
  }

 private:
  ForkMutex mutex_;
  std::map<std::size_t, std::vector<void*>> free_;
  std::size_t idle_ = 0, most_idle_ = 0;
};

/// Threads take small blocks many times per call, so that one lock would hold them up; large ones
/// are few and are shared by all threads.
class HostPool {
 public:
  HostPool() {
    large_.most_idle(kMostIdleBytes);
    for (Blocks& blocks : small_) blocks.most_idle(kMostIdleBytes / 4 / small_.size());
  }

  void* take(std::size_t size) {
    if (void* const idle = of(size).take(size)) return idle;
    void* const block = std::aligned_alloc(kAlignment, size);
    if (block && size >= kHugePages) ask_for_huge_pages(block, size);
    return block;
  }
  void give(void* block, std::size_t size) noexcept {
    if (!of(size).keep(block, size)) std::free(block);
  }

  void free_idle() {
    large_.free_idle();
    for (Blocks& blocks : small_) blocks.free_idle();
  }

 private:
  static constexpr std::size_t kSmall = std::size_t{1} << 20;

  Blocks& of(std::size_t size) {
    if (size > kSmall) return large_;
    static std::atomic<unsigned> threads{0};
    thread_local const unsigned thread = threads++;
    return small_[thread % small_.size()];
  }

  Blocks large_;
  std::array<Blocks, 32> small_;
};

/// Never destroyed: scratch may be returned while the process ends.
HostPool& host_pool() {
  static HostPool& pool = *new HostPool;
  return pool;
}

}  // namespace

Scratch host_scratch(std::size_t bytes) {
  const std::size_t size = size_class(bytes == 0 ? 1 : bytes);
  void* block = host_pool().take(size);
  if (!block)
    throw Error(ErrorKind::resources,
                fmt::format("memory: {} could not be allocated; give a smaller memory limit",
                            bytes_text(static_cast<double>(size))));
  return {block, bytes,
          std::shared_ptr<void>(block, [size](void* b) { host_pool().give(b, size); })};
}

void free_idle_host_memory() { host_pool().free_idle(); }

std::string bytes_text(double bytes) {
  const char* units[] = {"bytes", "kB", "MB", "GB", "TB", "PB"};
  int unit = 0;
  for (; bytes >= 1000 && unit < 5; ++unit) bytes /= 1000;
  return unit == 0 ? fmt::format("{:.0f} bytes", bytes)
                   : fmt::format("{:.1f} {}", bytes, units[unit]);
}

}  // namespace tessera
