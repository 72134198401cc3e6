// SPDX-License-Identifier: Apache-2.0
#include "ops/xengine/track/cuda/xengine_track_cuda.hpp"

#include <algorithm>

#include "core/device.hpp"
#include "core/kernel.hpp"
#include "tessera/image.hpp"

namespace tessera {
namespace {

static_assert(kXEngineTrackTaps == kFringeTaps && kXEngineTrackLanes == kFringeLanes);

/// The memory of samples and outputs on the device at a time; channels are independent.
constexpr long long kMostBytes = 1LL << 28;

/// A packed row of values, on the host or the device.
AnyMutableView row_of(void* data, long long floats, int device) {
  return packed(data, {{static_cast<int>(floats), 1}, Type::f32, device});
}

/// Rows of the window from a sample on, a row per part of an input.
AnyView rows_of_window(const FringeStretch& of, int channel, int channels, long long length) {
  const long long first = of.next - of.halo;
  const float* const re = of.window.re(channel, 0, first);
  AnyView view;
  view.data = re;
  view.type = Type::f32;
  view.size = {static_cast<int>(length), 2 * channels * of.setup.shape.inputs(), 1, 1};
  view.pixel = 1;
  view.row = of.window.im(channel, 0, first) - re;
  view.plane = view.row * view.size.height;
  return view;
}

/// A list in memory of the device.
template <class T>
class DeviceList {
 public:
  DeviceList(const std::vector<T>& list, Stream& stream)
      : memory_(stream.scratch(std::max<std::size_t>(1, list.size()) * sizeof(T))) {
    const auto floats = static_cast<long long>(list.size() * sizeof(T) / sizeof(float));
    if (list.empty()) return;
    AnyView from = row_of(const_cast<T*>(list.data()), floats, kHost);
    device_stream(stream).copy(from, row_of(memory_.data(), floats, stream.device()));
  }
  const T* data() const { return static_cast<const T*>(memory_.data()); }

 private:
  Scratch memory_;
};

}  // namespace

XEngineTrackArgs fringe_args(const FringeStretch& of) {
  const auto whole_runs = [&](long long sample) {
    return (sample >= 0 ? sample : sample - of.run + 1) / of.run * of.run;
  };
  XEngineTrackArgs args{};
  args.length = of.count + 2 * of.halo;
  args.next = of.next;
  args.count = of.count;
  args.first_run = whole_runs(of.next);
  args.runs = (of.next + of.count - 1 - args.first_run) / of.run + 1;
  args.first_knot = of.knots.front().first;
  args.knot = of.knot;
  args.inputs = of.setup.shape.inputs();
  args.polarisations = of.setup.shape.polarisations;
  args.run = static_cast<int>(of.run);
  return args;
}

long long fringe_blocks(const XEngineTrackArgs& args, int threads) {
  const long long quads = (args.run + kXEngineTrackLanes - 1) / kXEngineTrackLanes;
  return (quads * args.runs * args.inputs - 1) / threads + 1;
}

FringeTables fringe_tables(const FringeStretch& of, int first_channel, int channels) {
  const XEngineTrackArgs args = fringe_args(of);
  FringeTables tables;
  for (const FringeKnot& knot : of.knots)
    for (const FringeDelay& delay : knot.antennas) {
      tables.place.push_back(of.setup.shift ? delay.whole + 1 - kFringeTaps / 2 + of.halo
                                            : of.halo);
      if (of.setup.shift)
        tables.taps.insert(tables.taps.end(), delay.taps.begin(), delay.taps.end());
    }
  for (int c = first_channel; c < first_channel + channels; ++c) {
    const double frequency = of.setup.frequency[static_cast<std::size_t>(c)];
    for (int a = 0; a < of.setup.shape.antennas; ++a)
      for (long long r = 0; r < args.runs; ++r) {
        const long long start = args.first_run + r * args.run;
        const auto k = static_cast<std::size_t>((start - args.first_knot) / args.knot);
        const FringeDelay& delay = of.knots[k].antennas[static_cast<std::size_t>(a)];
        const auto since = static_cast<double>(start - of.knots[k].first);
        const FringeTurns turns =
            fringe_turns(frequency * (delay.first + delay.step * since), frequency * delay.step);
        tables.starts.insert(tables.starts.end(), turns.re.begin(), turns.re.end());
        tables.starts.insert(tables.starts.end(), turns.im.begin(), turns.im.end());
        tables.starts.insert(tables.starts.end(), {turns.next_re, turns.next_im});
      }
  }
  return tables;
}

void FringeDevice::turn(const FringeStretch& of, float* out) {
  const XEngineShape& shape = of.setup.shape;
  XEngineTrackArgs args = fringe_args(of);
  const long long bytes = 8LL * shape.inputs() * (args.length + args.count);
  const int at_once = static_cast<int>(std::clamp<long long>(kMostBytes / bytes, 1, kMostBlocks));
  const GpuKernel& kernel =
      find_kernel(stream_.device(), {"xengine_track", "xengine_track_runs", "", ""});
  constexpr int kThreads = XEngineTrackKnobs().threads;
  for (int first = 0; first < shape.channels; first += at_once) {
    const int channels = std::min(at_once, shape.channels - first);
    const FringeTables tables = fringe_tables(of, first, channels);
    const DeviceList taps(tables.taps, stream_);
    const DeviceList place(tables.place, stream_);
    const DeviceList starts(tables.starts, stream_);
    const long long rows = 2LL * channels * shape.inputs(), outputs = rows * args.count;
    const Scratch samples = stream_.scratch(
        sizeof(float) * static_cast<std::size_t>(rows * args.length + 2 * kXEngineTrackSlack));
    const Scratch made = stream_.scratch(sizeof(float) * static_cast<std::size_t>(outputs));
    float* const values = static_cast<float*>(samples.data()) + kXEngineTrackSlack;
    const AnyView from = rows_of_window(of, first, channels, args.length);
    device_stream(stream_).copy(from, packed(values, {from.size, Type::f32, stream_.device()}));
    args.values = values;
    args.taps = of.setup.shift ? taps.data() : nullptr;
    args.place = place.data();
    args.starts = starts.data();
    args.out = static_cast<float*>(made.data());
    kernel.launch(
        stream_,
        {static_cast<unsigned>(fringe_blocks(args, kThreads)), static_cast<unsigned>(channels)},
        {kThreads}, 0, args);
    const ImageInfo there{
        {static_cast<int>(2 * args.count), channels * shape.inputs()}, Type::f32, stream_.device()};
    device_stream(stream_).copy(
        packed(args.out, there),
        packed(out + 2LL * first * shape.inputs() * args.count, {there.size, Type::f32, kHost}));
    stream_.wait();
  }
}

}  // namespace tessera
