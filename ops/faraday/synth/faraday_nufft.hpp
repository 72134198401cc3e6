// SPDX-License-Identifier: Apache-2.0
/// Rotation measure synthesis as a non-uniform Fourier transform: what a regular grid of depths and
/// any channels need, made in double, for the CPU and for CUDA.
///
/// With phi_p = phi_centre + j dphi and x_k = 2 dphi d_k the sum is one of exp(-i j x_k). Channel k
/// is spread with a short kernel over cells of a periodic grid of M cells,
///
///     b(cell) = sum over k of turn_k P_k kernel(cell - x_k M / 2 pi),
///     F_p ~ correction_p sum over cells of b(cell) exp(-2 pi i j cell / M),
///
/// which is a plain transform, of which n of M results are wanted and only some cells are not zero:
/// the channels lie within 2 dphi (range of lambda^2) of the 2 pi. What lies further round wraps.
/// Because depths are counted from the middle one and the kernel is even, corrections are real.
///
/// The kernel is exp(beta (sqrt(1 - (2 t / width)^2) - 1)) (Barnett, Magland and af Klinteberg
/// 2019).
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "core/machine.hpp"
#include "ops/faraday/synth/faraday_problem.hpp"
#include "tessera/faraday.hpp"

namespace tessera {

/// The narrowest kernel that is right to a tolerance.
struct FaradayKernel {
  int width = 0;  ///< cells
  double beta = 0;
  double error = 0;  ///< greatest, of sum |turn_k P_k|, found by trying places between cells

  double at(double t) const;  ///< t cells from the middle
};

/// `oversampling` is cells of the grid a depth, 1.25 at least; the less, the wider.
FaradayKernel faraday_kernel(double oversampling, double tolerance);

struct FaradayNufft {
  int grid = 0, width = 0;
  double error = 0;  ///< of the kernel, as above
  /// The depth of frequency 0: j = p - centre.
  int centre = 0;
  /// The part of the grid that is not zero; it may run over the grid's end.
  int first_cell = 0, cells = 0;
  /// A channel: its first cell, counted from first_cell. The others follow, first + width <= cells,
  /// unless cells == grid: then they wrap. A channel that does not count has turn 0 and first 0.
  std::vector<int> first;
  std::vector<float> weight;               ///< a channel: `width` of them
  std::vector<std::complex<double>> turn;  ///< a channel: w_k / (sum of w) exp(-2 i phi_centre d_k)
  std::vector<double> correction;          ///< a depth

  /// The grid's cell of the i-th cell from first_cell.
  int cell(int i) const { return (first_cell + i) % grid; }
};

/// The kernel's part of the 1e-5 that float promises; the rest is for rounding.
inline constexpr double kFaradayNufftTolerance = 1e-6;

/// Depths must be regular; `grid` is 1.25 times their number at least, and no less than the kernel
/// is wide (16 does).
FaradayNufft faraday_nufft(const FaradayAxes& axes, int grid,
                           double tolerance = kFaradayNufftTolerance);

/// Why nufft cannot do a problem on the CPU; empty: it can. Devices have limits of their own
/// (why_no_faraday_nufft_on_device).
std::string why_no_faraday_nufft(const FaradayProblem& problem);

FaradayRunnerPointer make_faraday_nufft_cpu(const FaradayProblem& problem);
double faraday_nufft_cpu_seconds(const FaradayProblem& problem, const Machine& machine);

}  // namespace tessera
