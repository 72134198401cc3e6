// SPDX-License-Identifier: Apache-2.0
#include "jobs/image_result.hpp"

#include <fmt/format.h>

#include "jobs/result.hpp"

namespace tessera {

std::string ImageResult::describe() const { return describe_run() + notes_text(notes); }

std::string ImageResult::describe_run() const {
  const std::string rate = fmt::format("{:.1f} Mpixel/s", pixels_per_second / 1e6);
  std::string text = fmt::format("{}\n{}: {}", ran, output, seconds_text(seconds, rate));
  return check ? text + "\n" + check->describe() : text;
}

}  // namespace tessera
