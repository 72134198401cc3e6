// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/staged_copy.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <thread>
#include <vector>

#include "core/cuda/chunk_queue.hpp"
#include "core/cuda/copy_threads.hpp"
#include "core/cuda/event.hpp"
#include "core/pools.hpp"
#include "core/samples_past_cache.hpp"
#include "tessera/error.hpp"

namespace tessera::cuda {
namespace {

// Measured on an H200 machine with 16 cores, by size, chunk, ring and threads: every copy of a
// chunk costs the link 4 us besides its bytes, and the first chunk must be full before anything
// travels. Fewer slots than twice the threads leave the link idle.
constexpr long long kMostChunkBytes = 2LL << 20, kLeastChunkBytes = 256LL << 10;
constexpr int kMostSlots = 32, kFewestSlots = 8, kMostThreads = 10;
/// Results of this size and more would only push others out of the cache.
constexpr long long kLargeBytes = 16LL << 20;
/// All rings together take so much, as far as each has its least.
constexpr long long kMostRingBytes = 256LL << 20, kLeastRingBytes = 2LL << 20;

struct Chunk {
  int plane, x, y, width, height;

  template <class AnyOne>
  AnyOne of(const AnyOne& view) const {
    return view.only_plane(plane).region(x, y, width, height);
  }
};

/// How a copy is cut: whole rows, or parts of one if a row is longer than a chunk.
class Chunks {
 public:
  Chunks(const ImageInfo& info, long long ring_bytes, long long wanted_chunk) : info_(info) {
    const long long all = bytes_of(info);
    long long chunk = std::clamp(all / kMostSlots, kLeastChunkBytes, kMostChunkBytes);
    if (ring_bytes < all) chunk = std::max(std::min(chunk, ring_bytes / kFewestSlots), 4096LL);
    if (wanted_chunk > 0) chunk = wanted_chunk;
    const long long pixel = 1LL * info.size.channels * bytes_of(info.type);
    const long long row = pixel * info.size.width;
    width_ = static_cast<int>(std::clamp<long long>(chunk / pixel, 1, info.size.width));
    height_ = static_cast<int>(std::clamp<long long>(chunk / row, 1, info.size.height));
    across_ = (info.size.width + width_ - 1) / width_;
    down_ = (info.size.height + height_ - 1) / height_;
    bytes_ = static_cast<std::size_t>(pixel * width_ * height_);
  }

  std::size_t bytes() const { return bytes_; }  ///< of the largest chunk
  int count() const { return info_.size.planes * down_ * across_; }
  Chunk at(int index) const {
    const int x = index % across_ * width_, y = index / across_ % down_ * height_;
    return {index / across_ / down_, x, y, std::min(width_, info_.size.width - x),
            std::min(height_, info_.size.height - y)};
  }
  AnyMutableView packed_at(void* memory, const Chunk& chunk) const {
    return packed(
        memory, ImageInfo{{chunk.width, chunk.height, info_.size.channels, 1}, info_.type, kHost});
  }

 private:
  ImageInfo info_;
  int width_ = 1, height_ = 1, across_ = 1, down_ = 1;
  std::size_t bytes_ = 0;
};

/// A copy's part of the bytes that all rings may have: half of what is left, so that many copies at
/// the same time become slower and none waits for another.
class RingShare {
 public:
  explicit RingShare(long long wanted) : bytes_(std::min(wanted, left())) { taken_ += bytes_; }
  ~RingShare() { taken_ -= bytes_; }
  RingShare(const RingShare&) = delete;
  RingShare& operator=(const RingShare&) = delete;

  long long bytes() const { return bytes_; }

 private:
  static long long left() { return std::max((kMostRingBytes - taken_) / 2, kLeastRingBytes); }

  static inline std::atomic<long long> taken_{0};
  const long long bytes_;
};

/// The chunks of one copy in page-locked memory, and marks in the stream behind what is enqueued
/// for each. Only the caller of a copy uses it, except `at`.
class Ring {
 public:
  Ring(const StreamPointer& stream, const ImageInfo& info, const CopyLimits& limits)
      : stream_(stream),
        share_(std::min({static_cast<long long>(limits.ring_bytes), kMostSlots * kMostChunkBytes,
                         bytes_of(info)})),
        chunks_(info, share_.bytes(), static_cast<long long>(limits.chunk_bytes)),
        threads_(std::min(limits.threads > 0 ? limits.threads : kMostThreads, kMostThreads)) {
    const long long fit = share_.bytes() / static_cast<long long>(chunks_.bytes());
    slots_ = std::min(static_cast<int>(std::clamp<long long>(fit, 2, kMostSlots)), chunks_.count());
    memory_ = allocate();
    arrived_ = stream_->device.copy_events.take(static_cast<std::size_t>(slots_));
  }
  ~Ring() { stream_->device.copy_events.give_back(arrived_); }
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;

