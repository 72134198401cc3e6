// SPDX-License-Identifier: Apache-2.0
/// An image file through the sweeps of enhance: as often as its steps must look, then row by row to
/// the result. Nothing but strips is in memory unless the whole image fits.
#pragma once

#include <functional>

#include "io/image_file.hpp"
#include "jobs/progress.hpp"
#include "jobs/settings.hpp"
#include "jobs/timing.hpp"
#include "tessera/enhance.hpp"
#include "tessera/image.hpp"

namespace tessera {

/// Keeps the rows it has read, where `keep`: what is gone through several times is decoded once.
class KeptRows : public RowSource {
 public:
  KeptRows(RowSource& inner, bool keep);
  ImageInfo info() const override { return inner_.info(); }
  void read(Rows rows, AnyMutableView to) override;

 private:
  RowSource& inner_;
  Image image_;   ///< empty where nothing is kept
  int have_ = 0;  ///< rows in it
};

/// Told the rows of the image and what became of them, in order.
using SeeRows = std::function<void(const Piece& in, const MutablePiece& out)>;

/// All sweeps that only look, over one image, and what they found.
EnhanceState look_at_rows(const Enhance& plan, RowSource& source, Stream& stream,
                          StageSeconds& seconds, const Progress& progress);

/// The rows of a result, as a plan for strips.
StripPlan strips_of(const Enhance& plan, const EnhanceState& state, const SeeRows& see = {});

/// How a file is gone through.
struct EnhanceRoad {
  const RunSettings& settings;
  std::function<Enhance(const ImageInfo&)> plan_of_plane;  ///< for files that go plane after plane
  SeeRows see;                                             ///< of the first plane then
};

/// A file into another, all planes at once or plane after plane; `sink` is left to be finished.
/// Returns what the steps found; counts and curves are those of the first plane alone where planes
/// come one after the other, as they do where steps look at them.
std::vector<EnhanceFinding> enhance_file(const Enhance& plan, ImageSource& source, ImageSink& sink,
                                         const EnhanceRoad& road, StageSeconds& seconds,
                                         const Progress& progress);

}  // namespace tessera
