// SPDX-License-Identifier: Apache-2.0
/// The study of the X-engine: Banyer, "CPU v GPU: a tale of three astro algorithms" (CAASTRO):
/// layouts, where sums grow, streams, and BLAS in float against integers, on CPU and GPU.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ops/xengine/study/xengine_rungs.hpp"
#include "study/published.hpp"
#include "study/studies.hpp"

namespace tessera {

/// The talk's number is lost with a picture; this is ours.
inline constexpr int kXEngineStudyInputs = 128;

/// Every rung wanted: tested, timed.
StudyResult run_xengine_study(const StudyOptions& options, const StudyProgress& progress);

/// What the talk says.
const std::vector<PublishedFigure>& xengine_published();

/// Ratios of times; none where a part did not run.
struct XEngineRatios {
  std::optional<double> cpu_layout;          ///< [time][input] over [input][time]
  std::optional<double> hand_over_blas;      ///< CPU: the best loops by hand over CBLAS
  std::optional<double> gpu_layout;          ///< [input][time] over [time][input]
  std::optional<double> global_over_shared;  ///< where sums grow
  std::optional<double> shared_over_registers;
  std::optional<double> hand_over_cublas;     ///< GPU: the best kernel by hand over cuBLAS
  std::optional<double> copies_over_compute;  ///< both ways over the kernel, one stream
  std::optional<double> one_over_several;     ///< one stream over several
  std::optional<double> cpu_over_gpu;         ///< by hand: CPU over GPU
  std::optional<double> cpu_over_gpu_ways;    ///< the same with the ways there and back
  std::optional<double> blas_over_blas;       ///< CBLAS over cuBLAS
  std::optional<double> ours_over_blas_cpu;   ///< CBLAS over the product's best
  std::optional<double> ours_over_blas_gpu;   ///< cuBLAS over the product's best
};
/// `transfer` is none without a device.
XEngineRatios xengine_ratios(const StudyResult& result,
                             const std::optional<XEngineTransfer>& transfer);

std::string xengine_tables(const StudyResult& result,
                           const std::optional<XEngineTransfer>& transfer);
/// What is fastest today, and GPU against CPU beside what the talk found, in a sentence.
std::string xengine_verdict(const StudyResult& result);

}  // namespace tessera
