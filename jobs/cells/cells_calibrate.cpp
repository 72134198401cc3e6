// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/cells_calibrate.hpp"

#include <fmt/format.h>

#include <cmath>

namespace tessera {
namespace {

/// Intravital films are recorded at the rate of television.
constexpr double kUsualRate = 30;

/// Values that print the same are the same: those of files are rounded.
bool differ(double given, double own) { return std::abs(given - own) > 1e-5 * std::abs(own); }

void set_rate(const CellsJob& job, const FrameTiming& timing, CellsCalibration& calibration,
              std::vector<std::string>& notes) {
  const double own = timing.frames_a_second;
  calibration.frame_rate_from = job.film.frame_rate ? "given" : own > 0 ? "film" : "assumed";
  calibration.frame_rate = job.film.frame_rate.value_or(own > 0 ? own : kUsualRate);
  if (calibration.frame_rate_from == "assumed")
    notes.push_back(fmt::format(
        "{} does not state its frame rate; {} frames per second are assumed; give --frame-rate",
        job.input, kUsualRate));
  if (job.film.frame_rate && own > 0 && differ(*job.film.frame_rate, own))
    notes.push_back(fmt::format("{} states {:.6g} frames per second; the given {:.6g} are used",
                                job.input, own, *job.film.frame_rate));
  if (timing.variable)
    notes.push_back(
        fmt::format("the frames of {} are not evenly spaced in time; times are frame numbers at "
                    "{:.6g} frames per second",
                    job.input, calibration.frame_rate));
}

void set_pixels(const CellsJob& job, double own, CellsCalibration& calibration,
                std::vector<std::string>& notes) {
  calibration.um_per_pixel_from = job.film.um_per_pixel ? "given" : own > 0 ? "film" : "unknown";
  calibration.um_per_pixel = job.film.um_per_pixel;
  if (!calibration.um_per_pixel && own > 0) calibration.um_per_pixel = own;
  if (job.film.um_per_pixel && own > 0 && differ(*job.film.um_per_pixel, own))
    notes.push_back(fmt::format("{} states {:.6g} um per pixel; the given {:.6g} are used",
                                job.input, own, *job.film.um_per_pixel));
}

}  // namespace

CellsCalibration calibrate(const CellsJob& job, const FilmSource& source,
                           std::vector<std::string>& notes) {
  CellsCalibration calibration;
  set_rate(job, source.timing(), calibration, notes);
  set_pixels(job, source.um_per_pixel(), calibration, notes);
  return calibration;
}

std::string calibration_text(const CellsCalibration& calibration) {
  std::string text = fmt::format("{:.6g} frames per second ({})", calibration.frame_rate,
                                 calibration.frame_rate_from);
  if (calibration.um_per_pixel)
    text += fmt::format(", {:.6g} um per pixel ({})", *calibration.um_per_pixel,
                        calibration.um_per_pixel_from);
  return text;
}

}  // namespace tessera
