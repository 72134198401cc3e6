// SPDX-License-Identifier: Apache-2.0
// Host to host: upload, cuBLAS, download. On one stream all of it in turn; on several, strips of
// rows whose copies overlap.
#include "core/device.hpp"
#include "core/device_blas.hpp"
#include "core/resident.hpp"
#include "ops/faraday/study/faraday_rungs.hpp"
#include "study/study_transfer.hpp"

namespace tessera {
namespace {

/// Some rows on their way through the device: memory there, and the three steps.
class Strip {
 public:
  Strip(const FaradayCase& c, const FaradayRoom& room, Rows rows,
        std::shared_ptr<const Resident> matrix, Stream& stream)
      : rows_(rows), room_(room), matrix_(std::move(matrix)) {
    const auto on_device = [&](int planes, Scratch& memory, AnyMutableView& first,
                               AnyMutableView& second) {
      const ImageInfo info{{c.side(), rows.count(), 1, planes}, room.type, stream.device()};
      memory = stream.scratch(2 * static_cast<std::size_t>(bytes_of(info)));
      first = packed(memory.data(), info);
      second = packed(first.address(0, 0, planes), info);
    };
    on_device(c.axes().channels(), given_, q_, u_);
    on_device(c.axes().depths(), made_, real_, imaginary_);
    product_ = {room.type,
                2 * c.axes().depths(),
                2 * c.axes().channels(),
                c.side() * rows.count(),
                matrix_->as<std::byte>(),
                given_.data(),
                made_.data()};
  }

  void upload(Stream& stream) const {
    device_stream(stream).copy(room_.q.rows(rows_.first, rows_.count()), q_);
    device_stream(stream).copy(room_.u.rows(rows_.first, rows_.count()), u_);
  }
  void compute(Stream& stream) const {
    multiply_on_device(product_, stream);
    matrix_->used_by(stream);
  }
  void download(Stream& stream) const {
    device_stream(stream).copy(real_, room_.real.rows(rows_.first, rows_.count()));
    device_stream(stream).copy(imaginary_, room_.imaginary.rows(rows_.first, rows_.count()));
  }

 private:
  Rows rows_;
  const FaradayRoom& room_;
  std::shared_ptr<const Resident> matrix_;
  Scratch given_, made_;
  AnyMutableView q_, u_, real_, imaginary_;
  DeviceProduct product_;
};

Strip whole_strip(const FaradayCase& c, Type type, Stream& stream) {
  const FaradayRoom& room = c.room(type, FaradayForm::planes, false, stream);
  return {c, room, Rows{0, c.side()}, real_matrix_on(stream.device(), c, type), stream};
}

PreparedRung prepare_one(const FaradayCase& c, Type type, Stream& stream) {
  return on_one_stream(whole_strip(c, type, stream));
}

PreparedRung prepare_several(const FaradayCase& c, Type type, Stream& stream) {
  const FaradayRoom& room = c.room(type, FaradayForm::planes, false, stream);
  const auto matrix = real_matrix_on(stream.device(), c, type);
  return on_several_streams(
      c.side(), stream, [&](Rows rows, Stream& own) { return Strip(c, room, rows, matrix, own); });
}

FaradayRung rung_of(const std::string& id, const std::string& title, Type type,
                    PreparedRung (*prepare)(const FaradayCase&, Type, Stream&)) {
  return {id + "." + precision_name(type),
          title,
          {faraday_ladder_file("faraday_stream_rungs.")},
          [type, prepare](const FaradayCase& c, Stream& s) {
            if (std::string reason = why_no_device_blas(); !reason.empty())
              return PreparedRung{.absent = reason};
            return described_faraday(c, type, prepare(c, type, s));
          }};
}

}  // namespace

std::vector<FaradayRung> faraday_stream_rungs() {
  std::vector<FaradayRung> rungs;
  for (const Type type : kFaradayTypes) {
    rungs.push_back(
        rung_of("gpu.stream", "cuBLAS with copies both ways, one stream", type, prepare_one));
    rungs.push_back(rung_of("gpu.streams", "the same on four streams", type, prepare_several));
  }
  return rungs;
}

TransferTimes time_faraday_transfer(const FaradayCase& c, Type type, Stream& stream) {
  return time_steps(whole_strip(c, type, stream), stream);
}

}  // namespace tessera
