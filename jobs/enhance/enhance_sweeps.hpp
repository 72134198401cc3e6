// SPDX-License-Identifier: Apache-2.0
/// The sweeps of enhance over an image file: one per measurement of its steps, then row by row to
/// the result. Only strips are in memory unless the whole image fits.
#pragma once

#include <functional>

#include "io/image_file.hpp"
#include "jobs/progress.hpp"
#include "jobs/settings.hpp"
#include "jobs/timing.hpp"
#include "tessera/enhance.hpp"
#include "tessera/image.hpp"

namespace tessera {

/// Keeps the rows it has read if `keep`: an image that is read several times is decoded once.
class KeptRows : public RowSource {
 public:
  KeptRows(RowSource& inner, bool keep);
  ImageInfo info() const override { return inner_.info(); }
  void read(Rows rows, AnyMutableView to) override;

 private:
  RowSource& inner_;
  Image image_;   ///< empty if nothing is kept
  int have_ = 0;  ///< rows in it
};

/// Receives the rows of the image and of the result, in order.
using SeeRows = std::function<void(const Piece& in, const MutablePiece& out)>;

/// All sweeps that measure one image, and their findings.
EnhanceState look_at_rows(const Enhance& plan, RowSource& source, Stream& stream,
                          StageSeconds& seconds, const Progress& progress);

/// The rows of a result, as a plan for strips.
StripPlan strips_of(const Enhance& plan, const EnhanceState& state, const SeeRows& see = {});

/// How a file is processed.
struct EnhanceRoad {
  const RunSettings& settings;
  std::function<Enhance(const ImageInfo&)> plan_of_plane;  ///< for files that go plane after plane
  SeeRows see;                                             ///< then only for the first plane
};

/// A file into another, all planes at once or plane after plane; `sink` is left to be finished.
/// Returns the findings of the steps; counts and curves are only those of the first plane if planes
/// come one after another, as they do if steps measure them.
std::vector<EnhanceFinding> enhance_file(const Enhance& plan, ImageSource& source, ImageSink& sink,
                                         const EnhanceRoad& road, StageSeconds& seconds,
                                         const Progress& progress);

}  // namespace tessera
