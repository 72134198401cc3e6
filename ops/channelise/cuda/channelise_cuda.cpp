// SPDX-License-Identifier: Apache-2.0
// The fft method on a device: samples and mask there, kernels, spectra back.
#include "ops/channelise/cuda/channelise_cuda.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/device.hpp"
#include "core/kernel.hpp"
#include "core/resident.hpp"
#include "ops/channelise/channelise_blocks.hpp"
#include "ops/channelise/cuda/channelise_transfer.hpp"

namespace tessera {
namespace {

/// Kernels for one length take some seconds to compile once; with fewer values per typical call
/// that does not pay.
constexpr double kEnoughValues = 1 << 20;
/// Taps whose coefficients a thread of such a kernel keeps in registers.
constexpr int kMostUnrolled = 16;

/// Enqueues a copy of bytes between host and device.
void copy_channelise_bytes(const void* from, int from_device, void* to, int to_device,
                           std::size_t bytes, Stream& stream) {
  constexpr std::size_t kMost = std::size_t{1} << 30;  // sizes of images are int
  for (std::size_t at = 0; at < bytes; at += kMost) {
    const Size size{static_cast<int>(std::min(kMost, bytes - at))};
    device_stream(stream).copy(
        packed(static_cast<const unsigned char*>(from) + at, size, from_device),
        packed(static_cast<unsigned char*>(to) + at, size, to_device));
  }
}

/// Two counts on the device. They belong to a stream that waits for the work of all others.
class ChanneliseDeviceTally : public ChanneliseTally {
 public:
  explicit ChanneliseDeviceTally(int device) : device_(device) {}
  /// For work on a stream, to be followed by `used`.
  unsigned long long* counts(Stream& stream) {
    if (!own_) {
      own_.emplace(device_);
      memory_ = own_->scratch(sizeof(zero_));
      clear();
    }
    stream.after(*own_);
    return memory_.as<unsigned long long>();
  }
  void used(Stream& stream) { own_->after(stream); }
  ChanneliseCounts take() {
    if (!own_) return {};
    unsigned long long found[2] = {};
    copy_channelise_bytes(memory_.data(), device_, found, kHost, sizeof(found), *own_);
    own_->wait();
    clear();
    return {static_cast<long long>(found[0]), static_cast<long long>(found[1])};
  }

 private:
  void clear() {
    copy_channelise_bytes(zero_, kHost, memory_.data(), device_, sizeof(zero_), *own_);
  }

  static constexpr unsigned long long zero_[2] = {};
  int device_;
  std::optional<Stream> own_;
  Scratch memory_;
};

class ChanneliseFftCuda : public ChanneliseRunner {
 public:
  explicit ChanneliseFftCuda(const ChanneliseProblem& problem)
      : problem_(problem), on_host_(problem) {
    const int device = problem.device;
    turns_.emplace(device, on_host_.turns);
    if (problem.options.real) half_turns_.emplace(device, on_host_.half_turns);
    filter_.emplace(device, problem.filter);
    gains_.emplace(device, on_host_.gains);
    kernel_ = &find_kernel(device, kernel_name());
  }
  std::unique_ptr<ChanneliseTally> start() const override {
    return std::make_unique<ChanneliseDeviceTally>(problem_.device);
  }
  std::string describe() const override {
    const LineShape shape = channelise_shape(problem_.channels());
    return fmt::format("device {}, {} spectra of {} per block, {}", problem_.device, shape.lines,
                       shape.length, kernel_->origin());
  }

  void run(ChanneliseTally& tally, const ChanneliseCall& call, Stream& stream) const override {
    const Samples samples(*this, call, stream);
    const Scratch mask = upload_mask(call, stream);
    const bool back = call.out.device == kHost;
    const SpectraBlock packed = back ? packed_like(call.out) : call.out;
    const auto bytes = static_cast<std::size_t>(packed_bytes(call.out));
    const Scratch made = back ? stream.scratch(bytes) : Scratch();
    ChanneliseArgs a =
        channelise_args(problem_, samples.here, channelise_places_of(problem_, packed),
                        back ? made.data() : call.out.data, call.out.first, call.out.spectra);
    a.whole = call.whole ? mask.as<unsigned char>() : nullptr;
    launch(a, static_cast<ChanneliseDeviceTally&>(tally), stream);
    if (back) download(made, bytes, call.out, stream);
    if (back || call.in.block.device == kHost) stream.wait();
  }

  ChanneliseCounts take(ChanneliseTally& tally, Stream&) const override {
    return static_cast<ChanneliseDeviceTally&>(tally).take();
  }

 private:
  /// The samples that a call needs, where and as the kernel reads them.
  struct Samples {
    Samples(const ChanneliseFftCuda& of, const ChanneliseCall& call, Stream& stream) {
      const ChanneliseProblem& p = of.problem_;
      const long long first = call.out.first * p.hop - call.in.first,
                      count = (call.out.spectra - 1) * p.hop + p.length();
      here = channelise_samples(p, call.in);
      long long begin = first;
      if (call.in.block.device == kHost) {
        const ChanneliseGather gather(p, call.in, first, count);
        staged = stream.pinned_scratch(gather.bytes());
        gather.copy(staged.data(), stream.threads());
        uploaded = stream.scratch(gather.bytes());
        copy_channelise_bytes(staged.data(), kHost, uploaded.data(), stream.device(),
                              gather.bytes(), stream);
        here = gather.samples(uploaded.data());
        begin = 0;
      }
      if (channelise_reads(p, here)) return;
      ChannelisePackArgs args = channelise_pack_args(p, here, begin, count);
      packed = stream.scratch(channelise_packed_bytes(p, args));
      args.out = packed.as<unsigned char>();
      of.pack(args, stream);
      here = channelise_packed(p, args);
    }
    Scratch staged, uploaded, packed;
    ChanneliseSamples here;
  };

