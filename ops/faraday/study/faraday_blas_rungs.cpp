// SPDX-License-Identifier: Apache-2.0
// cuBLAS: one real product of stacked planes, ours; complex products, one or one for each row of
// pixels, as in the talk. Data are on the device.
#include "core/device_blas.hpp"
#include "core/resident.hpp"
#include "ops/faraday/study/faraday_rungs.hpp"

namespace tessera {
namespace {

template <class T>
std::vector<std::complex<T>> turned_turns(const FaradayCase& c) {
  const std::size_t channels = c.axes().lambda2.size(), depths = c.axes().phi.size();
  std::vector<std::complex<T>> turned(channels * depths);
  for (std::size_t p = 0; p < depths; ++p)
    for (std::size_t k = 0; k < channels; ++k)
      turned[k * depths + p] = std::complex<T>(c.turns()[p * channels + k]);
  return turned;
}

PreparedRung prepare_stacked(const FaradayCase& c, Type type, Stream& stream) {
  if (std::string reason = why_no_device_blas(); !reason.empty()) return {.absent = reason};
  const FaradayRoom& room = c.room(type, FaradayForm::planes, true, stream);
  const auto matrix = real_matrix_on(stream.device(), c, type);
  const DeviceProduct product{type,       2 * c.axes().depths(),   2 * c.axes().channels(),
                              c.pixels(), matrix->as<std::byte>(), room.given,
                              room.made};
  PreparedRung rung = described_faraday(c, type);
  rung.run = [product, matrix](Stream& on) {
    multiply_on_device(product, on);
    matrix->used_by(on);
  };
  return rung;
}

PreparedRung prepare_complex(const FaradayCase& c, Type type, bool for_each_row, Stream& stream) {
  if (std::string reason = why_no_device_blas(); !reason.empty()) return {.absent = reason};
  const FaradayRoom& room = c.room(type, FaradayForm::pixels, true, stream);
  const auto matrix = complex_matrix_on(stream.device(), c, type);
  PreparedRung rung = described_faraday(c, type);
  rung.run = [&c, &room, type, for_each_row, matrix](Stream& on) {
    multiply_rows(c, type, room.given, room.made, c.side(), for_each_row, *matrix, on);
  };
  return rung;
}

}  // namespace

template <class T>
std::vector<T> real_matrix(const FaradayCase& c) {
  const std::size_t channels = c.axes().lambda2.size(), depths = c.axes().phi.size();
  std::vector<T> matrix(4 * channels * depths);
  for (std::size_t p = 0; p < depths; ++p)
    for (std::size_t k = 0; k < channels; ++k) {
      const std::complex<T> turn(c.turns()[p * channels + k]);
      matrix[p * 2 * channels + k] = turn.real();
      matrix[p * 2 * channels + channels + k] = -turn.imag();
      matrix[(depths + p) * 2 * channels + k] = turn.imag();
      matrix[(depths + p) * 2 * channels + channels + k] = turn.real();
    }
  return matrix;
}

template std::vector<float> real_matrix(const FaradayCase&);
template std::vector<double> real_matrix(const FaradayCase&);

std::shared_ptr<const Resident> real_matrix_on(int device, const FaradayCase& c, Type type) {
  if (type == Type::f64) return std::make_shared<const Resident>(device, real_matrix<double>(c));
  return std::make_shared<const Resident>(device, real_matrix<float>(c));
}

std::shared_ptr<const Resident> complex_matrix_on(int device, const FaradayCase& c, Type type) {
  if (type == Type::f64) return std::make_shared<const Resident>(device, turned_turns<double>(c));
  return std::make_shared<const Resident>(device, turned_turns<float>(c));
}

void multiply_rows(const FaradayCase& c, Type type, const void* given, void* made, int rows,
                   bool for_each_row, const Resident& matrix, Stream& stream) {
  const int together = for_each_row ? 1 : rows;
  const long long bytes = 2LL * bytes_of(type) * together * c.side();  // per channel or depth
  for (int y = 0; y < rows / together; ++y)
    multiply_complex_on_device(
        {.type = type,
         .rows = together * c.side(),
         .inner = c.axes().channels(),
         .columns = c.axes().depths(),
         .a = static_cast<const std::byte*>(given) + y * bytes * c.axes().channels(),
         .b = matrix.as<std::byte>(),
         .c = static_cast<std::byte*>(made) + y * bytes * c.axes().depths()},
        stream);
  matrix.used_by(stream);
}

std::vector<FaradayRung> faraday_blas_rungs() {
  std::vector<FaradayRung> rungs;
  const std::vector<std::string> files{faraday_ladder_file("faraday_blas_rungs.")};
  const auto complex = [&](const std::string& id, const std::string& title, bool for_each_row) {
    add_faraday_rungs(rungs, id, title, files,
                      [for_each_row](const FaradayCase& c, Type type, Stream& s) {
                        return prepare_complex(c, type, for_each_row, s);
                      });
  };
  complex("gpu.blas.rows", "cuBLAS, a complex product for each y", true);
  complex("gpu.blas.complex", "cuBLAS, one complex product", false);
  add_faraday_rungs(rungs, "gpu.blas", "cuBLAS, one real product", files, prepare_stacked);
  return rungs;
}

}  // namespace tessera
