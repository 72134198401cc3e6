// SPDX-License-Identifier: Apache-2.0
// Benchmarks of enhance: the paper's scan of 8773x5352 pixels by every backend, as a share of
// the memory bandwidth. Bytes are those that must move: the image is read once per sweep and once
// for the result, which is written. Grey need not be read in colour twice.
#include <vector>

#include "core/device.hpp"
#include "core/machine.hpp"
#include "ops/enhance/study/enhance_spot_check.hpp"
#include "sample/scene.hpp"
#include "study/bench_case.hpp"
#include "tessera/enhance.hpp"

namespace tessera {
namespace {

constexpr int kWidth = 8773, kHeight = 5352;
constexpr const char* kChain = "grey,contrast,smooth";

struct Way {
  const char* steps;
  Backend backend;
  int threads = 0;  ///< of the CPU; 0: all
  Type type = Type::u8;
  int channels = 3;
  bool on_device = false;  ///< image and result lie there
};

/// Painted once, for all cases of a type and number of channels.
const Image& scan_of(Type type, int channels) {
  struct Made {
    Type type;
    int channels;
    Image image;
  };
  static std::vector<Made> made;
  for (const Made& one : made)
    if (one.type == type && one.channels == channels) return one.image;
  made.push_back({type, channels, scene({kWidth, kHeight, channels}, 1, type)});
  return made.back().image;
}

/// The chain goes through the image twice, grey in between: 3 + 1 and 1 + 1 samples per pixel.
double bytes_that_move(const Way& way, const Enhance& plan) {
  const double read = static_cast<double>(bytes_of(plan.input()));
  const double written = static_cast<double>(bytes_of(plan.output()));
  const bool fused_twice = plan.sweeps() > 0 && way.steps == std::string(kChain);
  return fused_twice ? read + 3 * written : read * (1 + plan.sweeps()) + written;
}

double copy_peak(const Way& way, const Enhance& plan) {
  return plan.device() != kHost ? measure_device(plan.device()).copy_bytes
         : way.threads == 1     ? measure_cpu().copy_bytes_one
                                : measure_cpu().copy_bytes_all;
}

/// Memory on the plan's device for an image, if the case wants it there.
struct OnDevice {
  Scratch memory;
  AnyMutableView view;
  OnDevice(ImageInfo info, Stream& stream)
      : memory(stream.scratch(static_cast<std::size_t>(bytes_of(info)))) {
    info.device = stream.device();
    view = packed(memory.data(), info);
  }
};

void time_resident(benchmark::State& state, const Way& way, const Image& in, Image& out) {
  Stream stream(0);
  const OnDevice given(in.info(), stream), made(out.info(), stream);
  device_stream(stream).copy(in.view(), given.view);
  const Enhance plan(given.view.info(), {.steps = way.steps, .backend = way.backend});
  const auto work = [&] {
    plan(given.view, made.view, stream);
    stream.wait();
  };
  work();
  device_stream(stream).copy(made.view, out.view());
  stream.wait();
  if (!EnhanceSpotCheck(in.view(), way.steps).agrees(out.view()))
    return state.SkipWithError("differs from the reference");
  time_work(state, "bytes", bytes_that_move(way, plan), copy_peak(way, plan), work);
  state.SetLabel(plan.describe());
}

void time_on_host(benchmark::State& state, const Way& way, const Image& in, Image& out) {
  const Enhance plan(in.info(), {.steps = way.steps, .backend = way.backend});
  Stream stream(plan.device(), way.threads);
  const auto work = [&] {
    plan(in.view(), out.view(), stream);
    stream.wait();
  };
  work();
  // A fast wrong answer is not a result: compare first, time afterwards.
  if (!EnhanceSpotCheck(in.view(), way.steps).agrees(out.view()))
    return state.SkipWithError("differs from the reference");
  time_work(state, "bytes", bytes_that_move(way, plan), copy_peak(way, plan), work);
  state.SetLabel(plan.describe());
}

/// Page-locked images are uploaded, processed and downloaded, each on its own stream, in turn: the
/// download of one image overlaps the upload of the next. A share of 1 is the upload alone.
void time_images_in_turn(benchmark::State& state) {
  constexpr int kStreams = 3, kImages = 12;
  const Way way{.steps = kChain, .backend = Backend::cuda};
  const Image& scan = scan_of(way.type, way.channels);
  const Enhance plan(scan.info(), {.steps = kChain, .backend = Backend::cuda});
  std::vector<Stream> streams;
  std::vector<Scratch> memory;
  std::vector<AnyMutableView> in, out;
  const auto pinned = [&](const ImageInfo& info) {
    memory.push_back(streams.back().pinned_scratch(static_cast<std::size_t>(bytes_of(info))));
    return packed(memory.back().data(), info);
  };
  for (int k = 0; k < kStreams; ++k) {
    streams.emplace_back(plan.device());
    in.push_back(pinned(plan.input()));
    out.push_back(pinned(plan.output()));
    copy_samples(scan.view(), in.back());
  }
  const auto work = [&] {
    for (int image = 0; image < kImages; ++image) {
      const auto k = static_cast<std::size_t>(image % kStreams);
      plan(in[k], out[k], streams[k]);
    }
    for (Stream& stream : streams) stream.wait();
  };
  work();
  const EnhanceSpotCheck check(scan.view(), kChain);
  for (const AnyMutableView& made : out)
    if (!check.agrees(made)) return state.SkipWithError("differs from the reference");
  time_work(state, "bytes", kImages * static_cast<double>(bytes_of(plan.input())),
            measure_device(plan.device()).upload_pinned, work);
  state.SetLabel(plan.describe());
}

void time_one_image(benchmark::State& state, const Way& way) {
  const Image& in = scan_of(way.type, way.channels);
  const Enhance shape(in.info(), {.steps = way.steps, .backend = Backend::cpu});
  Image out(shape.output());
  way.on_device ? time_resident(state, way, in, out) : time_on_host(state, way, in, out);
}

void add_backends(const std::string& name, Way way) {
  for (const auto& [ending, backend, threads, on_device] :
       {std::tuple{"/cpu/one-thread", Backend::cpu, 1, false},
        {"/cpu", Backend::cpu, 0, false},
        {"/cuda/resident", Backend::cuda, 0, true},
        {"/cuda/host-to-host", Backend::cuda, 0, false}}) {
    way.backend = backend;
    way.threads = threads;
    way.on_device = on_device;
    add_case("enhance/" + name + ending, backend,
             [way](benchmark::State& state) { time_one_image(state, way); });
  }
}

const bool registered = [] {
  add_case("enhance/chain/u8x3/cuda/12-pinned-in-turn", Backend::cuda, time_images_in_turn);
  add_backends("chain/u8x3", {.steps = kChain, .backend = Backend::cpu});
  add_backends("chain/u16x3", {.steps = kChain, .backend = Backend::cpu, .type = Type::u16});
  add_backends("grey/u8x3", {.steps = "grey", .backend = Backend::cpu});
  for (const char* step : {"contrast", "equalise", "smooth", "clahe"})
    add_backends(std::string(step) + "/u8x1",
                 {.steps = step, .backend = Backend::cpu, .channels = 1});
  return true;
}();

}  // namespace
}  // namespace tessera
