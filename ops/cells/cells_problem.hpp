// SPDX-License-Identifier: Apache-2.0
/// What the methods of cells see: the checked problem, and what they must do with frames.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/choice.hpp"
#include "ops/cells/frames/cells_samples.hpp"
#include "ops/cells/frames/cells_scale.hpp"
#include "tessera/cells.hpp"
#include "tessera/stream.hpp"
#include "tessera/view.hpp"
#include "tune/table.hpp"

namespace tessera {

/// Pixels [x, x + width) by [y, y + height) of the frame.
struct CellsCrop {
  int x = 0, y = 0, width = 0, height = 0;
  bool operator==(const CellsCrop&) const = default;
};

struct CellsProblem {
  ImageInfo frame;       ///< one plane, one channel
  CellsOptions options;  ///< everything is decided except flow
  CellsCrop crop;
  /// Where new cells are looked for after the first frame; a part of the crop.
  CellsCrop entry;
  std::vector<double> radii;     ///< of the circles, ascending
  bool radii_open = false;       ///< those of a film are measured in its first frames
  bool relief_open = false;      ///< likewise
  std::optional<double> relief;  ///< direction in radians, if frames are integrated
  double threshold = 0;          ///< in films
  double threshold_alone = 0;    ///< in a single frame, from which nothing is subtracted
  bool is_short = false;         ///< a film so short that it is followed when it has ended
  int trial = 0;                 ///< frames after which a new track is confirmed or dropped
  int device = 0;                ///< where the CUDA methods run
};

/// The state of a method between frames: its buffers and tracks.
class CellsWork {
 public:
  virtual ~CellsWork() = default;
};

/// Counts of all that was followed in a film, tracks on trial included.
struct CellsLives {
  int most_at_once = 0;  ///< in one frame
  int begun = 0, confirmed = 0;
};

/// A method, ready to run. Immutable: any number of threads run it, each with its own work and
/// stream.
class CellsRunner {
 public:
  virtual ~CellsRunner() = default;
  virtual std::vector<CellDetection> detect(AnyView frame, Stream& stream) const = 0;
  /// The same for each of several frames; a device takes them together.
  virtual std::vector<std::vector<CellDetection>> detect_each(const std::vector<AnyView>& frames,
                                                              Stream& stream) const {
    std::vector<std::vector<CellDetection>> found;
    for (const AnyView& frame : frames) found.push_back(detect(frame, stream));
    return found;
  }
  virtual std::unique_ptr<CellsWork> start(int films) const = 0;
  /// The next frame of every film, one per plane, in any memory; it may be freed on return.
  virtual void add(CellsWork& work, AnyView frames, Stream& stream) const = 0;
  virtual void finish(CellsWork& work, Stream& stream) const = 0;
  /// Frames that tracks know of. Waits for a device.
  virtual int frames_done(const CellsWork& work) const = 0;
  virtual std::vector<CellTrack> tracks(const CellsWork& work, int film) const = 0;
  virtual CellsLives lives(const CellsWork& work, int film) const = 0;
  /// One per frame that tracks know of; empty if the method has no still scene.
  virtual std::vector<CellDrift> drifts(const CellsWork&, int /*film*/) const { return {}; }
  virtual std::string describe() const = 0;  ///< "neon"
};

class CellsRelief;  // look/cells_relief.hpp

struct CellsState::Impl {
  int films = 1, given = 0;
  CellsScale scale;
  CellsSamples samples;                       ///< of what was given, in the plan's scale
  std::shared_ptr<const CellsRelief> relief;  ///< integrates frames, if there is relief
  std::vector<double> sizes;                  ///< measured, if the radii were not given
  bool finished = false;
  bool half_done = false;                     ///< a frame, or the end of the film, failed midway
  std::shared_ptr<const CellsRunner> runner;  ///< of the plan that started it
  CellsProblem problem;                       ///< of `used`
  std::shared_ptr<const CellsRunner> used;    ///< of the film; none while its radii are open
  std::unique_ptr<CellsWork> work;
};

using CellsMethod = Method<CellsProblem, CellsRunner>;
const std::vector<CellsMethod>& cells_methods();

using CellsRunnerPointer = std::unique_ptr<const CellsRunner>;
CellsRunnerPointer make_cells_reference(const CellsProblem&);  ///< corrected, double
CellsRunnerPointer make_cells_classic(const CellsProblem&);    ///< classic, double
CellsRunnerPointer make_cells_simd(const CellsProblem&);       ///< corrected, float, all cores
CellsRunnerPointer make_cells_cuda(const CellsProblem&);       ///< corrected, float

}  // namespace tessera
