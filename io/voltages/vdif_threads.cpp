// SPDX-License-Identifier: Apache-2.0
#include "io/voltages/vdif_threads.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "core/counted.hpp"
#include "io/voltages/voltage_reader.hpp"

namespace tessera {
namespace {

/// The number of times that are searched for threads: some may be missing at the first one.
constexpr std::size_t kTimes = 4;
constexpr long long kMostFrames = 1 << 20;

using Time = std::pair<long long, long long>;
Time time_of(const VdifHeader& header) { return {header.time(), header.frame}; }

VdifHeader first_vdif_header(VoltageInput& input) {
  unsigned char bytes[kVdifHeaderBytes] = {};
  const long long got = input.available(0, kVdifHeaderBytes);
  input.read_all(0, bytes, got);
  const VdifHeader header = parse_vdif_header(bytes);
  if (got < 24)
    throw voltage_error(input.name(), "it has {}; a VDIF frame has at least 24",
                        counted(got, "byte"));
  check_vdif_header(input.name(), 0, header);
  if (const long long there = input.available(0, header.frame_bytes); there < header.frame_bytes)
    throw voltage_error(input.name(), "its first VDIF frame has {} of its {} bytes", there,
                        header.frame_bytes);
  return header;
}

/// Nothing if there is no whole frame, or none of this recording: reading will report that.
std::optional<VdifHeader> header_at(VoltageInput& input, const VdifHeader& first, long long number,
                                    bool held) {
  const long long offset = number * first.frame_bytes;
  if (held && input.available(0, offset + first.frame_bytes) < offset + first.frame_bytes)
    return std::nullopt;
  unsigned char bytes[kVdifHeaderBytes] = {};
  const long long wanted = first.header_bytes();
  if (input.read_some(offset, bytes, wanted) < wanted) return std::nullopt;
  const VdifHeader header = parse_vdif_header(bytes);
  if (!vdif_difference(first, header).empty()) return std::nullopt;
  return header;
}

// The file may begin in the middle of a second, but that second ends with its last frame.
long long frames_by_looking(VoltageInput& input, const VdifHeader& first) {
  if (input.is_pipe()) return 0;
  long long most = first.frame;
  for (long long number = 1; number < kMostFrames; ++number) {
    const auto header = header_at(input, first, number, false);
    if (!header) return 0;
    if (header->time() > first.time()) return most + 1;
    most = std::max(most, header->frame);
  }
  return 0;
}

}  // namespace

VdifThreads find_vdif_threads(VoltageInput& input) {
  VdifThreads found{first_vdif_header(input)};
  const VdifHeader first = found.first;
  std::set<int> threads{first.thread};
  std::set<Time> times{time_of(first)};
  for (long long number = 1; number < kMostFrames; ++number) {
    const auto header = header_at(input, first, number, input.is_pipe());
    if (!header) break;
    times.insert(time_of(*header));
    if (times.size() > kTimes) break;
    threads.insert(header->thread);
    if (time_of(*header) < time_of(found.first)) {
      found.first.epoch = header->epoch;
      found.first.seconds = header->seconds;
      found.first.frame = header->frame;
    }
  }
  found.threads.assign(threads.begin(), threads.end());
  const double said = first.rate / static_cast<double>(first.samples());
  if (said >= 1 && std::abs(said - std::round(said)) < 1e-6)
    found.frames_a_second = std::llround(said);
  else
    found.frames_a_second = frames_by_looking(input, first);
  return found;
}

}  // namespace tessera
