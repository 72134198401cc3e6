// SPDX-License-Identifier: Apache-2.0
/// The study of background and noise: Banyer, "CPU v GPU: a tale of three astro algorithms"
/// (CAASTRO): boxes that are sorted against boxes that are counted, on CPU and GPU.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ops/noise/study/noise_rungs.hpp"
#include "study/published.hpp"
#include "study/studies.hpp"

namespace tessera {

/// The talk's is lost; this is ours. Its box was 64.
inline constexpr int kNoiseStudySide = 1024;

/// Every rung wanted on every box wanted: tested, timed.
StudyResult run_noise_study(const StudyOptions& options, const StudyProgress& progress);

/// What the talk says.
const std::vector<PublishedFigure>& noise_published();

/// Ratios of times; none where a part did not run.
struct NoiseRatios {
  std::optional<double> sort_over_histogram;   ///< CPU, every box anew
  std::optional<double> sort_over_select;      ///< CPU
  std::optional<double> histogram_over_slide;  ///< CPU: every box anew over the best that slides
  std::optional<double> one_over_threads;      ///< CPU
  std::optional<double> hand_over_ours;        ///< CPU: the best by hand over ours, binned
  std::optional<double> exact_over_binned;     ///< CPU, ours
  std::optional<double> gpu_sort_over_histogram;
  std::optional<double> gpu_histogram_over_slide;
  std::optional<double> gpu_hand_over_ours;     ///< the best by hand over ours, binned
  std::optional<double> gpu_exact_over_binned;  ///< ours
  std::optional<double> copies_over_compute;    ///< both ways over the kernel that slides
  std::optional<double> cpu_over_gpu;           ///< by hand
  std::optional<double> cpu_over_gpu_ways;      ///< by hand, with the ways there and back
  std::optional<double> ours_over_ours;         ///< CPU over GPU, exact
  std::optional<double> ours_over_ours_ways;    ///< CPU over GPU, exact, with both ways
};
/// `transfer` is none without a device.
NoiseRatios noise_ratios(const StudyResult& result, const std::optional<NoiseTransfer>& transfer);

/// Of one case with so many pixels.
std::string noise_tables(const StudyResult& result, const std::optional<NoiseTransfer>& transfer,
                         double pixels);
/// What is fastest today, and GPU against CPU beside what the talk found, in a sentence.
std::string noise_verdict(const StudyResult& result);

}  // namespace tessera
