// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/faraday_synth_result.hpp"

#include <fmt/format.h>

#include "core/counted.hpp"
#include "jobs/faraday/faraday_patterns.hpp"
#include "jobs/result.hpp"

namespace tessera {

std::string FaradaySynthResult::describe() const {
  std::string text = fmt::format(
      "{}\ndepths {:.6g} to {:.6g} by {:.4g} rad/m^2, RMSF {:.4g} rad/m^2 wide{}, lambda0 {:.6g} "
      "m^2",
      ran, phi_min, phi_max, dphi, fwhm, fitted ? " (fitted)" : "", lambda2_0);
  if (dead_channels > 0)
    text += fmt::format("\n{} of {} {} no data", dead_channels, counted(channels, "channel"),
                        dead_channels == 1 ? "has" : "have");
  if (incomplete_pixels > 0 || empty_pixels > 0)
    text += fmt::format("\n{} {} channels, in {}; {} {} none", counted(incomplete_pixels, "pixel"),
                        incomplete_pixels == 1 ? "lacks" : "lack",
                        patterns > FaradayPatterns::kMost
                            ? fmt::format("more than {} ways", FaradayPatterns::kMost - 1)
                            : counted(patterns - 1, "way"),
                        empty_pixels, empty_pixels == 1 ? "has" : "have");
  if (!fit_ran.empty())
    text += fmt::format("\n{}\nStokes I: {}; the others have no spectrum", fit_ran, fit_counts);
  if (brightest_x >= 0)
    text += fmt::format("\nbrightest: {:.6g} at {:.6g} rad/m^2, pixel {},{}", max_pi, peak_rm,
                        brightest_x, brightest_y);
  if (!clean_ran.empty())
    text += fmt::format(
        "\n{}\n{} {} components, {} in all{}", clean_ran, cleaned_pixels,
        cleaned_pixels == 1 ? "spectrum has" : "spectra have", iterations,
        at_limit > 0 ? fmt::format("; {} reached the limit of iterations", at_limit) : "");
  const std::string rate = fmt::format("{:.0f} spectra/s", pixels_per_second);
  return text + "\n" + files_text(files) + ": " + seconds_text(seconds, rate) + notes_text(notes);
}

}  // namespace tessera
