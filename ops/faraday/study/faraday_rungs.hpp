// SPDX-License-Identifier: Apache-2.0
/// The rungs of the study of rotation measure synthesis. Names: "cpu.blas.double" is CBLAS's one
/// call in double; "gpu.stream.single" the way there, cuBLAS and the way back on one stream;
/// "cpu.ours.nufft.single" the product's method.
#pragma once

#include <string>
#include <vector>

#include "ops/faraday/study/faraday_case.hpp"
#include "study/rung.hpp"

namespace tessera {

using FaradayRung = Rung<FaradayCase>;

const std::vector<FaradayRung>& faraday_cpu_rungs();
const std::vector<FaradayRung>& faraday_cuda_rungs();

/// The product's methods of one backend, in both precisions.
std::vector<FaradayRung> our_faraday_rungs(Backend backend);
/// From and to the host, by cuBLAS: on one stream, and on several that overlap.
std::vector<FaradayRung> faraday_stream_rungs();

/// Milliseconds of the parts of a "gpu.stream" rung, each on its own.
struct FaradayTransfer {
  double upload = 0, compute = 0, download = 0;
};
FaradayTransfer time_transfer(const FaradayCase& c, Type type, Stream& stream);

inline constexpr Type kFaradayTypes[] = {Type::f64, Type::f32};
inline const char* precision_name(Type type) { return type == Type::f64 ? "double" : "single"; }
inline std::string faraday_ladder_file(const std::string& beginning) {
  return "ops/faraday/study/" + beginning;
}
/// Whether it runs on one thread of the CPU.
bool is_of_one_thread_faraday(const std::string& rung);

/// The case's arrays as plain numbers of a type.
template <class T>
std::vector<std::complex<T>> turns_as(const FaradayCase& c) {
  return {c.turns().begin(), c.turns().end()};
}
/// [2 depths][2 channels]: one product by planes of Q, then U, makes the real parts, then the
/// imaginary ones.
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

}  // namespace tessera
