// SPDX-License-Identifier: Apache-2.0
/// Finds white blood cells in a film and follows them: positions, radii, stable ids.
///
///     tessera::Cells plan({{640, 480}, tessera::Type::u8}, {.flow = 0.0});
///     tessera::CellsState state = plan.start();
///     for (const auto& frame : film) plan.add(state, frame, stream);
///     plan.finish(state, stream);
///     for (const tessera::CellTrack& track : plan.tracks(state)) …
///
/// Coordinates are pixels of the frame: x to the right, y down, (0, 0) the middle of the first
/// pixel.
///
/// A cell is where the image's gradient points in, or out, all round a circle. With s_n the outward
/// derivative at n points of a circle, m their mean and v their variance, the score of a circle is
/// m / sqrt(v), the inverse coefficient of variation of the gradient (GICOV); of all radii the one
/// with the largest m^2 / v counts. Bright cells on dark ground have negative scores. What is the
/// largest of its neighbourhood and passes the threshold is refined by a closed spline that settles
/// on the outline.
///
/// From frame to frame each cell's outline, a star of 20 radii, settles in a field (MGVF) that
/// spreads edges against the direction of flow, so that a cell that has rolled on pulls it along.
/// Tracks begin with detections, in the first frame and again every few frames; are bridged over a
/// few frames in which nothing is seen; end at the frame's edge or when the score has faded.
///
/// Two models. `corrected` is the published method with its defects mended (docs/cells.md), in
/// double, float or on a GPU: positions of all agree to 0.05 px. `classic` is the published program
/// with every quirk, in double on the CPU, so that published numbers can be compared. Tracks do not
/// depend on the number of threads.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "tessera/export.hpp"
#include "tessera/image.hpp"
#include "tessera/options.hpp"
#include "tessera/stream.hpp"
#include "tessera/view.hpp"

namespace tessera {

enum class CellsModel : unsigned char { corrected, classic };
template <>
struct Names<CellsModel> {
  static constexpr std::array<std::pair<std::string_view, CellsModel>, 2> list{
      {{"corrected", CellsModel::corrected}, {"classic", CellsModel::classic}}};
};

/// Which cells are looked for: brighter or darker than what is round them.
enum class Polarity : unsigned char { both, bright, dark };
template <>
struct Names<Polarity> {
  static constexpr std::array<std::pair<std::string_view, Polarity>, 3> list{
      {{"both", Polarity::both}, {"bright", Polarity::bright}, {"dark", Polarity::dark}}};
};

/// Where cells are looked for again: on the side they come from, or in the whole crop. `automatic`
/// is `entry` where the direction of flow is given.
enum class DetectWhere : unsigned char { automatic, entry, everywhere };
template <>
struct Names<DetectWhere> {
  static constexpr std::array<std::pair<std::string_view, DetectWhere>, 3> list{
      {{"auto", DetectWhere::automatic},
       {"entry", DetectWhere::entry},
       {"everywhere", DetectWhere::everywhere}}};
};

/// What is taken away before cells are looked for: nothing, or what stands still in the film (the
/// median of means of the frames around, each put where the slow drift of the scene has it).
enum class CellsBackground : unsigned char { still, none };
template <>
struct Names<CellsBackground> {
  static constexpr std::array<std::pair<std::string_view, CellsBackground>, 2> list{
      {{"still", CellsBackground::still}, {"none", CellsBackground::none}}};
};

struct CellsOptions {
  CellsModel model = CellsModel::corrected;
  std::string crop = "auto";
  std::optional<double> flow;
  double speed = 0;
  double min_radius = 6;
  double max_radius = 14;
  double radius_step = 1;
  int samples = 150;
  Polarity polarity = Polarity::both;
  std::optional<double> threshold;
  int detect_every = 10;
  DetectWhere detect_where = DetectWhere::automatic;
  std::optional<int> entry;
  CellsBackground background = CellsBackground::still;
  int gap = 8;
  int min_frames = 10;
  int max_cells = 256;
  Backend backend = Backend::automatic;
  std::string method = "auto";
  int device = 0;