  const Chunks& chunks() const { return chunks_; }
  int slots() const { return slots_; }
  int threads() const { return threads_; }
  /// Chunks count from the first of the copy; each lies in its slot.
  AnyMutableView at(int index) const {
    return chunks_.packed_at(memory_.as<unsigned char>() + slot(index) * chunks_.bytes(),
                             chunks_.at(index));
  }
  void mark(int index) { arrived_[slot(index)].record(stream_->stream); }
  bool has_arrived(int index) const { return arrived_[slot(index)].is_done(); }
  /// Sleeps only if it takes long: waking up takes longer than a chunk.
  void wait(int index) const {
    using Clock = std::chrono::steady_clock;
    const auto patience = Clock::now() + std::chrono::microseconds(200);
    while (!has_arrived(index)) {
      if (Clock::now() > patience) return arrived_[slot(index)].wait();
      std::this_thread::yield();
    }
  }

 private:
  std::size_t slot(int index) const { return static_cast<std::size_t>(index % slots_); }
  /// If the system refuses page-locked memory, ordinary memory, which the driver copies through
  /// pages of its own, slowly: it has read or written it all when its call returns.
  Scratch allocate() const {
    // A power of two, so that rings of all sizes share few blocks.
    const std::size_t bytes = std::bit_ceil(chunks_.bytes() * static_cast<std::size_t>(slots_));
    try {
      return pinned_scratch(stream_, bytes, bytes);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::resources) throw;
      return host_scratch(bytes);
    }
  }

  StreamPointer stream_;
  RingShare share_;
  Chunks chunks_;
  int threads_, slots_ = 1;
  Scratch memory_;
  std::vector<Event> arrived_;
};

/// `lead` talks to the driver on this thread while helpers copy.
template <class Lead>
void with_helpers(const Ring& ring, ChunkQueue& queue, const std::function<void(int)>& copy,
                  const Lead& lead) {
  const auto leave_on_failure = [&] {
    try {
      lead();
    } catch (...) {
      queue.abandon();
      throw;
    }
  };
  const int threads = std::min(ring.threads(), ring.chunks().count());
  CopyThreads::instance().run(
      threads, [&] { queue.help(copy); }, leave_on_failure);
}

}  // namespace

void staged_upload(const StreamPointer& stream, const AnyView& from, const AnyMutableView& to,
                   const CopyLimits& limits) {
  Ring ring(stream, from.info(), limits);
  const Chunks& chunks = ring.chunks();
  const std::function<void(int)> fill = [&](int index) {
    copy_samples_past_cache(chunks.at(index).of(from), ring.at(index));
  };
  ChunkQueue queue(chunks.count());
  queue.allow(ring.slots());
  const bool reuses = chunks.count() > ring.slots();
  int arrived = 0;
  const auto free_slots = [&](int sent) {
    while (arrived < sent && ring.has_arrived(arrived)) queue.allow(++arrived + ring.slots());
  };
  with_helpers(ring, queue, fill, [&] {
    for (int index = 0; index < chunks.count(); ++index) {
      while (!queue.finished(index)) {
        if (reuses) free_slots(index);
        queue.help_or_yield(index + 1, fill);
      }
      copy_plane(*stream, ring.at(index), chunks.at(index).of(to));
      if (reuses) ring.mark(index);
    }
  });
}

void staged_download(const StreamPointer& stream, const AnyView& from, const AnyMutableView& to,
                     const CopyLimits& limits) {
  Ring ring(stream, from.info(), limits);
  const Chunks& chunks = ring.chunks();
  const bool large = bytes_of(from.info()) >= kLargeBytes;
  const std::function<void(int)> empty = [&](int index) {
    if (large)
      copy_samples_past_cache(ring.at(index), chunks.at(index).of(to));
    else
      copy_samples(ring.at(index), chunks.at(index).of(to));
  };
  ChunkQueue queue(chunks.count());
  int sent = 0, arrived = 0;
  const auto send = [&] {
    for (; sent < chunks.count() && (sent < ring.slots() || queue.finished(sent - ring.slots()));
         ++sent) {
      copy_plane(*stream, chunks.at(sent).of(from), ring.at(sent));
      ring.mark(sent);
    }
  };
  // Nobody is kept waiting for the work before the copy, except this thread.
  send();
  ring.wait(0);
  with_helpers(ring, queue, empty, [&] {
    while (!queue.all_finished()) {
      send();
      while (arrived < sent && ring.has_arrived(arrived)) queue.allow(++arrived);
      queue.help_or_yield(chunks.count(), empty);
    }
  });
}

}  // namespace tessera::cuda
