// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/counted.hpp"
#include "jobs/channelise/channelise_job.hpp"
#include "jobs/result.hpp"

namespace tessera {

std::string ChanneliseResult::describe() const {
  std::string text = fmt::format(
      "{}\n{}: {} samples of {} to {} {} of {} in {}", ran, format, samples, samples_type, spectra,
      spectra == 1 ? "spectrum" : "spectra", output_type, counted(channels, "channel"));
  if (sample_rate) text += fmt::format(", {:.6g} per second", *sample_rate);
  if (frequency_first)
    text += fmt::format(", {:.9g} to {:.9g} MHz", *frequency_first / 1e6, *frequency_last / 1e6);
  if (missing > 0) text += fmt::format(", {:.3g}% without data", 100 * missing);
  text += fmt::format("\n{}\n{}", fmt::join(files, ", "),
                      seconds_text(seconds, fmt::format("{:.3g} Gbit/s", gigabits_per_second)));
  return text + notes_text(notes);
}

}  // namespace tessera
