// SPDX-License-Identifier: Apache-2.0
// The table of methods: what each refuses, what it should cost, how it is made.
#include <algorithm>

#include "ops/cells/cells_problem.hpp"
#include "tune/method_list.hpp"

namespace tessera {
namespace {

std::string refuses_classic(const CellsProblem& p) {
  return p.options.model == CellsModel::classic ? "the classic model has one method, classic" : "";
}
std::string refuses_corrected(const CellsProblem& p) {
  const std::string reason = why_not_on_host(p.frame);
  if (!reason.empty()) return reason;
  return p.options.model == CellsModel::corrected ? "this method is for the classic model" : "";
}
std::string refuses_on_host(const CellsProblem& p) {
  const std::string reason = why_not_on_host(p.frame);
  return reason.empty() ? refuses_classic(p) : reason;
}
std::string refuses_on_device(const CellsProblem& p) {
  const std::string reason = why_no_device(p.device);
  return reason.empty() ? refuses_classic(p) : reason;
}

/// Multiply-adds and similar operations per frame, for a typical number of cells: circles every few
/// frames, smoothing and background at every pixel, and fields of 49 x 49 pixels in 20 iterations.
double operations(const CellsProblem& p) {
  constexpr double kFilmCells = 36, kFieldOperations = 49.0 * 49 * 20 * 20, kPixelOperations = 60;
  const double pixels = static_cast<double>(p.frame.size.pixels());
  const double centres = 1.0 * p.entry.width * p.entry.height;
  const double circles = centres * static_cast<double>(p.radii.size()) * p.options.samples * 4;
  return kFilmCells * kFieldOperations + pixels * kPixelOperations +
         circles / std::max(1, p.options.detect_every);
}

double reference_seconds(const CellsProblem& p, const Machine&) {
  return kOnlyOnRequest + 1e-9 * operations(p);
}
double simd_seconds(const CellsProblem& p, const Machine& m) {
  return 2 * operations(p) / (0.25 * m.cpu_flops);
}
// A frame is a chain of small launches: a GPU waits for their latency, not for arithmetic.
double cuda_seconds(const CellsProblem& p, const Machine& m) {
  return 200e-6 + 2 * operations(p) / (0.1 * m.device_flops(p.device));
}

}  // namespace

const std::vector<CellsMethod>& cells_methods() {
  static const std::vector<CellsMethod> methods{
      {"reference", Backend::cpu, refuses_on_host, reference_seconds, make_cells_reference},
      {"classic", Backend::cpu, refuses_corrected, reference_seconds, make_cells_classic},
      {"simd", Backend::cpu, refuses_on_host, simd_seconds, make_cells_simd},
      {"blocks", Backend::cuda, refuses_on_device, cuda_seconds, make_cells_cuda},
  };
  return methods;
}

static const RegisteredMethods cells_methods_list("cells",
                                                  [] { return names_of_methods(cells_methods()); });

}  // namespace tessera
