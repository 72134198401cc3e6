// SPDX-License-Identifier: Apache-2.0
/// Settings of every job on files, besides its operation's options.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>

#include "tessera/options.hpp"
#include "tessera/stream.hpp"

namespace tessera {

/// A number of bytes as users type it: "500M", "2G", "1.5 GiB"; K, M, G and T count in 1024s.
struct ByteCount {
  static constexpr const char* kHint = "auto|BYTES";
  std::size_t bytes = 0;  ///< 0 is "auto"
  bool operator==(const ByteCount&) const = default;
};
std::string to_text(ByteCount value);
void from_text(std::string_view what, std::string_view text, ByteCount& value);

/// Lanes that work at the same time (core/lanes.hpp): they divide the host's threads and memory,
/// and those on one device its memory.
struct LaneShare {
  int all = 1, on_device = 1;
};

struct RunSettings {
  int threads = 0;
  ByteCount memory_limit;
  int sharers = 1;  ///< jobs at the same time, each with an equal share of threads and memory
  LaneShare lanes;

  static constexpr auto fields() {
    using S = RunSettings;
    return std::tuple{
        field("threads", &S::threads, "CPU threads; 0: as many as the environment allows",
              Range{0}),
        field("memory-limit", &S::memory_limit,
              "memory for strips in flight, such as 500M or 2G; larger images are streamed"),
    };
  }

  /// With this job's share of threads, unless their number is given, and of memory. Throws
  /// Error(usage) for a negative number of threads.
  Stream stream(int device, int own_threads = 0) const;
  /// The most bytes that a reader may keep in memory; 0: the free memory.
  long long reader_bytes() const;
};

}  // namespace tessera
