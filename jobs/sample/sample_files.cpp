// SPDX-License-Identifier: Apache-2.0
#include "jobs/sample/sample_files.hpp"

#include <fmt/format.h>

#include "tessera/error.hpp"
#include "tessera/image.hpp"

namespace tessera {

SampleName sample_name(const std::string& sample, const std::string& output,
                       const std::string& others) {
  for (const std::string ending : {".fits", ".fit", ".npy"})
    if (output.ends_with(ending) && output.size() > ending.size())
      return {output.substr(0, output.size() - ending.size()), ending};
  throw Error(ErrorKind::usage, fmt::format("{}: '{}' has no known ending; write sky.fits or "
                                            "sky.npy, from which the names {} are derived",
                                            sample, output, others));
}

StripPlan copying_plan(const ImageInfo& info, std::size_t images) {
  return {std::vector(images, info), std::vector(images, info), [](Rows out) { return out; },
          [](int row) { return row; },
          [](std::span<const Piece> in, std::span<const MutablePiece> out, Stream&) {
            for (std::size_t k = 0; k < in.size(); ++k) copy_samples(in[k].view, out[k].view);
          }};
}

void write_images(const std::vector<SampleImage>& images, Stream& stream,
                  const Progress& progress) {
  std::vector<RowSource*> sources;
  std::vector<RowSink*> sinks;
  for (const SampleImage& image : images) {
    sources.push_back(image.source.get());
    sinks.push_back(image.sink.get());
  }
  stream_rows(sources, sinks, copying_plan(sources[0]->info(), images.size()), stream, progress);
}

void TextOutput::finish() {
  output.file().write_all(0, text.data(), std::ssize(text));
  output.finish();
}

}  // namespace tessera
