// SPDX-License-Identifier: Apache-2.0
#include "ops/xengine/cuda/xengine_cuda.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/pools.hpp"
#include "ops/xengine/cuda/xengine_gather.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// Pieces of host blocks need not be larger: their copy takes a millisecond, and the next one is
/// made in the meantime.
constexpr long long kMostPieceBytes = 64LL << 20;
/// Two pieces on the device, and as much again for their packed samples and for pieces that wait.
constexpr long long kShareOfLimit = 4;
/// To kernels, time with one step is a single group; steps of 2^26 groups are counted in long long.
constexpr int kOneGroup = 1 << 26;

XEngineDeviceSums& device_sums(XEngineSums& sums) { return static_cast<XEngineDeviceSums&>(sums); }

bool is_aligned(const VoltageBlock& block, long long part) {
  const VoltageLayout& l = block.layout;
  return reinterpret_cast<std::uintptr_t>(block.data) % static_cast<std::uintptr_t>(part) == 0 &&
         std::ranges::all_of(std::initializer_list<long long>{l.channel, l.antenna, l.polarisation,
                                                              l.time, l.group_step, l.imaginary},
                             [&](long long step) { return step % part == 0; });
}

/// Samples of a piece of a host block.
long long samples_a_piece(const XEngineProblem& p, std::size_t limit) {
  const long long one = 1LL * p.shape.inputs() * p.shape.channels * bytes_of(p.options.samples);
  const long long room = static_cast<long long>(limit) / kShareOfLimit;
  if (one > room)
    throw Error(ErrorKind::resources,
                fmt::format("xengine: {} on device {} is too little, one sample in time takes {}; "
                            "give a larger memory limit or backend cpu",
                            bytes_text(static_cast<double>(limit)), p.device,
                            bytes_text(static_cast<double>(kShareOfLimit * one))));
  const long long most = std::max(1LL, std::min(room, kMostPieceBytes) / one);
  return most >= 16 ? most / 16 * 16 : most;
}

/// Makes a stream wait for another, whatever happens: memory of the first is used there.
class WaitsAtTheEnd {
 public:
  WaitsAtTheEnd(Stream& stream, Stream& other) : stream_(stream), other_(other) {}
  WaitsAtTheEnd(const WaitsAtTheEnd&) = delete;
  WaitsAtTheEnd& operator=(const WaitsAtTheEnd&) = delete;
  ~WaitsAtTheEnd() {
    try {
      stream_.after(other_);
    } catch (...) {  // the device is lost, and the memory with it
    }
  }

 private:
  Stream &stream_, &other_;
};

/// The caller may change its samples when this returns.
void upload(const XEngineGather& gather, void* there, Stream& lane, int threads) {
  if (const void* block = gather.in_place()) {
    copy_bytes(block, kHost, there, lane.device(), gather.bytes(), lane);
    return lane.wait();
  }
  const Scratch staged = lane.pinned_scratch(gather.bytes());
  gather.copy(staged.data(), threads);
  copy_bytes(staged.data(), kHost, there, lane.device(), gather.bytes(), lane);
}

/// The mask on the device; the caller may free its own.
Scratch upload_mask(const VoltageBlock& block, Stream& stream) {
  if (block.valid.empty()) return {};
  const std::size_t bytes = block.valid.size();
  Scratch there = stream.scratch(bytes);
  const Scratch staged = stream.pinned_scratch(bytes);
  std::memcpy(staged.data(), block.valid.data(), bytes);
  copy_bytes(staged.data(), kHost, there.data(), stream.device(), bytes, stream);
  return there;
}

}  // namespace

std::unique_ptr<XEngineSums> XEngineCudaRunner::start() const {
  return std::make_unique<XEngineDeviceSums>(problem_);
}

XEngineSamples samples_of(const XEngineProblem& problem, const VoltageBlock& block,
                          const unsigned char* valid, long long valid_first) {
  const VoltageLayout& l = block.layout;
  const XEngineShape& shape = problem.shape;
  const bool one_step = l.group == 1 || l.group >= block.samples;
  const long long time = l.group == 1 ? l.group_step : l.time;
  return {.data = static_cast<const unsigned char*>(block.data),
          .channel = l.channel,
          .antenna = l.antenna,
          .polarisation = l.polarisation,
          .time = time,
          .group_step = one_step ? kOneGroup * time : l.group_step,
          .imaginary = l.imaginary,
          .group = one_step ? kOneGroup : l.group,
          .channels = shape.channels,
          .inputs = shape.inputs(),
          .polarisations = shape.polarisations,
          .samples = block.samples,
          .offset_binary = problem.options.offset_binary,
          .real_low = problem.options.real_low,
          .aligned = is_aligned(block, std::max(1, bytes_of(problem.options.samples) / 2)),
          .valid = valid,
          .valid_samples = block.valid_samples,
          .valid_first = valid_first};
}

/// A piece is uploaded on one of two lanes while those before it are multiplied.
void XEngineCudaRunner::add_host(XEngineDeviceSums& sums, const VoltageBlock& block,
                                 const unsigned char* valid, Stream& stream) const {
  const long long most = samples_a_piece(problem_, stream.memory_limit());
  for (long long first = 0, count; first < block.samples; first += count) {
    count = piece_samples(block.layout, block.samples, first, most);
    const XEngineGather gather(problem_.shape, problem_.options.samples, block, first, count);
    Stream& lane = sums.next_lane();
    const Scratch there = lane.scratch(gather.bytes());
    upload(gather, there.data(), lane, stream.threads());
    sums.stream().after(lane);
    const VoltageBlock piece{.data = there.data(),
                             .samples = count,
                             .layout = gather.layout(),
                             .device = lane.device(),
                             .valid = {},
                             .valid_samples = block.valid_samples};
    const WaitsAtTheEnd lane_waits(lane, sums.stream());
    multiply(sums, samples_of(problem_, piece, valid, first), {stream, kShareOfLimit});
    sums.position += count;
  }
}

void XEngineCudaRunner::add(XEngineSums& all, const VoltageBlock& block, Stream& stream) const {
  XEngineDeviceSums& sums = device_sums(all);
  const Scratch mask = upload_mask(block, sums.stream());
  const WaitsAtTheEnd caller_waits(stream, sums.stream());
  if (block.device == kHost) {
    add_host(sums, block, mask.as<unsigned char>(), stream);
  } else {
    sums.stream().after(stream);
    multiply(sums, samples_of(problem_, block, mask.as<unsigned char>(), 0), {stream, 1});
  }
}

long long XEngineCudaRunner::dump(XEngineSums& sums, VisibilityView out, Stream& stream) const {
  return device_sums(sums).dump(out, stream);
}

void XEngineCudaRunner::clear(XEngineSums& sums, Stream&) const { device_sums(sums).clear(); }

std::string XEngineCudaRunner::describe() const {
  return fmt::format("device {}", problem_.device);
}

}  // namespace tessera
