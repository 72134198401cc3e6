// SPDX-License-Identifier: Apache-2.0
/// How samples that are several files are named and written.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/strips.hpp"
#include "io/output.hpp"
#include "jobs/progress.hpp"

namespace tessera {

/// "sky.fits" as "sky" and ".fits": names of other files are made of it.
struct SampleName {
  std::string stem, ending;
};
/// FITS and NPY, which hold floats and NaN. Throws Error(usage) that begins with `sample` and says
/// what `others` are made of the name.
SampleName sample_name(const std::string& sample, const std::string& output,
                       const std::string& others);

/// Rows of so many images go through as they are.
StripPlan copying_plan(const ImageInfo& info, std::size_t images = 1);

/// An image of a sample and the file it goes to.
struct SampleImage {
  std::unique_ptr<RowSource> source;
  std::unique_ptr<RowSink> sink;
};
/// All images together, strip by strip. They have the same size and type.
void write_images(const std::vector<SampleImage>& images, Stream& stream, const Progress& progress);

/// A small file, in place when all is done; that it exists already is known at once.
struct TextOutput {
  Output output;
  std::string text;

  void finish();
};

}  // namespace tessera
