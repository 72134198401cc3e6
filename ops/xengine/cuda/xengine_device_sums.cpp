// SPDX-License-Identifier: Apache-2.0
#include "ops/xengine/cuda/xengine_device_sums.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/device.hpp"
#include "core/kernel.hpp"
#include "ops/xengine/cuda/xengine_dump_args.cuh"

namespace tessera {
namespace {

constexpr const char* kUnit = "xengine_dump";
/// Results are copied to the host in parts of about this size.
constexpr long long kDumpBytes = 64LL << 20;

unsigned blocks_for(long long values) {
  return static_cast<unsigned>((values + kXEngineDumpThreads - 1) / kXEngineDumpThreads);
}

std::string dump_entry(const XEngineProblem& p) {
  return fmt::format("xengine_dump_{}_{}", is_integer(p.options.samples) ? "i64" : "f64",
                     name_of(p.output.type));
}

XEngineOrder order_of(VisibilityOrder order) {
  return order == VisibilityOrder::full            ? XEngineOrder::full
         : order == VisibilityOrder::register_tile ? XEngineOrder::register_tile
                                                   : XEngineOrder::triangular;
}

/// Writes channels of the output: to the device directly, to the host in parts.
class Dump {
 public:
  Dump(const XEngineProblem& problem, const XEngineDumpArgs& args, VisibilityView out,
       Stream& stream)
      : problem_(problem),
        args_(args),
        out_(out),
        stream_(stream),
        kernel_(find_kernel(stream.device(), {kUnit, dump_entry(problem), "", ""})) {}

  void run() {
    const VisibilityInfo& info = problem_.output;
    const long long channel_bytes = std::max(1LL, info.bytes() / info.channels);
    const bool staged = out_.device == kHost;
    const auto most =
        std::clamp<long long>(staged ? kDumpBytes / channel_bytes : kMostBlocks, 1, kMostBlocks);
    if (staged)
      part_ = stream_.scratch(
          static_cast<std::size_t>(std::min<long long>(most, info.channels) * channel_bytes));
    for (int first = 0; first < info.channels; first += static_cast<int>(most)) {
      const int count = static_cast<int>(std::min<long long>(most, info.channels - first));
      launch(first, count);
      if (staged) fetch(first, count);
    }
  }

 private:
  /// register_tile has the real parts of all channels and then the imaginary ones; other orders
  /// have one plane.
  bool planes() const { return problem_.output.order == VisibilityOrder::register_tile; }
  /// Bytes per channel in a plane.
  long long row_bytes() const {
    return problem_.output.values * bytes_of(problem_.output.type) * (planes() ? 1 : 2);
  }
  unsigned char* out_at(int channel, int plane) const {
    return static_cast<unsigned char*>(out_.data) +
           (1LL * plane * problem_.output.channels + channel) * row_bytes();
  }

  void launch(int first, int count) {
    const bool staged = out_.device == kHost;
    args_.first = first;
    args_.plane = args_.values * (staged ? count : problem_.output.channels);
    args_.out = staged ? part_.data() : out_at(first, 0);
    kernel_.launch(stream_, {blocks_for(args_.values), static_cast<unsigned>(count)},
                   {kXEngineDumpThreads}, 0, args_);
  }

  void fetch(int first, int count) {
    const long long bytes = count * row_bytes();
    for (int plane = 0; plane < (planes() ? 2 : 1); ++plane)
      copy_bytes(part_.as<unsigned char>() + plane * bytes, stream_.device(), out_at(first, plane),
                 kHost, static_cast<std::size_t>(bytes), stream_);
  }

