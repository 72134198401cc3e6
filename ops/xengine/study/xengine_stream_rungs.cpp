// SPDX-License-Identifier: Apache-2.0
// Host to host: upload, the kernel with sums in registers, download. On one stream all of it in
// turn; on several, channels whose copies overlap. With cuBLAS on one stream.
#include "core/device.hpp"
#include "core/device_blas.hpp"
#include "core/kernel.hpp"
#include "ops/xengine/study/sums_args.cuh"
#include "ops/xengine/study/xengine_rungs.hpp"
#include "study/study_transfer.hpp"
#include "tessera/image.hpp"

namespace tessera {
namespace {

/// Some channels on their way through the device: memory there, and the three steps.
class Strip {
 public:
  Strip(const XEngineCase& c, const XEngineRoom& room, Rows channels, Stream& stream)
      : from_(room.host_given.rows(channels.first, channels.count())),
        to_(room.host_made.rows(channels.first, channels.count())),
        kernel_(
            find_kernel(stream.device(), {"x4_sums_registers", "sums_registers_entry", "", ""})),
        channels_(channels.count()) {
    given_ = device_view(from_, stream, given_memory_);
    made_ = device_view(to_, stream, made_memory_);
    args_ = {static_cast<const signed char*>(given_.data), static_cast<int*>(made_.data),
             c.inputs(), c.samples()};
  }

  void upload(Stream& stream) const { device_stream(stream).copy(from_, given_); }
  void compute(Stream& stream) const { launch_sums(kernel_, args_, channels_, 0, stream); }
  void download(Stream& stream) const { device_stream(stream).copy(made_, to_); }

 private:
  AnyMutableView from_, to_, given_, made_;
  const GpuKernel& kernel_;
  int channels_;
  Scratch given_memory_, made_memory_;
  SumsArgs args_{};
};

/// All channels on their way through the device, by cuBLAS.
class BlasStrip {
 public:
  BlasStrip(const XEngineCase& c, const XEngineRoom& room, Stream& stream)
      : from_(room.host_given), to_(room.host_made) {
    given_ = device_view(from_, stream, given_memory_);
    made_ = device_view(to_, stream, made_memory_);
    compute_ = blas_sums(c, static_cast<const signed char*>(given_.data),
                         static_cast<float*>(made_.data), stream);
  }

  void upload(Stream& stream) const { device_stream(stream).copy(from_, given_); }
  void compute(Stream& stream) const { compute_(stream); }
  void download(Stream& stream) const { device_stream(stream).copy(made_, to_); }

 private:
  AnyMutableView from_, to_, given_, made_;
  Scratch given_memory_, made_memory_;
  std::function<void(Stream&)> compute_;
};

const XEngineRoom& host_room(const XEngineCase& c, Stream& stream) {
  return c.room({GivenForm::time_input, MadeForm::full, false, false}, stream);
}

Strip whole_strip(const XEngineCase& c, Stream& stream) {
  return {c, host_room(c, stream), Rows{0, c.channels()}, stream};
}

PreparedRung prepare_one(const XEngineCase& c, Stream& stream) {
  return described_xengine(c, MadeForm::full, on_one_stream(whole_strip(c, stream)));
}

PreparedRung prepare_blas_both_ways(const XEngineCase& c, Stream& stream) {
  if (std::string reason = why_no_device_blas(); !reason.empty()) return {.absent = reason};
  const XEngineRoom& room = c.room({GivenForm::time_input, MadeForm::split, true, false}, stream);
  return described_xengine(c, MadeForm::split, on_one_stream(BlasStrip(c, room, stream)));
}

PreparedRung prepare_several(const XEngineCase& c, Stream& stream) {
  const XEngineRoom& room = host_room(c, stream);
  return described_xengine(
      c, MadeForm::full, on_several_streams(c.channels(), stream, [&](Rows channels, Stream& own) {
        return Strip(c, room, channels, own);
      }));
}

}  // namespace

std::vector<XEngineRung> xengine_stream_rungs() {
  const std::vector<std::string> files{xengine_ladder_file("xengine_stream_rungs."),
                                       xengine_ladder_file("x4_")};
  return {{"gpu.stream", "registers with copies both ways, one stream", files, prepare_one},
          {"gpu.streams", "the same on four streams", files, prepare_several},
          {"gpu.blas.stream",
           "cuBLAS with copies both ways, one stream",
           {xengine_ladder_file("xengine_stream_rungs."), xengine_ladder_file("x5_"),
            xengine_ladder_file("xengine_cuda_rungs.")},
           prepare_blas_both_ways}};
}

TransferTimes time_xengine_transfer(const XEngineCase& c, Stream& stream) {
  return time_steps(whole_strip(c, stream), stream);
}

}  // namespace tessera
