// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/faraday_synth_result.hpp"

#include <fmt/format.h>

#include "jobs/faraday/faraday_patterns.hpp"
#include "jobs/result.hpp"

namespace tessera {

std::string FaradaySynthResult::describe() const {
  std::string text = fmt::format(
      "{}\ndepths {:.6g} to {:.6g} by {:.4g} rad/m^2, RMSF {:.4g} rad/m^2 wide{}, lambda0 {:.6g} "
      "m^2",
      ran, phi_min, phi_max, dphi, fwhm, fitted ? " (fitted)" : "", lambda2_0);
  if (dead_channels > 0)
    text += fmt::format("\n{} of {} channels have no data", dead_channels, channels);
  if (incomplete_pixels > 0 || empty_pixels > 0)
    text += fmt::format("\n{} pixels lack channels, in {} ways; {} have none", incomplete_pixels,
                        patterns > FaradayPatterns::kMost
                            ? fmt::format("more than {}", FaradayPatterns::kMost - 1)
                            : fmt::format("{}", patterns - 1),
                        empty_pixels);
  if (!fit_ran.empty())
    text += fmt::format("\n{}\nStokes I: {}; the others have no spectrum", fit_ran, fit_counts);
  if (brightest_x >= 0)
    text += fmt::format("\nbrightest: {:.6g} at {:.6g} rad/m^2, pixel {},{}", max_pi, peak_rm,
                        brightest_x, brightest_y);
  if (!clean_ran.empty())
    text += fmt::format(
        "\n{}\n{} spectra have components, {} in all{}", clean_ran, cleaned_pixels, iterations,
        at_limit > 0 ? fmt::format("; {} reached the limit of iterations", at_limit) : "");
  const std::string rate = fmt::format("{:.0f} spectra/s", pixels_per_second);
  return text + "\n" + files_text(files) + ": " + seconds_text(seconds, rate) + notes_text(notes);
}

}  // namespace tessera
