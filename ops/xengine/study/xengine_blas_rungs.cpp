// SPDX-License-Identifier: Apache-2.0
// cuBLAS: one real product per channel, ours, and one complex product, as in the talk. Samples are
// on the device, where kernels make floats of them.
#include "core/device_blas.hpp"
#include "core/kernel.hpp"
#include "core/piece_launch.hpp"
#include "ops/xengine/study/sums_args.cuh"
#include "ops/xengine/study/xengine_rungs.hpp"

namespace tessera {
namespace {

const GpuKernel& factors_kernel(Stream& stream) {
  return find_kernel(stream.device(), {"x5_sums_factors", "make_factors_entry", "", ""});
}
const GpuKernel& complex_kernel(Stream& stream) {
  return find_kernel(stream.device(), {"x11_complex", "make_complex_entry", "", ""});
}

std::shared_ptr<Scratch> floats_on(Stream& stream, long long count) {
  return std::make_shared<Scratch>(stream.scratch(static_cast<std::size_t>(count) * sizeof(float)));
}

/// Enqueues bytes [input][time] to floats and one complex product per channel by cuBLAS.
AddByBlas complex_sums(const XEngineCase& c, float* made, Stream& stream) {
  const GpuKernel& kernel = complex_kernel(stream);
  const long long parts = 2LL * c.inputs() * c.samples();  // of a channel
  const auto matrix = floats_on(stream, parts * c.channels());
  return [&kernel, &c, made, parts, matrix](const signed char* given, bool add, Stream& on) {
    auto* const values = static_cast<float*>(matrix->data());
    const ComplexArgs args{given, values, parts * c.channels()};
    kernel.launch(on, {blocks_for(args.count, kSumsThreads)}, {kSumsThreads}, 0, args);
    for (int k = 0; k < c.channels(); ++k) {
      const float* const channel = values + parts * k;
      multiply_complex_on_device({.type = Type::f32,
                                  .rows = c.inputs(),
                                  .inner = c.samples(),
                                  .columns = c.inputs(),
                                  .a = channel,
                                  .b = channel,
                                  .c = made + 2LL * c.inputs() * c.inputs() * k,
                                  .adjoint = AdjointFactor::right,
                                  .add = add},
                                 on);
    }
  };
}

PreparedRung prepare_blas(const XEngineCase& c, bool complex, Stream& stream) {
  if (std::string reason = why_no_device_blas(); !reason.empty()) return {.absent = reason};
  const XEngineRoomKind kind =
      complex ? XEngineRoomKind{GivenForm::input_time, MadeForm::full, true, true}
              : XEngineRoomKind{GivenForm::time_input, MadeForm::split, true, true};
  const XEngineRoom& room = c.room(kind, stream);
  PreparedRung rung = described_xengine(c, kind.made);
  rung.registers = (complex ? complex_kernel(stream) : factors_kernel(stream)).registers();
  auto* const made = static_cast<float*>(room.made);
  const AddByBlas add =
      complex ? complex_sums(c, made, stream) : blas_sums(c, c.channels(), made, stream);
  rung.run = [&room, add, cycles = c.cycles()](Stream& on) {
    for (int cycle = 0; cycle < cycles; ++cycle) add(room.given_of(cycle), cycle > 0, on);
  };
  return rung;
}

}  // namespace

AddByBlas blas_sums(const XEngineCase& c, int channels, float* made, Stream& stream) {
  const GpuKernel& kernel = factors_kernel(stream);
  const long long samples = 1LL * c.inputs() * c.samples();  // of a channel
  const auto left = floats_on(stream, 4 * samples * channels);
  const auto right = floats_on(stream, 2 * samples * channels);
  return [&kernel, &c, channels, made, left, right, samples](const signed char* given, bool add,
                                                             Stream& on) {
    const FactorsArgs args{given,
                           static_cast<float*>(left->data()),
                           static_cast<float*>(right->data()),
                           c.inputs(),
                           c.samples(),
                           samples * channels};
    kernel.launch(on, {blocks_for(args.count, kSumsThreads)}, {kSumsThreads}, 0, args);
    for (int k = 0; k < channels; ++k)
      multiply_on_device({.type = Type::f32,
                          .rows = 2 * c.inputs(),
                          .inner = 2 * c.samples(),
                          .columns = c.inputs(),
                          .a = args.left + 4 * samples * k,
                          .b = args.right + 2 * samples * k,
                          .c = made + 2LL * c.inputs() * c.inputs() * k,
                          .add = add},
                         on);
  };
}

std::vector<XEngineRung> xengine_blas_rungs() {
  return {{"gpu.blas",
           "to floats, cuBLAS, a real product per channel",
           {xengine_ladder_file("xengine_blas_rungs."), xengine_ladder_file("x5_")},
           [](const XEngineCase& c, Stream& s) { return prepare_blas(c, false, s); }},
          {"gpu.blas.complex",
           "to floats, cuBLAS cgemm per channel",
           {xengine_ladder_file("xengine_blas_rungs."), xengine_ladder_file("x11_")},
           [](const XEngineCase& c, Stream& s) { return prepare_blas(c, true, s); }}};
}

}  // namespace tessera
