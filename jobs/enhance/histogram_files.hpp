// SPDX-License-Identifier: Apache-2.0
/// Histograms as files: CSV, JSON, or a picture.
#pragma once

#include <string>
#include <vector>

#include "tessera/enhance.hpp"

namespace tessera {

/// The counts of a step in the first plane, and those of the result: one finding for all colours
/// together or one per channel.
struct Histograms {
  EnhanceStep step = EnhanceStep::histogram;
  std::vector<EnhanceFinding> before, after;
};

/// The first step that counted; `after` are the result's counts.
Histograms histograms_of(const std::vector<EnhanceFinding>& found,
                         std::vector<EnhanceFinding> after);

/// All files that write_histograms may make for a name, the name first. Throws Error(usage) for
/// endings other than .csv, .json, .svg and .png.
std::vector<std::string> histogram_files(const std::string& path);

/// The file is either the old one or complete; `input` is in the picture's title. Returns how to
/// get a picture that could not be drawn, or "".
std::string write_histograms(const std::string& path, const std::string& input,
                             const Histograms& histograms, bool force);

}  // namespace tessera
