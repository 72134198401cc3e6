// SPDX-License-Identifier: Apache-2.0
/// The rungs of the study of rotation measure synthesis. Names: "cpu.blas.double" is CBLAS's one
/// call in double; "gpu.stream.single" is upload, cuBLAS and download on one stream;
/// "cpu.ours.nufft.single" the product's method.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ops/faraday/study/faraday_case.hpp"
#include "study/rung.hpp"
#include "study/study_transfer.hpp"

namespace tessera {

class Resident;
using FaradayRung = Rung<FaradayCase>;

const std::vector<FaradayRung>& faraday_cpu_rungs();
const std::vector<FaradayRung>& faraday_cuda_rungs();

/// The product's methods of one backend, in both precisions.
std::vector<FaradayRung> our_faraday_rungs(Backend backend);
/// By cuBLAS on the device.
std::vector<FaradayRung> faraday_blas_rungs();
/// From and to the host, by cuBLAS: on one stream, and on several that overlap.
std::vector<FaradayRung> faraday_stream_rungs();

/// The parts of a rung on one stream, each by itself; none for other rungs.
std::optional<TransferTimes> time_faraday_transfer(const FaradayCase& c, const std::string& rung,
                                                   Stream& stream);

inline constexpr Type kFaradayTypes[] = {Type::f64, Type::f32};
inline const char* precision_name(Type type) { return type == Type::f64 ? "double" : "single"; }
inline std::string faraday_ladder_file(const std::string& beginning) {
  return "ops/faraday/study/" + beginning;
}
/// Whether it runs on one thread of the CPU.
bool is_of_one_thread_faraday(const std::string& rung);

/// A rung with the figures of the case.
PreparedRung described_faraday(const FaradayCase& c, Type type, PreparedRung rung = {});

/// A rung in both precisions; prepare(case, type, stream) makes it.
template <class Prepare>
void add_faraday_rungs(std::vector<FaradayRung>& rungs, const std::string& id,
                       const std::string& title, const std::vector<std::string>& files,
                       Prepare prepare) {
  for (const Type type : kFaradayTypes)
    rungs.push_back(
        {id + "." + precision_name(type), title, files,
         [type, prepare](const FaradayCase& c, Stream& s) { return prepare(c, type, s); }});
}

/// The case's arrays as plain numbers of a type.
template <class T>
std::vector<std::complex<T>> turns_as(const FaradayCase& c) {
  return {c.turns().begin(), c.turns().end()};
}
/// [2 depths][2 channels]: one product by planes of Q, then U, makes the real parts, then the
/// imaginary ones.
template <class T>
std::vector<T> real_matrix(const FaradayCase& c);
std::shared_ptr<const Resident> real_matrix_on(int device, const FaradayCase& c, Type type);
/// The turns [channels][depths], for complex products.
std::shared_ptr<const Resident> complex_matrix_on(int device, const FaradayCase& c, Type type);

/// Enqueues the complex products of whole rows of pixels, [pixels][channels], on a device: one, or
/// one for each row, as in the talk.
void multiply_rows(const FaradayCase& c, Type type, const void* given, void* made, int rows,
                   bool for_each_row, const Resident& matrix, Stream& stream);

}  // namespace tessera
