// SPDX-License-Identifier: Apache-2.0
/// The result of jobs that turn one image into another.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "jobs/reference_check.hpp"
#include "jobs/timing.hpp"
#include "tessera/options.hpp"

namespace tessera {

struct ImageResult {
  std::string ran;  ///< the plan in words
  std::string input, output;
  StageSeconds seconds;
  double pixels_per_second = 0;  ///< over all stages
  std::optional<ReferenceCheck> check;
  std::vector<std::string> notes;     ///< for the user; nothing is wrong
  std::vector<std::string> warnings;  ///< what --allow-truncated filled

  static constexpr auto fields() {
    using R = ImageResult;
    return std::tuple{
        field("ran", &R::ran, "what ran"),
        field("input", &R::input, "the image read"),
        field("output", &R::output, "the image written"),
        field("seconds", &R::seconds, "how long the stages took; they overlap"),
        field("pixels_per_second", &R::pixels_per_second,
              "output pixels per second, including reading and writing"),
        field("check", &R::check, "how far the result is from the reference"),
        field("notes", &R::notes, "what the output does not say of the input, and other notes"),
        field("warnings", &R::warnings, "parts that were missing and filled"),
    };
  }
  std::string describe() const;

 protected:
  std::string describe_run() const;  ///< without the notes, which come last
};

}  // namespace tessera
