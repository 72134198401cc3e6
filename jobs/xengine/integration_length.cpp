// SPDX-License-Identifier: Apache-2.0
#include "jobs/xengine/integration_length.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "tessera/error.hpp"

namespace tessera {

long long IntegrationLength::samples_at(const std::optional<double>& sample_rate) const {
  if (seconds == 0) return samples;
  if (!sample_rate)
    throw Error(ErrorKind::usage,
                fmt::format("xengine: an integration is {} s, but the recording does not state its "
                            "sample rate; give --sample-rate, or --integrate in samples",
                            seconds));
  const double count = seconds * *sample_rate;
  if (count < 0.5 || count > 9e18)
    throw Error(
        ErrorKind::usage,
        fmt::format(
            "xengine: an integration of {} s is {:.3g} samples at {} Hz; give at least one sample",
            seconds, count, *sample_rate));
  return std::max(1LL, std::llround(count));
}

std::string to_text(const IntegrationLength& value) {
  if (value.seconds > 0) return fmt::format("{}s", value.seconds);
  return value.samples > 0 ? fmt::format("{}", value.samples) : "all";
}

void from_text(std::string_view what, std::string_view text, IntegrationLength& value) {
  value = {};
  if (text == "all") return;
  const bool in_seconds = text.ends_with('s');
  const char *first = text.data(), *last = first + text.size() - (in_seconds ? 1 : 0);
  const auto [stop, error] = in_seconds ? std::from_chars(first, last, value.seconds)
                                        : std::from_chars(first, last, value.samples);
  const bool right =
      in_seconds ? value.seconds > 0 && std::isfinite(value.seconds) : value.samples > 0;
  if (error != std::errc() || stop != last || !right)
    throw Error(ErrorKind::usage, fmt::format("{}: '{}' is not the length of an integration; write "
                                              "samples such as 4096, seconds such as 0.5s, or all",
                                              what, text));
}

}  // namespace tessera