  static constexpr auto fields() {
    using O = CellsOptions;
    return std::tuple_cat(
        std::tuple{
            field("model", &O::model,
                  "the method with its defects mended, or the published program as it was"),
            field("crop", &O::crop,
                  "where cells are looked for: X,Y,WIDTHxHEIGHT in pixels; auto is the whole frame "
                  "(classic: rows 110 to 328)"),
            field("flow", &O::flow,
                  "where cells roll to, in degrees: 0 is right, 90 down; auto: not known"),
            field("speed", &O::speed,
                  "pixels a frame that new cells are expected to move along the flow"),
            field("min-radius", &O::min_radius, "the smallest circle, in pixels"),
            field("max-radius", &O::max_radius, "the largest circle, in pixels"),
            field("radius-step", &O::radius_step, "from one circle to the next, in pixels"),
            field("samples", &O::samples, "points of a circle"),
            field("polarity", &O::polarity, "cells brighter or darker than the ground, or both"),
            field("threshold", &O::threshold,
                  "the score that a cell needs; auto: 1.3 with background still, else 1.8"),
            field("detect-every", &O::detect_every,
                  "look for new cells every so many frames; 0: only in the first"),
            field("detect-where", &O::detect_where,
                  "look for new cells on the side they come from, or everywhere"),
            field("entry", &O::entry, "width of that side in pixels; auto: three diameters"),
            field("background", &O::background, "take away what stands still in the film"),
            field("gap", &O::gap, "frames a cell may be unseen before its track ends"),
            field("min-frames", &O::min_frames, "shorter tracks are not kept"),
            field("max-cells", &O::max_cells, "cells followed at the same time, at most"),
        },
        run_fields<O>());
  }
};

/// A cell found in one frame.
struct CellDetection {
  double x = 0, y = 0, radius = 0;
  double score = 0;  ///< negative: brighter than the ground
};

/// A cell in one frame of its track.
struct CellSpot {
  int frame = 0;  ///< counted from 0
  double x = 0, y = 0, radius = 0;
  double score = 0;
  bool seen = true;  ///< false: bridged, the position is where it was expected
};

struct CellTrack {
  int id = 0;                   ///< counted from 1, in the order of first frames
  std::vector<CellSpot> spots;  ///< one a frame, without holes
};

/// Films while they are followed: tracks so far, and frames that wait for those after them.
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
/// channel, of any type; their scale does not matter.
class TESSERA_API Cells {
 public:
  /// Throws Error(usage) with what would be right.
  explicit Cells(const ImageInfo& frame, const CellsOptions& options = {});

  const ImageInfo& frame() const;
  const CellsOptions& options() const;  ///< those left open filled in
  Backend backend() const;              ///< chosen, never `automatic`
  std::string method() const;           ///< chosen, never "auto"
  int device() const;  ///< where it runs: make streams for it with Stream(plan.device())

  /// One frame alone: what detection finds, in order of rows. Nothing is taken away from it: plan
  /// it with background none, whose threshold is the one for such frames.
  std::vector<CellDetection> detect(AnyView frame, Stream& stream) const;

  /// Several films of one size go together: that fills a large GPU. The corrected model follows
  /// cells of up to 22 pixels' radius.
  CellsState start(int films = 1) const;
  /// The next frame of every film, one a plane; the frame may be given up afterwards. Work on a
  /// device is only enqueued. Films whose frame failed midway (no memory) take no more.
  void add(CellsState& state, AnyView frames, Stream& stream) const;
  /// There are no more frames: what waits is done.
  void finish(CellsState& state, Stream& stream) const;
  /// Tracks of the frames that are done, ordered by id.
  std::vector<CellTrack> tracks(const CellsState& state, int film = 0) const;

  /// "cells 640x480 u8, corrected, radii 6 to 14: cpu simd, neon"
  std::string describe() const;

  struct Impl;

 private:
  std::shared_ptr<const Impl> impl_;
};

/// A whole film in memory, a frame a plane.
TESSERA_API std::vector<CellTrack> track_cells(AnyView film, const CellsOptions& options = {});

}  // namespace tessera
