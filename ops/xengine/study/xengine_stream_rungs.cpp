// SPDX-License-Identifier: Apache-2.0
// Host to host: cycles are uploaded and added, then the sums are downloaded. On one stream all of
// it in turn; on several, channels whose copies overlap. By the kernel with sums in registers, by
// cuBLAS, and by cuBLAS after the host has reordered the samples, as in the talk.
#include "core/device.hpp"
#include "core/device_blas.hpp"
#include "core/kernel.hpp"
#include "ops/xengine/study/plain_xengine_reorder.hpp"
#include "ops/xengine/study/sums_args.cuh"
#include "ops/xengine/study/xengine_rungs.hpp"
#include "study/study_transfer.hpp"
#include "tessera/image.hpp"

namespace tessera {
namespace {

/// Some channels on their way through the device: memory there, and the steps.
class Strip {
 public:
  static constexpr XEngineRoomKind kKind{GivenForm::time_input, MadeForm::full, false, false};

  Strip(const XEngineCase& c, const XEngineRoom& room, Rows channels, Stream& stream)
      : room_(room),
        channels_(channels),
        to_(room.host_made.rows(channels.first, channels.count())),
        kernel_(
            find_kernel(stream.device(), {"x4_sums_registers", "sums_registers_entry", "", ""})) {
    given_ = device_view(room.host_cycle(0, channels), stream, given_memory_);
    made_ = device_view(to_, stream, made_memory_);
    args_ = {static_cast<const signed char*>(given_.data), static_cast<int*>(made_.data),
             c.inputs(), c.samples()};
  }

  void upload(int cycle, Stream& stream) const {
    device_stream(stream).copy(room_.host_cycle(cycle, channels_), given_);
  }
  void compute(int cycle, Stream& stream) const {
    SumsArgs args = args_;
    args.add = cycle > 0;
    launch_sums(kernel_, args, channels_.count(), 0, stream);
  }
  void download(Stream& stream) const { device_stream(stream).copy(made_, to_); }

 private:
  const XEngineRoom& room_;
  Rows channels_;
  AnyMutableView to_, given_, made_;
  const GpuKernel& kernel_;
  Scratch given_memory_, made_memory_;
  SumsArgs args_{};
};

/// The same by cuBLAS: a kernel makes floats of bytes, then a real product.
class BlasStrip {
 public:
  static constexpr XEngineRoomKind kKind{GivenForm::time_input, MadeForm::split, true, false};

  BlasStrip(const XEngineCase& c, const XEngineRoom& room, Rows channels, Stream& stream)
      : room_(room),
        channels_(channels),
        to_(room.host_made.rows(channels.first, channels.count())) {
    given_ = device_view(room.host_cycle(0, channels), stream, given_memory_);
    made_ = device_view(to_, stream, made_memory_);
    add_ = blas_sums(c, channels.count(), static_cast<float*>(made_.data), stream);
  }

  void upload(int cycle, Stream& stream) const {
    device_stream(stream).copy(room_.host_cycle(cycle, channels_), given_);
  }
  void compute(int cycle, Stream& stream) const {
    add_(static_cast<const signed char*>(given_.data), cycle > 0, stream);
  }
  void download(Stream& stream) const { device_stream(stream).copy(made_, to_); }

 private:
  const XEngineRoom& room_;
  Rows channels_;
  AnyMutableView to_, given_, made_;
  Scratch given_memory_, made_memory_;
  AddByBlas add_;
};

/// The talk's way: the host makes complex floats in columns, which travel; then cgemm.
class HostStrip {
 public:
  static constexpr XEngineRoomKind kKind{GivenForm::input_time, MadeForm::columns, true, false};

  HostStrip(const XEngineCase& c, const XEngineRoom& room, Rows channels, Stream& stream)
      : c_(c),
        room_(room),
        channels_(channels),
        to_(room.host_made.rows(channels.first, channels.count())) {
    const ImageInfo info{{2 * c.inputs() * c.samples(), channels.count()}, Type::f32, kHost};
    host_memory_ = stream.pinned_scratch(static_cast<std::size_t>(bytes_of(info)));
    host_ = packed(host_memory_.data(), info);
    given_ = device_view(host_, stream, given_memory_);
    made_ = device_view(to_, stream, made_memory_);
  }

  /// One thread. The last upload must have finished.
  void reorder(int cycle) const {
    const AnyMutableView from = room_.host_cycle(cycle, channels_);
    for (int k = 0; k < channels_.count(); ++k)
      reorder_for_blas(reinterpret_cast<const signed char*>(from.address(0, k)), c_.inputs(),
                       c_.samples(), reinterpret_cast<std::complex<float>*>(host_.address(0, k)));
  }
  void copy_up(Stream& stream) const { device_stream(stream).copy(host_, given_); }
  void upload(int cycle, Stream& stream) const {
    stream.wait();
    reorder(cycle);
    copy_up(stream);
  }
  void compute(int cycle, Stream& stream) const {
    // The talk's C = A A* of matrices in columns; their rows are those columns, and make A* A.
    for (int k = 0; k < channels_.count(); ++k)
      multiply_complex_on_device({.type = Type::f32,
                                  .rows = c_.inputs(),
                                  .inner = c_.samples(),
                                  .columns = c_.inputs(),
                                  .a = given_.address(0, k),
                                  .b = given_.address(0, k),
                                  .c = made_.address(0, k),
                                  .adjoint = AdjointFactor::left,
                                  .add = cycle > 0},
                                 stream);
  }
  void download(Stream& stream) const { device_stream(stream).copy(made_, to_); }

