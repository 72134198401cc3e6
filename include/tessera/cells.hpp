// SPDX-License-Identifier: Apache-2.0
/// Finds white blood cells in a film and follows them: positions, radii, stable ids.
///
///     tessera::Cells plan({{640, 480}, tessera::Type::u8}, {.flow = 0.0});
///     tessera::CellsState state = plan.start();
///     for (const auto& frame : film) plan.add(state, frame, stream);
///     plan.finish(state, stream);
///     for (const tessera::CellTrack& track : plan.tracks(state)) …
///
/// Coordinates are pixels of the frame: x to the right, y down, (0, 0) the centre of the first
/// pixel.
///
/// A cell is found where the image's gradient points inwards, or outwards, all around a circle.
/// With s_n the outward derivative at n points of a circle, m their mean and v their variance, the
/// score of a circle is m / sqrt(v), the inverse coefficient of variation of the gradient (GICOV);
/// the radius with the largest m^2 / v counts. Bright cells on a dark background have negative
/// scores. A score that is the largest in its neighbourhood and passes the threshold is refined by
/// a closed spline that settles on the outline.
///
/// From frame to frame each cell's outline, a star of 20 radii, settles in a field (MGVF) that
/// spreads edges against the direction of flow, so that a cell that has rolled on pulls it along.
/// Tracks begin with detections, in the first frame and again every few frames; they are bridged
/// over a few frames in which nothing is seen, and end at the frame's edge or when the score fades.
///
/// There are two models. `corrected` is the published method with its defects fixed
/// (docs/cells.md), in double, float or on a GPU: their positions agree to 0.05 px. `classic` is
/// the published program with every quirk, in double on the CPU, so that published numbers can be
/// compared. Tracks do not depend on the number of threads.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "tessera/cells_options.hpp"
#include "tessera/export.hpp"
#include "tessera/image.hpp"
#include "tessera/plan.hpp"
#include "tessera/stream.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// A cell found in one frame.
struct CellDetection {
  double x = 0, y = 0, radius = 0;
  double score = 0;  ///< negative: brighter than the background
};

/// Directions of an outline: equal angles, the first to the right, the next further down.
inline constexpr int kCellDirections = 20;

/// A cell in one frame of its track.
struct CellSpot {
  int frame = 0;  ///< counted from 0
  double x = 0, y = 0, radius = 0;
  double score = 0;
  bool seen = true;  ///< false: bridged, the position is the expected one
  /// Distances of the outline from (x, y) in pixels; all 0 if it was not measured or is doubtful.
  std::array<float, kCellDirections> outline{};

  bool has_outline() const { return outline[0] > 0; }
};

struct CellTrack {
  int id = 0;                   ///< counted from 1 as tracks become long enough; never changes
  std::vector<CellSpot> spots;  ///< one per frame, without gaps
};

/// How far the tissue has moved since the first frame of a film, in pixels.
struct CellDrift {
  double x = 0, y = 0;
};

/// A second look at a film's tracks: a few frames, spread over it, are searched by themselves, with
/// nothing subtracted and without motion.
struct CellsVerdict {
  /// Reasons to doubt the tracks, each a sentence that names the option that decides.
  std::vector<std::string> doubts;
  /// Round objects that are clear in single frames, and those of them that have no track.
  int clear = 0, missed = 0;
  /// If there are no tracks: the step that left none, and the option to try.
  std::string why_no_tracks;
};

/// Films while they are followed: tracks so far, and frames that wait for later ones.
class TESSERA_API CellsState {
 public:
  int films() const;
  int frames_given() const;
  int frames_done() const;  ///< fewer while frames wait; the same after finish

  struct Impl;
  explicit CellsState(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
  Impl& impl() const { return *impl_; }

 private:
  std::shared_ptr<Impl> impl_;
};

/// Options, a frame's size and type, and a chosen method. Immutable; copies share. Frames have one
/// channel, of any type; their scale does not matter. (Frames on a device are used as they are,
/// in float: the largest value should be between 1e-10 and 1e10.) A sample that is not finite
/// counts as the last finite one before it in its row.
///
/// describe(): "cells 640x480 u8, corrected, radii 6 to 14: cpu simd, neon".
class TESSERA_API Cells : public Plan {
 public:
  /// Throws Error(usage) with what would be right.
  explicit Cells(const ImageInfo& frame, const CellsOptions& options = {});

  const ImageInfo& frame() const;
  const CellsOptions& options() const;  ///< with defaults filled in

  /// A single frame: the detections, in order of rows. Nothing is subtracted from it, whatever the
  /// plan does with films, and the default threshold is the one for such frames.
  std::vector<CellDetection> detect(AnyView frame, Stream& stream) const;

  /// Several films of one size can run together, which fills a large GPU. Cells with radii of more
  /// than 22 pixels are followed in frames with larger pixels, each the mean of a square. If no
  /// radius is given, the first 40 frames wait until the sizes in them are measured.
  CellsState start(int films = 1) const;
  /// The next frame of every film, one per plane; the frame may be freed afterwards. Work on a
  /// device is only enqueued, except that the first frames and a few others are copied to the host.
  /// Films whose frame failed midway (no memory) accept no more frames.
  void add(CellsState& state, AnyView frames, Stream& stream) const;
  /// There are no more frames: processes those that wait.
  void finish(CellsState& state, Stream& stream) const;
  /// Tracks of the frames that are done, ordered by id. In pictures with relief both sides of a
  /// cell, one bright and one dark, may be followed: in a finished film they are one track, in the
  /// middle of both, if enough pairs go together in the same direction.
  std::vector<CellTrack> tracks(const CellsState& state, int film = 0) const;
  /// The number of tracks that became part of others in this way.
  int merged_sides(const CellsState& state, int film = 0) const;
  /// Where the tissue lies in each frame of a finished film: a stage may drift, a tissue breathe.
  /// Measured in up to 16 frames, or 40 of a short film, where no cell is followed, to about half a
  /// pixel; between them on straight lines and as jumps were seen. Empty if the tissue stands still
  /// or cannot be recognised. Positions of tracks are those in the frame: minus the drift, they are
  /// places on the tissue.
  std::vector<CellDrift> drift(const CellsState& state, int film = 0) const;
  /// Objects that have no track, tracks that the frames hardly show and circles of other sizes are
  /// doubts.
  CellsVerdict verdict(const CellsState& state, int film = 0) const;
  /// Those of the verdict; empty if there are none.
  std::vector<std::string> doubts(const CellsState& state, int film = 0) const;
  /// Radii of the round objects that were measured in the first frames, ascending; empty if radii
  /// were given. Those of used_options() are other than 6 to 14 pixels if these say so.
  std::vector<double> sizes(const CellsState& state) const;
  /// The options that a film was followed with. In a film of fewer than 36 frames there is no still
  /// scene, and in one of fewer than 20 tracks can be shorter: finish() then follows it again so.
  CellsOptions used_options(const CellsState& state) const;
};

/// A whole film in memory, one frame per plane.
TESSERA_API std::vector<CellTrack> track_cells(AnyView film, const CellsOptions& options = {});

}  // namespace tessera
