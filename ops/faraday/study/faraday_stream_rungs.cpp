// SPDX-License-Identifier: Apache-2.0
// Host to host: the way there, cuBLAS, the way back. On one stream all of it in turn; on several,
// strips of rows whose ways overlap.
#include <algorithm>

#include "core/device.hpp"
#include "core/device_blas.hpp"
#include "core/resident.hpp"
#include "ops/faraday/study/faraday_rungs.hpp"
#include "study/study_lanes.hpp"
#include "study/study_loops.hpp"

namespace tessera {
namespace {

constexpr int kStreams = 4;

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
  void multiply(Stream& stream) const {
    multiply_on_device(product_, stream);
    matrix_->used_by(stream);
  }
  void download(Stream& stream) const {
    device_stream(stream).copy(real_, room_.real.rows(rows_.first, rows_.count()));
    device_stream(stream).copy(imaginary_, room_.imaginary.rows(rows_.first, rows_.count()));
  }
  void all(Stream& stream) const {
    upload(stream);
    multiply(stream);
    download(stream);
  }

 private:
  Rows rows_;
  const FaradayRoom& room_;
  std::shared_ptr<const Resident> matrix_;
  Scratch given_, made_;
  AnyMutableView q_, u_, real_, imaginary_;
  DeviceProduct product_;
};

std::shared_ptr<const Resident> matrix_on(int device, const FaradayCase& c, Type type) {
  if (type == Type::f64) return std::make_shared<const Resident>(device, real_matrix<double>(c));
  return std::make_shared<const Resident>(device, real_matrix<float>(c));
}

std::shared_ptr<const Strip> whole_strip(const FaradayCase& c, Type type, Stream& stream) {
  const FaradayRoom& room = c.room(type, FaradayForm::planes, false, stream);
  return std::make_shared<const Strip>(c, room, Rows{0, c.side()},
                                       matrix_on(stream.device(), c, type), stream);
}

PreparedRung prepare_one(const FaradayCase& c, Type type, Stream& stream) {
  PreparedRung rung;
  rung.run = [strip = whole_strip(c, type, stream)](Stream& on) { strip->all(on); };
  return rung;
}

PreparedRung prepare_several(const FaradayCase& c, Type type, Stream& stream) {
  const FaradayRoom& room = c.room(type, FaradayForm::planes, false, stream);
  const auto matrix = matrix_on(stream.device(), c, type);
  const auto lanes = std::make_shared<std::vector<Lane<Strip>>>();
  const int strips = std::min(kStreams, c.side());
  for (int k = 0; k < strips; ++k) {
    Stream own(stream.device());
    const Rows rows{c.side() * k / strips, c.side() * (k + 1) / strips};
    Strip strip(c, room, rows, matrix, own);
    lanes->push_back({own, std::move(strip)});
  }
  PreparedRung rung;
  rung.tiles = strips;
  rung.run = [lanes](Stream& on) { run_lanes(*lanes, on); };
  return rung;
}

FaradayRung rung_of(const std::string& id, const std::string& title, Type type,
                    PreparedRung (*prepare)(const FaradayCase&, Type, Stream&)) {
  return {id + "." + precision_name(type),
          title,
          {faraday_ladder_file("faraday_stream_rungs.")},
          [type, prepare](const FaradayCase& c, Stream& s) {
            if (std::string reason = why_no_device_blas(); !reason.empty())
              return PreparedRung{.absent = reason};
            PreparedRung rung = prepare(c, type, s);
            rung.flops = c.flops();
            rung.bytes = c.bytes(type);
            return rung;
          }};
}

}  // namespace

std::vector<FaradayRung> faraday_stream_rungs() {
  std::vector<FaradayRung> rungs;
  for (const Type type : kFaradayTypes) {
    rungs.push_back(rung_of("gpu.stream", "cuBLAS with both ways, one stream", type, prepare_one));
    rungs.push_back(rung_of("gpu.streams", "the same on four streams", type, prepare_several));
  }
  return rungs;
}

FaradayTransfer time_transfer(const FaradayCase& c, Type type, Stream& stream) {
  const auto strip = whole_strip(c, type, stream);
  const auto timed = [&](void (Strip::*step)(Stream&) const) {
    PreparedRung part;
    part.run = [&](Stream& on) { ((*strip).*step)(on); };
    return 1e3 * time_rung(part, stream).seconds;
  };
  return {timed(&Strip::upload), timed(&Strip::multiply), timed(&Strip::download)};
}

}  // namespace tessera
