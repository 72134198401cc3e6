// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/faraday_synth_result.hpp"

#include <fmt/format.h>

#include "tessera/error.hpp"

namespace tessera {

std::string FaradaySynthResult::describe() const {
  std::string text = fmt::format(
      "{}\ndepths {:.6g} to {:.6g} by {:.4g} rad/m^2, RMSF {:.4g} rad/m^2 wide{}, lambda0 {:.6g} "
      "m^2",
      ran, phi_min, phi_max, dphi, fwhm, fitted ? " (fitted)" : "", lambda2_0);
  if (dead_channels > 0)
    text += fmt::format("\n{} of {} channels have no value", dead_channels, channels);
  if (incomplete_pixels > 0 || empty_pixels > 0)
    text += fmt::format("\n{} pixels lack channels, in {} ways; {} have none", incomplete_pixels,
                        patterns - 1, empty_pixels);
  if (brightest_x >= 0)
    text += fmt::format("\nbrightest: {:.6g} at {:.6g} rad/m^2, pixel {},{}", max_pi, peak_rm,
                        brightest_x, brightest_y);
  text += fmt::format(
      "\n{}{}: {:.3g} s, {:.0f} spectra/s (read {:.3g} s, work {:.3g} s, write "
      "{:.3g} s)",
      files.empty() ? "nothing" : files.front(),
      files.size() > 1 ? fmt::format(" and {} more", files.size() - 1) : "", seconds.all,
      pixels_per_second, seconds.read, seconds.work, seconds.write);
  return text;
}

std::vector<std::string> FaradaySynthResult::complaints() const {
  std::vector<std::string> all;
  for (const std::string& note : notes) all.push_back("note: " + note);
  for (const std::string& sentence : filled) all.push_back("warning: " + sentence);
  return all;
}

int FaradaySynthResult::exit_code() const {
  return filled.empty() ? 0 : static_cast<int>(ErrorKind::partial);
}

}  // namespace tessera
