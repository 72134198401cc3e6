// SPDX-License-Identifier: Apache-2.0
/// The paper's problem: cells are found in the crop of a frame and followed into the next one, or
/// into the nine that come before detection runs again. The film is longer: the product is timed on
/// all of it.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ops/cells/study/plain_cells.hpp"
#include "ops/cells/study/watched_device.hpp"
#include "study/rung.hpp"
#include "tessera/cells.hpp"
#include "tessera/image.hpp"

namespace tessera {

/// The stage that a rung does.
enum class CellsStage : int { detect, track, film };
inline constexpr const char* kCellsStages[] = {"detect", "track", "film"};
inline constexpr int kCellsStageCount = 3;

/// PreparedRung::truth: the stage, and whether the rung is the product's. The product does not make
/// the mistakes of the published program, so its truth is another one: the positions of the cells.
constexpr int truth_of(CellsStage stage, bool ours) {
  return 2 * static_cast<int>(stage) + (ours ? 1 : 0);
}

/// Frames, and the cells in them.
struct StudyFilm {
  Image frames;  ///< u8, one frame per plane
  int crop_top = 0, crop_rows = 0;
  struct Cell {
    double x = 0, y = 0, radius = 0;  ///< in frame 0
    double moves_x = 0;               ///< per frame
    double x_in(int frame) const { return x + frame * moves_x; }
  };
  std::vector<Cell> cells;
  bool truth_known = true;  ///< false: of the user; then the product is compared with its reference
};

struct Detected {
  std::vector<double> gicov, dilated;
  std::vector<FoundCell> cells;
};

struct Tracked {
  std::vector<StarCell> cells;
  std::vector<int> mgvf_steps, star_steps;  ///< per cell
  std::vector<std::vector<double>> fields;  ///< per cell
};

/// A frame, and the positions of the cells in the previous one.
struct TrackedFrame {
  const double* samples;  ///< 0 to 1
  int width, height;
  const std::vector<StarCell>& cells;
};

/// Frames from one detection to the next.
inline constexpr int kFramesADetection = 10;

class CellsCase {
 public:
  /// The film has at least kFramesADetection frames.
  explicit CellsCase(StudyFilm film);

  std::string name() const;
  int width() const { return film_.frames.info().size.width; }
  int frame_height() const { return film_.frames.info().size.height; }
  int crop_height() const { return film_.crop_rows; }
  int frames() const { return film_.frames.info().size.planes; }
  const StudyFilm& film() const { return film_; }
  StudyCrop crop() const { return {film_.crop_top, frame_height()}; }

  const std::vector<double>& cropped() const { return cropped_; }  ///< frame 0, 0 to 255
  /// Frames 1 to 9, each with the cells of the previous one.
  TrackedFrame frame(int k, const std::vector<StarCell>& cells) const;
  TrackedFrame next_frame() const { return frame(1, cells_); }
  const std::vector<StarCell>& cells() const { return cells_; }  ///< in frame 0

  Detected& detected() const { return detected_; }  ///< where rungs write
  Tracked& tracked() const { return tracked_; }
  std::vector<CellDetection>& found() const { return found_; }  ///< of the product
  std::vector<CellTrack>& tracks() const { return tracks_; }

  /// While it is set, steps of CUDA rungs add their time to it.
  TimeSplit*& watched() const { return watched_; }

  void poison(const PreparedRung& rung, Stream& stream) const;
  /// The first thing that differs from the plain program; "" if nothing does.
  std::string disagreement(const PreparedRung& rung, Stream& stream) const;

  const Detected& true_detected() const;  ///< made when first asked for
  const Tracked& true_tracked() const;
  const Tracked& true_film() const;
  const std::vector<CellDetection>& reference_found() const;
  const std::vector<CellTrack>& reference_tracks(CellsStage stage) const;

 private:
  StudyFilm film_;
  std::vector<double> cropped_;
  std::vector<std::vector<double>> frames_;  ///< from frame 1 on
  std::vector<StarCell> cells_;
  mutable Detected detected_, true_detected_;
  mutable Tracked tracked_, true_tracked_, true_film_;
  mutable std::vector<CellDetection> found_;
  mutable std::vector<CellTrack> tracks_;
  mutable std::optional<std::vector<CellDetection>> reference_found_;
  mutable std::optional<std::vector<CellTrack>> reference_tracks_[kCellsStageCount];
  mutable TimeSplit* watched_ = nullptr;
};

/// A cell at the start of tracking.
StarCell started_cell(const StudyFilm::Cell& cell);

/// The frames of a user, all of each the crop, with the cells that the plain program finds in the
/// first one, at most `most`; cells whose window does not stay whole until detection runs again are
/// left out.
StudyFilm film_of_frames(const AnyView& frames, int most);

/// Seconds of the parts of the C program, and of all of it.
struct PartSeconds {
  double scores = 0, dilation = 0, solver = 0, all = 0;
};

/// Adds the seconds of its life.
class PartClock {
 public:
  explicit PartClock(double& seconds) : seconds_(seconds) {}
  PartClock(const PartClock&) = delete;
  PartClock& operator=(const PartClock&) = delete;
  ~PartClock() {
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  double& seconds_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// The loops of a program for detection on the CPU: the published ones, or others for the scores.
struct DetectLoops {
  decltype(&plain_gicov_row) gicov_row = plain_gicov_row;
  bool columns = false;          ///< it wants gradients column after column
  PartSeconds* parts = nullptr;  ///< if set, times are added to it
};

/// Makes the two maps of detection, by rows.
void detect_by_rows(const CellsCase& c, int threads, Detected& made, const DetectLoops& loops = {});

/// Makes the field of a cell from its edges; returns the number of steps.
using FieldSolver =
    std::function<int(const double* edges, const StudyWindow& window, double* field)>;

/// Room for every cell.
Tracked empty_tracked(const std::vector<StarCell>& cells);
/// The cell's window. Throws Error(failure) if it is not a whole one: cells of the study's films
/// stay away from the edges.
StudyWindow whole_window(const TrackedFrame& frame, const StarCell& cell);
/// One cell of a frame.
void track_cell(const TrackedFrame& frame, int cell, const FieldSolver& solve, Tracked& made);
/// All cells of a frame.
void track_by_cells(const TrackedFrame& frame, int threads, Tracked& made);
/// All cells of a frame in turn.
void track_in_turn(const TrackedFrame& frame, const FieldSolver& solve, Tracked& made);

using FrameTracker = std::function<void(const TrackedFrame& frame, Tracked& made)>;
/// Follows the cells from frame 0 to the last frame before detection runs again; `made` is of that
/// frame.
void track_film(const CellsCase& c, const FrameTracker& track, Tracked& made);

/// A seeded film: bright cells roll to the right through a crop of `rows` rows, in noise; at most
/// `cells` of them. In films of the study all cells have a whole window at the start and all stay,
/// which films of sample/ do not promise.
StudyFilm made_film(int width, int height, int top, int rows, int cells, int frames);

}  // namespace tessera
