// SPDX-License-Identifier: Apache-2.0
/// Kernels of the method `dot`: what an instruction set multiplies, and the data layout it needs.
///
/// A word is two samples of an input, bytes (re, im, re, im); a panel is some inputs that are
/// packed together, [step][input of the panel] words. With A an input's samples and B the same
/// samples turned to (im, ~re),
///
///     Re_ij = dot(A_i, A_j)
///     Im_ij = dot(B_i, A_j) + S_j,   S_j = sum of the imaginary parts of j
///
/// because ~x = -x - 1: nothing is negated, and -128 is a sample like any other. Intermediate sums
/// wrap modulo 2^32; the final value fits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tessera {

/// Panels of a channel and a stretch of time. They are `panel_words` apart.
struct DotPanels {
  const std::uint32_t *columns, *rows, *turned;
  long long panel_words;
  int steps;
};

/// Terms missing from a kernel's sums: dot(B_i, A_j) lacks S_j; with columns stored as unsigned
/// numbers offset by 128, 128 times the sum of a row's bytes has been added too.
enum class DotLack : unsigned char { nothing, turned, turned_unsigned };

struct DotKernel {
  const char* name;  ///< as in byte_isa.hpp: "neon-dot"
  int panel;         ///< inputs
  int whole_steps;   ///< steps come in multiples of it
  bool own_rows;     ///< rows have another layout than columns; otherwise they are the same memory
  DotLack lack;
  /// Products per second, relative to the CPU's peak of f32 multiply-adds. Measured: neon-dot,
  /// scalar (Neoverse N1); the others are fractions of their instructions' rates.
  double speed;
  /// Makes rows and turned rows from a panel of words, which become the columns; adds sums of the
  /// samples to parts[input of the panel][re, im] if `lack` needs them.
  void (*arrange)(std::uint32_t* columns, std::uint32_t* rows, std::uint32_t* turned, int steps,
                  std::int32_t* parts);
  /// Adds a row panel times columns [first, first + count): tiles[panel][re, im][row][column].
  void (*multiply)(const DotPanels& in, int row, int first, int count, std::int32_t* tiles);
};

/// Those of this architecture, null if the compiler does not support them.
const DotKernel* amx_kernel();
const DotKernel* vnni_kernel();
const DotKernel* avx2_kernel();
const DotKernel* i8mm_kernel();
const DotKernel* neon_dot_kernel();
const DotKernel* scalar_dot_kernel();

/// Those that this CPU can run, best first; the last is "scalar".
const std::vector<const DotKernel*>& dot_kernels();
/// The one that new plans use: the best that the chosen instruction set allows.
const DotKernel& current_dot_kernel();

}  // namespace tessera
