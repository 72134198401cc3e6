// SPDX-License-Identifier: Apache-2.0
// Benchmarks of copies between ordinary memory and a device, by size, chunk and threads: what a
// call with arrays of the host waits for. of_peak is the share of the rate of page-locked memory.
#include <fmt/format.h>

#include <cstring>
#include <vector>

#include "core/device.hpp"
#include "core/parallel.hpp"
#include "study/bench_case.hpp"

namespace tessera {
namespace {

enum class Way { up, down, both };
constexpr const char* kWays[] = {"up", "down", "both"};

/// One block of ordinary memory, its copy on the device, and a stream of its own.
struct Lane {
  Stream stream{0};
  std::vector<unsigned char> host;
  Scratch memory;
  AnyMutableView here, there;

  Lane(int bytes, const CopyLimits& limits)
      : host(static_cast<std::size_t>(bytes)), memory(stream.scratch(host.size())) {
    for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<unsigned char>(i * 31 >> 4);
    here = packed(host.data(), {bytes, 1});
    there = packed(memory.as<unsigned char>(), {bytes, 1}, 0);
    device_stream(stream).limit_copies(limits);
  }
  void copy(bool up) {
    if (up)
      device_stream(stream).copy(here, there);
    else
      device_stream(stream).copy(there, here);
    stream.wait();
  }
};

/// Every byte must come back before the clock starts.
bool comes_back(Lane& lane) {
  const std::vector<unsigned char> sent = lane.host;
  lane.copy(true);
  std::memset(lane.host.data(), 0, lane.host.size());
  lane.copy(false);
  return lane.host == sent;
}

void add(Way way, int mebibytes, int chunk_kibibytes, int threads) {
  const std::string chunk =
      chunk_kibibytes > 0 ? fmt::format("/chunk:{}K", chunk_kibibytes) : std::string();
  const std::string name =
      fmt::format("copies/{}/{}M{}{}", kWays[static_cast<int>(way)], mebibytes, chunk,
                  threads > 0 ? fmt::format("/threads:{}", threads) : std::string());
  add_case(name, Backend::cuda, [=](benchmark::State& state) {
    CopyLimits limits;
    limits.threads = threads;
    limits.chunk_bytes = static_cast<std::size_t>(chunk_kibibytes) << 10;
    const int bytes = mebibytes << 20;
    Lane first(bytes, limits), second(bytes, limits);
    if (!comes_back(first) || !comes_back(second))
      return state.SkipWithError("a copy changed bytes");
    const DeviceCeilings& peak = measure_device(0);
    const double rate = way == Way::down ? peak.download_pinned : peak.upload_pinned;
    time_work(state, "bytes", way == Way::both ? 2.0 * bytes : bytes,
              way == Way::both ? 2 * rate : rate, [&] {
                if (way != Way::both) return first.copy(way == Way::up);
                run_at_once(2, 2, [&](int i) { (i == 0 ? first : second).copy(i == 0); });
              });
  });
}

const bool registered = [] {
  for (const Way way : {Way::up, Way::down, Way::both}) {
    for (const int mebibytes : {1, 4, 16, 32, 64, 256}) add(way, mebibytes, 0, 0);
    for (const int mebibytes : {16, 64})
      for (const int chunk : {128, 256, 512, 1024, 2048}) add(way, mebibytes, chunk, 0);
    for (const int threads : {1, 4, 8}) add(way, 64, 0, threads);
  }
  return true;
}();

}  // namespace
}  // namespace tessera
