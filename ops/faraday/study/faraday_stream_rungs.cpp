// SPDX-License-Identifier: Apache-2.0
// Host to host: upload, cuBLAS, download. On one stream all of it in turn; on several, strips of
// rows whose copies overlap. By the stacked real product, ours, and by a complex product for each
// row, the talk's.
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

/// The same in the talk's form: pixels with their channels, and a product for each row.
class RowsStrip {
 public:
  RowsStrip(const FaradayCase& c, const FaradayRoom& room, Rows rows,
            std::shared_ptr<const Resident> matrix, Stream& stream)
      : c_(c),
        rows_(rows),
        matrix_(std::move(matrix)),
        from_(room.host_given.rows(rows.first * c.side(), rows.count() * c.side())),
        to_(room.host_made.rows(rows.first * c.side(), rows.count() * c.side())) {
    given_ = device_view(from_, stream, given_memory_);
    made_ = device_view(to_, stream, made_memory_);
  }

  void upload(Stream& stream) const { device_stream(stream).copy(from_, given_); }
  void compute(Stream& stream) const {
    multiply_rows(c_, from_.type, given_.data, made_.data, rows_.count(), true, *matrix_, stream);
  }
  void download(Stream& stream) const { device_stream(stream).copy(made_, to_); }

 private:
  const FaradayCase& c_;
  Rows rows_;
  std::shared_ptr<const Resident> matrix_;
  AnyMutableView from_, to_, given_, made_;
  Scratch given_memory_, made_memory_;
};

RowsStrip whole_rows(const FaradayCase& c, Type type, Stream& stream) {
  const FaradayRoom& room = c.room(type, FaradayForm::pixels, false, stream);
  return {c, room, Rows{0, c.side()}, complex_matrix_on(stream.device(), c, type), stream};
}

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

PreparedRung prepare_rows_on_one(const FaradayCase& c, Type type, Stream& stream) {
  return on_one_stream(whole_rows(c, type, stream));
}

PreparedRung prepare_rows_on_several(const FaradayCase& c, Type type, Stream& stream) {
  const FaradayRoom& room = c.room(type, FaradayForm::pixels, false, stream);
  const auto matrix = complex_matrix_on(stream.device(), c, type);
  return on_several_streams(c.side(), stream, [&](Rows rows, Stream& own) {
    return RowsStrip(c, room, rows, matrix, own);
  });
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
    rungs.push_back(rung_of("gpu.rows.stream", "each y with copies both ways, one stream", type,
                            prepare_rows_on_one));
    rungs.push_back(
        rung_of("gpu.rows.streams", "the same on four streams", type, prepare_rows_on_several));
  }
  return rungs;
}

std::optional<TransferTimes> time_faraday_transfer(const FaradayCase& c, const std::string& rung,
                                                   Stream& stream) {
  for (const Type type : kFaradayTypes) {
    if (rung == std::string("gpu.stream.") + precision_name(type))
      return time_steps(whole_strip(c, type, stream), stream);
    if (rung == std::string("gpu.rows.stream.") + precision_name(type))
      return time_steps(whole_rows(c, type, stream), stream);
  }
  return std::nullopt;
}

}  // namespace tessera
