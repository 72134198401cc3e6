// SPDX-License-Identifier: Apache-2.0
// ci8 and ci4 by the tile kernels: samples in place if a kernel can read them, otherwise packed in
// parts.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "core/kernel.hpp"
#include "ops/xengine/cuda/xengine_cuda.hpp"
#include "ops/xengine/cuda/xengine_pack_cuda.hpp"
#include "ops/xengine/cuda/xengine_tiles_cuda.hpp"

namespace tessera {
namespace {

/// Samples in time per launch: whole groups, and never more than int32 sums can hold.
constexpr int kMostSamples = samples_in_int32(SampleType::ci8) / kXEngineGroup * kXEngineGroup;
/// Memory for packed samples at a time. Smaller parts would stay in the cache, but have too few
/// tiles for a device: 8 channels of 256 antennas have 80.
constexpr long long kPackedBytes = 512LL << 20;

class XEngineTilesRunner : public XEngineCudaRunner {
 public:
  XEngineTilesRunner(const XEngineProblem& problem, TileKernel kernel)
      : XEngineCudaRunner(problem), kernel_(kernel) {}

 protected:
  void multiply(XEngineDeviceSums& sums, const XEngineSamples& samples,
                const XEngineRoom& room) const override {
    XEngineTiles tiles = tiles_of(samples);
    if (lies_as_read(samples, tiles)) return multiply_in_place(sums, samples, tiles);
    multiply_packed(sums, samples, tiles, room.bytes());
  }

 private:
  XEngineTiles tiles_of(const XEngineSamples& s) const {
    const bool grouped = s.group == kXEngineGroup;
    return {.samples = s.data,
            .channels = s.channels,
            .inputs = s.inputs,
            .polarisations = s.polarisations,
            .length = s.samples,
            .grouped = grouped,
            .channel_step = s.channel,
            .time_step = grouped ? s.group_step : s.time};
  }

  bool lies_as_read(const XEngineSamples& s, const XEngineTiles& tiles) const {
    if (problem().options.samples != SampleType::ci8 || s.valid || s.offset_binary ||
        s.imaginary != 1)
      return false;
    const long long input = tiles.grouped ? 2 * kXEngineGroup : 2;
    const bool side_by_side = (s.polarisations == 1 || s.polarisation == input) &&
                              (s.inputs == s.polarisations || s.antenna == input * s.polarisations);
    if (!side_by_side) return false;
    if (!tiles.grouped) return s.group >= s.samples && takes_strided(tiles);
    return s.time == 2 && s.samples % kXEngineGroup == 0 && s.channel % 16 == 0 &&
           s.group_step % 16 == 0 && reinterpret_cast<std::uintptr_t>(s.data) % 16 == 0;
  }

  void multiply_in_place(XEngineDeviceSums& sums, const XEngineSamples& s,
                         XEngineTiles tiles) const {
    for (long long first = 0; first < s.samples; first += kMostSamples) {
      tiles.length = std::min<long long>(kMostSamples, s.samples - first);
      tiles.samples = s.data + (tiles.grouped ? first / kXEngineGroup : first) * tiles.time_step;
      const XEngineDeviceSums::Target target = sums.narrow(tiles.length);
      tiles.sums = static_cast<int*>(target.sums);
      tiles.add = target.add;
      run_tiles(kernel_, tiles, sums.stream());
    }
  }

  void multiply_packed(XEngineDeviceSums& sums, const XEngineSamples& s, XEngineTiles tiles,
                       long long room) const {
    const Part part = part_of(s, std::min(room, kPackedBytes));
    const long long bytes = part.groups * 2LL * kXEngineGroup * s.inputs * part.channels;
    const Scratch packed = sums.stream().scratch(static_cast<std::size_t>(bytes));
    XEnginePackArgs args{s, 0, 0, 0, packed.as<unsigned char>()};
    for (; args.first < s.samples; args.first += args.count) {
      args.count = static_cast<int>(std::min(part.groups * kXEngineGroup, s.samples - args.first));
      const XEngineDeviceSums::Target target = sums.narrow(args.count);
      tiles.add = target.add;
      for (int c = 0; c < s.channels; c += part.channels) {
        tiles.sums = static_cast<int*>(target.sums) + 2LL * c * problem().shape.values();
        tiles.channels = std::min(part.channels, s.channels - c);
        args.first_channel = c;
        run_packed(args, tiles, sums.stream());
      }
    }
  }

  /// The part that is packed at a time. The sums of its first channel must be aligned to 16 bytes.
  struct Part {
    long long groups;
    int channels;
  };
  Part part_of(const XEngineSamples& s, long long bytes) const {
    const long long group = 2LL * kXEngineGroup * s.inputs;
    const int step = problem().shape.values() % 2 == 0 ? 1 : 2;
    const long long longest = std::min<long long>(kMostSamples, s.samples + kXEngineGroup - 1);
    const long long groups =
        std::clamp<long long>(bytes / (group * step), 1, longest / kXEngineGroup);
    const long long room = std::min<long long>(bytes / (groups * group), kMostBlocks);
    const int fit = static_cast<int>(std::max<long long>(1, room / step)) * step;
    const int parts = (s.channels - 1) / fit + 1, channels = (s.channels - 1) / parts + 1;
    return {groups, (channels + step - 1) / step * step};
  }

  void run_packed(const XEnginePackArgs& args, XEngineTiles tiles, Stream& stream) const {
    pack_samples(args, problem().options.samples, tiles.channels, stream);
    tiles.samples = args.packed;
    tiles.length = 1LL * args.groups() * kXEngineGroup;
    tiles.grouped = true;
    tiles.channel_step = args.channel_bytes();
    tiles.time_step = args.group_bytes();
    run_tiles(kernel_, tiles, stream);
  }

  TileKernel kernel_;
};

std::string why_no_tiles(const XEngineProblem& p, TileKernel kernel) {
  if (p.options.samples != SampleType::ci8 && p.options.samples != SampleType::ci4)
    return fmt::format("it is for ci8 and ci4, and samples are {}", name_of(p.options.samples));
  if (std::string reason = why_no_device(p.device); !reason.empty()) return reason;
  return why_no_tile_kernel(kernel, p.device);
}

}  // namespace

std::string why_no_xengine_wgmma(const XEngineProblem& p) {
  return why_no_tiles(p, TileKernel::wgmma);
}
std::string why_no_xengine_mma(const XEngineProblem& p) { return why_no_tiles(p, TileKernel::mma); }
std::string why_no_xengine_dp4a(const XEngineProblem& p) {
  return why_no_tiles(p, TileKernel::dp4a);
}

XEngineRunnerPointer make_xengine_wgmma(const XEngineProblem& p) {
  return std::make_unique<XEngineTilesRunner>(p, TileKernel::wgmma);
}
XEngineRunnerPointer make_xengine_mma(const XEngineProblem& p) {
  return std::make_unique<XEngineTilesRunner>(p, TileKernel::mma);
}
XEngineRunnerPointer make_xengine_dp4a(const XEngineProblem& p) {
  return std::make_unique<XEngineTilesRunner>(p, TileKernel::dp4a);
}

}  // namespace tessera