 private:
  const XEngineCase& c_;
  const XEngineRoom& room_;
  Rows channels_;
  AnyMutableView to_, host_, given_, made_;
  Scratch host_memory_, given_memory_, made_memory_;
};

/// Strips of channels, each on its own stream, which begins when the study's does and ends before
/// it: every cycle of every strip, then the sums of all.
template <class Strip>
PreparedRung on_streams(const XEngineCase& c, int streams, Stream& stream) {
  struct Lane {
    Stream stream;
    Strip strip;
  };
  const XEngineRoom& room = c.room(Strip::kKind, stream);
  const auto lanes = std::make_shared<std::vector<Lane>>();
  const int strips = std::min(streams, c.channels());
  for (int k = 0; k < strips; ++k) {
    Stream own(stream.device());
    const Rows channels{c.channels() * k / strips, c.channels() * (k + 1) / strips};
    Strip strip(c, room, channels, own);
    lanes->push_back({own, std::move(strip)});
  }
  PreparedRung rung = described_xengine(c, Strip::kKind.made);
  rung.tiles = strips > 1 ? strips : 0;
  rung.run = [lanes, cycles = c.cycles()](Stream& on) {
    for (Lane& lane : *lanes) lane.stream.after(on);
    for (int cycle = 0; cycle < cycles; ++cycle)
      for (Lane& lane : *lanes) {
        lane.strip.upload(cycle, lane.stream);
        lane.strip.compute(cycle, lane.stream);
      }
    for (Lane& lane : *lanes) {
      lane.strip.download(lane.stream);
      on.after(lane.stream);
    }
  };
  return rung;
}

/// The steps of all cycles on one stream, each by itself; `upload(strip, cycle, stream)`.
template <class Strip, class Upload>
TransferTimes time_cycles(const XEngineCase& c, Stream& stream, Upload upload) {
  const Strip strip(c, c.room(Strip::kKind, stream), Rows{0, c.channels()}, stream);
  const auto each = [&](auto step) {
    return step_ms(stream, [&](Stream& on) {
      for (int cycle = 0; cycle < c.cycles(); ++cycle) step(cycle, on);
    });
  };
  return {each([&](int cycle, Stream& on) { upload(strip, cycle, on); }),
          each([&](int cycle, Stream& on) { strip.compute(cycle, on); }),
          step_ms(stream, [&](Stream& on) { strip.download(on); })};
}

using PrepareStreams = PreparedRung (*)(const XEngineCase&, int, Stream&);

XEngineRung rung_of(const std::string& id, const std::string& title, int streams,
                    const std::vector<std::string>& files, PrepareStreams prepare, bool blas) {
  std::vector<std::string> all{xengine_ladder_file("xengine_stream_rungs.")};
  for (const std::string& file : files) all.push_back(xengine_ladder_file(file));
  return {id, title, all, [streams, prepare, blas](const XEngineCase& c, Stream& stream) {
            if (std::string reason = why_no_device_blas(); blas && !reason.empty())
              return PreparedRung{.absent = reason};
            return prepare(c, streams, stream);
          }};
}

}  // namespace

std::vector<XEngineRung> xengine_stream_rungs() {
  constexpr int kOne = 1, kFour = kStudyStreams;
  const std::vector<std::string> hand{"x4_"}, blas{"x5_", "xengine_blas_rungs."},
      host{"plain_xengine_reorder.cpp"};
  return {rung_of("gpu.stream", "registers with copies both ways, one stream", kOne, hand,
                  on_streams<Strip>, false),
          rung_of("gpu.streams", "the same on four streams", kFour, hand, on_streams<Strip>, false),
          rung_of("gpu.blas.stream", "cuBLAS with copies both ways, one stream", kOne, blas,
                  on_streams<BlasStrip>, true),
          rung_of("gpu.blas.streams", "the same on four streams", kFour, blas,
                  on_streams<BlasStrip>, true),
          rung_of("gpu.blas.host", "the host reorders, copies, cgemm, one stream", kOne, host,
                  on_streams<HostStrip>, true),
          rung_of("gpu.blas.host.streams", "the same on four streams", kFour, host,
                  on_streams<HostStrip>, true)};
}

XEngineParts time_xengine_parts(const XEngineCase& c, Stream& stream) {
  return {time_cycles<Strip>(
      c, stream, [](const Strip& strip, int cycle, Stream& on) { strip.upload(cycle, on); })};
}

XEngineParts time_xengine_host_parts(const XEngineCase& c, Stream& stream) {
  XEngineParts parts{time_cycles<HostStrip>(
      c, stream, [](const HostStrip& strip, int, Stream& on) { strip.copy_up(on); })};
  const HostStrip strip(c, c.room(HostStrip::kKind, stream), Rows{0, c.channels()}, stream);
  Stream host;
  parts.reordering = step_ms(host, [&](Stream&) {
    for (int cycle = 0; cycle < c.cycles(); ++cycle) strip.reorder(cycle);
  });
  return parts;
}

}  // namespace tessera
