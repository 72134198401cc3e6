// SPDX-License-Identifier: Apache-2.0
/// Rotation measure synthesis as a non-uniform Fourier transform: the tables for a regular grid of
/// depths and any channels, computed in double, for the CPU and for CUDA.
///
/// With phi_p = phi_centre + j dphi and x_k = 2 dphi d_k the sum is one of exp(-i j x_k). Channel k
/// is spread with a short kernel over cells of a periodic grid of M cells,
///
///     b(cell) = sum over k of turn_k P_k kernel(cell - x_k M / 2 pi),
///     F_p ~ correction_p sum over cells of b(cell) exp(-2 pi i j cell / M),
///
/// which is a plain transform, with n of M results wanted and only some cells not zero: the
/// channels cover 2 dphi (range of lambda^2) of the 2 pi. Channels further around wrap. Because
/// depths are counted from the middle one and the kernel is even, corrections are real.
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

/// The narrowest kernel that is accurate to a tolerance.
struct FaradayKernel {
  int width = 0;  ///< cells
  double beta = 0;
  double error = 0;  ///< largest, relative to sum |turn_k P_k|, over positions between cells

  double at(double t) const;  ///< t cells from the middle
};

/// `oversampling` is the number of grid cells per depth, at least 1.25; the lower, the wider the
/// kernel.
FaradayKernel faraday_kernel(double oversampling, double tolerance);

struct FaradayNufft {
  int grid = 0, width = 0;
  double error = 0;  ///< of the kernel, as above
  /// The depth of frequency 0: j = p - centre.
  int centre = 0;
  /// The part of the grid that is not zero; it may wrap around the end of the grid.
  int first_cell = 0, cells = 0;
  /// Per channel: its first cell, counted from first_cell. The others follow, first + width <=
  /// cells, unless cells == grid: then they wrap. A channel that does not count has turn 0 and
  /// first 0.
  std::vector<int> first;
  std::vector<float> weight;               ///< per channel: `width` of them
  std::vector<std::complex<double>> turn;  ///< w_k / (sum of w) exp(-2 i phi_centre d_k)
  std::vector<double> correction;          ///< per depth

  /// The grid's cell of the i-th cell from first_cell.
  int cell(int i) const { return (first_cell + i) % grid; }
};

/// The kernel's part of the 1e-5 that float guarantees; the rest is for rounding.
inline constexpr double kFaradayNufftTolerance = 1e-6;

/// Depths must be regular; `grid` is at least 1.25 times their number, and at least the width of
/// the kernel (16 is enough).
FaradayNufft faraday_nufft(const FaradayAxes& axes, int grid,
                           double tolerance = kFaradayNufftTolerance);

/// Why nufft cannot solve a problem on the CPU; empty: it can. Devices have their own limits
/// (why_no_faraday_nufft_on_device).
std::string why_no_faraday_nufft(const FaradayProblem& problem);

FaradayRunnerPointer make_faraday_nufft_cpu(const FaradayProblem& problem);
double faraday_nufft_cpu_seconds(const FaradayProblem& problem, const Machine& machine);

}  // namespace tessera
