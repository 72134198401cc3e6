// SPDX-License-Identifier: Apache-2.0
/// The study of rotation measure synthesis: Banyer, "CPU v GPU: a tale of three astro algorithms"
/// (CAASTRO), hand-written against BLAS, CPU against GPU, single against double, with transfers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ops/faraday/study/faraday_rungs.hpp"
#include "study/published.hpp"
#include "study/studies.hpp"

namespace tessera {

inline constexpr int kFaradayPaperSide = 128;

/// Every rung wanted: tested, timed.
StudyResult run_faraday_study(const StudyOptions& options, const StudyProgress& progress);

/// What the talk says.
const std::vector<PublishedFigure>& faraday_published();

/// Ratios of times in one precision, as the talk has them; none where a part did not run.
struct FaradayRatios {
  std::optional<double> hand_over_blas;       ///< CPU: the best loops by hand over CBLAS
  std::optional<double> hand_over_cublas;     ///< GPU: the best kernel by hand over cuBLAS
  std::optional<double> copies_over_compute;  ///< both ways over the product, one stream
  std::optional<double> one_over_several;     ///< one stream over several
  std::optional<double> cpu_over_gpu;         ///< the talk's best on the CPU over from host to host
  std::optional<double> ours_over_blas_cpu;   ///< CBLAS over the product's best
  std::optional<double> ours_over_blas_gpu;   ///< cuBLAS over the product's best
};
/// `transfer` is none without a device.
FaradayRatios faraday_ratios(const StudyResult& result, Type type,
                             const std::optional<FaradayTransfer>& transfer);

/// The parts of the way there and back, for each of kFaradayTypes.
using FaradayTransfers = std::vector<std::optional<FaradayTransfer>>;

std::string faraday_tables(const StudyResult& result, const FaradayTransfers& transfers);
/// Who is faster today, in a sentence.
std::string faraday_verdict(const StudyResult& result);

}  // namespace tessera
