// SPDX-License-Identifier: Apache-2.0
/// Histograms as files: CSV, JSON, or a picture.
#pragma once

#include <string>
#include <vector>

#include "tessera/enhance.hpp"

namespace tessera {

/// What a step counted in the first plane, and the counts of the result: a finding for all colours
/// together or one a channel.
struct Histograms {
  EnhanceStep step = EnhanceStep::histogram;
  std::vector<EnhanceFinding> before, after;
};

/// The first step that counted; `after` are the result's counts.
Histograms histograms_of(const std::vector<EnhanceFinding>& found,
                         std::vector<EnhanceFinding> after);

/// All files that write_histograms may make for a name, the name first. Throws Error(usage) for
/// other endings than .csv, .json, .svg and .png.
std::vector<std::string> histogram_files(const std::string& path);

/// Old or whole; `input` stands in the picture's title. Returns how to get a picture that could not
/// be drawn, or "".
std::string write_histograms(const std::string& path, const std::string& input,
                             const Histograms& histograms, bool force);

}  // namespace tessera
