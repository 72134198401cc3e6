// SPDX-License-Identifier: Apache-2.0
// For every CPU: plain integers, which compilers vectorise as far as they can.
#include "ops/xengine/cpu/xengine_dot_kernel.hpp"

namespace tessera {
namespace {

constexpr int kPanel = 8;

constexpr int byte_of(std::uint32_t word, int byte) {
  return static_cast<std::int8_t>(word >> (8 * byte));
}

void arrange(std::uint32_t*, std::uint32_t*, std::uint32_t*, int, std::int32_t*) {}

/// One row: the inner loop has one output per column.
void multiply_row(const std::uint32_t* rows, const std::uint32_t* columns, int steps,
                  std::int32_t* re, std::int32_t* im) {
  for (int k = 0; k < steps; ++k) {
    const std::uint32_t a = rows[k * kPanel];
    const int a0 = byte_of(a, 0), a1 = byte_of(a, 1), a2 = byte_of(a, 2), a3 = byte_of(a, 3);
    for (int j = 0; j < kPanel; ++j) {
      const std::uint32_t b = columns[k * kPanel + j];
      const int b0 = byte_of(b, 0), b1 = byte_of(b, 1), b2 = byte_of(b, 2), b3 = byte_of(b, 3);
      re[j] += a0 * b0 + a1 * b1 + a2 * b2 + a3 * b3;
      im[j] += a1 * b0 - a0 * b1 + a3 * b2 - a2 * b3;
    }
  }
}

void multiply(const DotPanels& in, int row, int first, int count, std::int32_t* tiles) {
  const std::uint32_t* rows = in.rows + row * in.panel_words;
  for (int c = 0; c < count; ++c)
    for (int i = 0; i < kPanel; ++i) {
      std::int32_t* re = tiles + (2 * c * kPanel + i) * kPanel;
      multiply_row(rows + i, in.columns + (first + c) * in.panel_words, in.steps, re,
                   re + kPanel * kPanel);
    }
}

}  // namespace

const DotKernel* scalar_dot_kernel() {
  static constexpr DotKernel kernel{"scalar",         kPanel, 1,       false,
                                    DotLack::nothing, 0.1,    arrange, multiply};
  return &kernel;
}

}  // namespace tessera
