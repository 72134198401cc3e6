// SPDX-License-Identifier: Apache-2.0
/// The result of a part of a run.
#pragma once

#include <string>
#include <tuple>

#include "jobs/parts/part_record.hpp"
#include "tessera/options.hpp"

namespace tessera {

struct PartResult {
  int part = 0, parts = 0;
  long long units = 0;
  double seconds = 0;
  std::string ran, folder, output;

  static constexpr auto fields() {
    using R = PartResult;
    return std::tuple{field("part", &R::part, "number of the part, from 1"),
                      field("parts", &R::parts, "number of all parts"),
                      field("units", &R::units, "units of work that the part did"),
                      field("seconds", &R::seconds, "whole duration"),
                      field("ran", &R::ran, "what ran"),
                      field("folder", &R::folder, "where the part is kept"),
                      field("output", &R::output, "what join makes of all parts")};
  }
  std::string describe() const;
};

/// The record of a part that runs these words here. Throws Error(usage) for words that cannot be
/// kept.
PartRecord new_record(const PartOfRun& part, const std::string& output,
                      const std::vector<std::string>& words);

}  // namespace tessera
