// SPDX-License-Identifier: Apache-2.0
/// Operations on files that treat every plane as a separate image: all planes at once, or plane
/// after plane if a file must be read in that order (videos, pages of a TIFF).
#pragma once

#include <functional>

#include "io/image_file.hpp"
#include "jobs/progress.hpp"
#include "jobs/timing.hpp"

namespace tessera {

/// One plane of an image file, as a separate image.
class OnePlaneSource : public RowSource {
 public:
  OnePlaneSource(ImageSource& inner, int plane) : inner_(inner), plane_(plane) {}
  ImageInfo info() const override;
  void read(Rows rows, AnyMutableView to) override { inner_.read_plane(plane_, rows, to); }

 private:
  ImageSource& inner_;
  int plane_;
};

class OnePlaneSink : public RowSink {
 public:
  OnePlaneSink(ImageSink& inner, int plane) : inner_(inner), plane_(plane) {}
  void write(Rows rows, AnyView from) override { inner_.write_plane(plane_, rows, from); }
  void finish() override {}  // the file is finished after its last plane
  int block_rows() const override { return inner_.block_rows(); }

 private:
  ImageSink& inner_;
  int plane_;
};

/// Whether work from `source` to `sink` goes plane after plane.
bool in_turn(const ImageSource& source, const ImageSink& sink);

/// `plan` is for the whole image, or for one of its planes if in_turn says so.
void stream_planes(ImageSource& source, ImageSink& sink, const StripPlan& plan, Stream& stream,
                   StageSeconds& seconds, const Progress& progress);

}  // namespace tessera