  /// Lines as rows of a grid, at most kMostBlocks at a time.
  template <class Launch>
  static void each_lines(int lines, Launch launch) {
    for (int first = 0; first < lines; first += kMostBlocks)
      launch(first, std::min(kMostBlocks, lines - first));
  }

  void pack(const ChannelisePackArgs& args, Stream& stream) const {
    std::string type(name_of(problem_.options.samples));
    if (problem_.options.real) type.erase(0, 1);  // "ci8" is "i8"
    const GpuKernel& kernel =
        find_kernel(problem_.device, {"channelise_pack", "channelise_pack_" + type, "", ""});
    const auto across = static_cast<unsigned>((args.count - 1) / kChannelisePackTile + 1);
    const int tiles = (args.inputs - 1) / kChannelisePackTile + 1;
    const int most = std::max(1, kMostBlocks / tiles);
    for (int coarse = 0; coarse < problem_.shape.channels; coarse += most) {
      const int here = std::min(most, problem_.shape.channels - coarse);
      ChannelisePackArgs part = args;
      part.samples.data += coarse * args.samples.places.channel;
      part.out += coarse * channelise_packed(problem_, args).places.channel;
      kernel.launch(stream, {across, static_cast<unsigned>(here * tiles)}, {kChannelisePackThreads},
                    kChannelisePackShared, part);
    }
  }

  Scratch upload_mask(const ChanneliseCall& call, Stream& stream) const {
    if (!call.whole) return {};
    const auto bytes = static_cast<std::size_t>(call.out.spectra) *
                       static_cast<std::size_t>(problem_.shape.inputs());
    Scratch there = stream.scratch(bytes);
    copy_channelise_bytes(call.whole, kHost, there.data(), stream.device(), bytes, stream);
    return there;
  }

  void launch(ChanneliseArgs a, ChanneliseDeviceTally& tally, Stream& stream) const {
    a.turns = turns_->as<LineValue>();
    a.half_turns = half_turns_ ? half_turns_->as<LineValue>() : nullptr;
    a.filter = filter_->as<float>();
    a.gains = gains_->as<float>();
    a.counts = tally.counts(stream);
    const auto groups = static_cast<unsigned>((a.spectra - 1) / a.shape.lines + 1);
    each_lines(problem_.shape.channels * problem_.shape.inputs(), [&](int first, int count) {
      a.first_line = first;
      kernel_->launch(stream, {groups, static_cast<unsigned>(count)}, {kLineThreads},
                      line_fft_bytes(a.shape), a);
    });
    for (const std::optional<Resident>* table : {&turns_, &half_turns_, &filter_, &gains_})
      if (*table) (*table)->used_by(stream);
    tally.used(stream);
  }

  SpectraBlock packed_like(const SpectraBlock& out) const {
    XEngineShape shape = problem_.shape;
    shape.channels = problem_.outputs();
    SpectraBlock block = out;
    block.layout = voltage_layout("cit", shape, problem_.options.output_type, out.spectra);
    return block;
  }
  long long packed_bytes(const SpectraBlock& out) const {
    return out.spectra * problem_.outputs() * problem_.shape.inputs() *
           bytes_of(problem_.options.output_type);
  }
  void download(const Scratch& made, std::size_t bytes, const SpectraBlock& out,
                Stream& stream) const {
    const Scratch staged = stream.pinned_scratch(bytes);
    copy_channelise_bytes(made.data(), stream.device(), staged.data(), kHost, bytes, stream);
    stream.wait();
    scatter_spectra(problem_, staged.data(), out, stream.threads());
  }

  KernelName kernel_name() const {
    std::string type(name_of(packed_type()));
    if (problem_.options.real) type.erase(0, 1);
    KernelName name{"channelise_fft", "channelise_" + type, "", "ChanneliseArgs",
                    std::to_string(kLineThreads)};
    const double values = problem_.samples() / problem_.hop * problem_.channels();
    if (run_time_compiler_found() && (force_run_time_kernels() || values >= kEnoughValues)) {
      const LineShape shape = channelise_shape(problem_.channels());
      const int taps = problem_.options.taps;
      name.body = fmt::format("channelise_spectra<{}, {}, LineShape{{{}, {}}}, {}>",
                              static_cast<int>(packed_type()), problem_.options.real, shape.length,
                              shape.lines, taps <= kMostUnrolled ? taps : 0);
    }
    return name;
  }
  SampleType packed_type() const {
    const SampleType type = problem_.options.samples;
    return type == SampleType::ci4    ? SampleType::ci8
           : type == SampleType::cf16 ? SampleType::cf32
                                      : type;
  }

  ChanneliseProblem problem_;
  ChanneliseDeviceTables on_host_;
  std::optional<Resident> turns_, half_turns_, filter_, gains_;
  const GpuKernel* kernel_;
};

}  // namespace

ChanneliseRunnerPointer make_channelise_fft_cuda(const ChanneliseProblem& problem) {
  return std::make_unique<ChanneliseFftCuda>(problem);
}

}  // namespace tessera
