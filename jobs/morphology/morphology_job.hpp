// SPDX-License-Identifier: Apache-2.0
/// Erodes or dilates an image file into another, or does what is made of both (openings, top-hats).
/// Rows are streamed, so files may be larger than memory.
///
///     MorphologyJob job{.kind = MorphologyKind::erode, .input = "in.png", .element = "disk:3",
///                       .output = "out.png"};
///     ImageResult result = job.run();
#pragma once

#include <string>

#include "io/image_file.hpp"
#include "jobs/image_result.hpp"
#include "jobs/progress.hpp"
#include "jobs/settings.hpp"
#include "tessera/morphology.hpp"

namespace tessera {

struct MorphologyJob {
  MorphologyKind kind = MorphologyKind::erode;
  std::string input;    ///< an image file, or "-"
  std::string element;  ///< an element by name ("disk:12") or the nonzero pixels of an image file
  std::string output;   ///< an image file, or "-"
  MorphologyOptions options;
  ReadOptions reading;
  WriteOptions writing;
  RunSettings settings;
  bool check = false;  ///< compare the file written with the reference

  /// Throws Error; with `check`, Error(failure) if the result differs from the reference.
  ImageResult run(const Progress& progress = {}) const;
};

/// The element a word stands for: a file if it has the ending of an image format, else a name.
Image load_element(const std::string& text);

}  // namespace tessera
