// SPDX-License-Identifier: Apache-2.0
/// Names and writing of samples that consist of several files.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/strips.hpp"
#include "io/output.hpp"
#include "jobs/progress.hpp"

namespace tessera {

/// "sky.fits" as "sky" and ".fits", from which other names are derived.
struct SampleName {
  std::string stem, ending;
};
/// FITS and NPY, which hold floats and NaN. Throws Error(usage) that begins with `sample` and names
/// the `others` derived from the name.
SampleName sample_name(const std::string& sample, const std::string& output,
                       const std::string& others);

/// Passes rows of several images through unchanged.
StripPlan copying_plan(const ImageInfo& info, std::size_t images = 1);

/// An image of a sample and its file.
struct SampleImage {
  std::unique_ptr<RowSource> source;
  std::unique_ptr<RowSink> sink;
};
/// Writes all images together, strip by strip. They have the same size and type.
void write_images(const std::vector<SampleImage>& images, Stream& stream, const Progress& progress);

/// A small file, renamed when everything is done; if it exists already, that is reported at once.
struct TextOutput {
  Output output;
  std::string text;

  void finish();
};

}  // namespace tessera