  const XEngineProblem& problem_;
  XEngineDumpArgs args_;
  VisibilityView out_;
  Stream& stream_;
  const GpuKernel& kernel_;
  Scratch part_;
};

}  // namespace

void copy_bytes(const void* from, int from_device, void* to, int to_device, std::size_t bytes,
                Stream& stream) {
  constexpr std::size_t kMost = std::size_t{1} << 30;  // sizes of images are int
  for (std::size_t at = 0; at < bytes; at += kMost) {
    const Size size{static_cast<int>(std::min(kMost, bytes - at))};
    device_stream(stream).copy(
        packed(static_cast<const unsigned char*>(from) + at, size, from_device),
        packed(static_cast<unsigned char*>(to) + at, size, to_device));
  }
}

Stream& XEngineDeviceSums::stream() {
  if (!own_) own_.emplace(problem_.device);
  return *own_;
}

Stream& XEngineDeviceSums::next_lane() {
  std::optional<Stream>& lane = lanes_[static_cast<std::size_t>(lanes_used_)];
  lanes_used_ = (lanes_used_ + 1) % static_cast<int>(lanes_.size());
  if (!lane) lane.emplace(problem_.device);
  return *lane;
}

XEngineDeviceSums::Target XEngineDeviceSums::narrow(long long samples) {
  if (!narrow_.data()) narrow_ = stream().scratch(static_cast<std::size_t>(count()) * sizeof(int));
  if (in_int32_ + samples > samples_in_int32(problem_.options.samples)) flush();
  in_int32_ += samples;
  touched = true;
  return {narrow_.data(), std::exchange(in_narrow_, true)};
}

XEngineDeviceSums::Target XEngineDeviceSums::wide() {
  if (!wide_.data()) wide_ = stream().scratch(static_cast<std::size_t>(count()) * 8);
  touched = true;
  return {wide_.data(), std::exchange(in_wide_, true)};
}

void XEngineDeviceSums::flush() {
  if (!in_narrow_) return;
  if (!wide_.data()) wide_ = stream().scratch(static_cast<std::size_t>(count()) * 8);
  const XEngineFlushArgs<int, long long> args{narrow_.as<int>(), wide_.as<long long>(), count(),
                                              in_wide_};
  find_kernel(problem_.device, {kUnit, "xengine_flush_sums", "", ""})
      .launch(stream(), {blocks_for(count())}, {kXEngineDumpThreads}, 0, args);
  in_wide_ = true;
  in_narrow_ = false;
  in_int32_ = 0;
}

XEngineDeviceSums::Run XEngineDeviceSums::run(long long samples) {
  const long long end = position + samples;
  if (run_number_ != position / kFloatRun) end_run();
  const bool left_open = end % kFloatRun != 0;
  if (left_open && !run_.data())
    run_ = stream().scratch(static_cast<std::size_t>(count()) * sizeof(float));
  run_number_ = end / kFloatRun;
  return {run_.as<float>(), phase(), std::exchange(in_run_, left_open) && phase() > 0};
}

void XEngineDeviceSums::end_run() {
  if (!in_run_) return;
  const XEngineFlushArgs<float, double> args{run_.as<float>(), wide_.as<double>(), count(), true};
  find_kernel(problem_.device, {kUnit, "xengine_flush_run", "", ""})
      .launch(stream(), {blocks_for(count())}, {kXEngineDumpThreads}, 0, args);
  in_run_ = false;
}

long long XEngineDeviceSums::dump(VisibilityView out, Stream& caller) {
  Stream& own = stream();
  own.after(caller);
  end_run();
  const Scratch saturated = own.scratch(sizeof(unsigned long long));
  unsigned long long total = 0;
  copy_bytes(&total, kHost, saturated.data(), own.device(), sizeof total, own);
  const bool integer = is_integer(problem_.options.samples);
  const XEngineShape& shape = problem_.shape;
  const XEngineDumpArgs args{
      .narrow = in_narrow_ ? narrow_.as<int>() : nullptr,
      .wide = in_wide_ && integer ? wide_.as<long long>() : nullptr,
      .real = in_wide_ && !integer ? wide_.as<double>() : nullptr,
      .antennas = shape.antennas,
      .polarisations = shape.polarisations,
      .average = problem_.options.average,
      .order = order_of(problem_.output.order),
      .sums = shape.values(),
      .values = problem_.output.values,
      .first = 0,
      .plane = 0,
      .out = nullptr,
      .saturated = saturated.as<unsigned long long>(),
  };
  Dump(problem_, args, out, own).run();
  copy_bytes(saturated.data(), own.device(), &total, kHost, sizeof total, own);
  own.wait();
  clear();
  return static_cast<long long>(total);
}

void XEngineDeviceSums::clear() {
  in_narrow_ = in_wide_ = in_run_ = false;
  in_int32_ = 0;
}

}  // namespace tessera
