// SPDX-License-Identifier: Apache-2.0
/// Maps of an image that comes in strips, in any mode: first sweeps over the whole image, then row
/// by row. Ranks share the rows of each sweep, and have all nodes and refined cells after it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/strips.hpp"
#include "jobs/progress.hpp"
#include "jobs/timing.hpp"
#include "tessera/noise_grid.hpp"

namespace tessera {

/// Receives the progress of a sweep: rows done, and all rows.
using RowsDone = std::function<void(int, int)>;

class NoiseMaker {
 public:
  /// Throws Error(usage) for options that contradict each other.
  NoiseMaker(const ImageInfo& image, const NoiseOptions& options);

  const ImageInfo& maps() const;
  std::string describe() const;
  Backend backend() const;
  std::string method() const;
  int device() const;
  long long nodes() const;       ///< of mode grid; 0 in other modes
  long long refined() const;     ///< cells of mode grid that were refined in the last image
  long long node_bytes() const;  ///< memory of nodes, from the first sweep on, and of refined cells

  /// The number of sweeps over the image before rows of maps can be made.
  int sweeps() const;
  /// One sweep, in order. Throws Error(resources) if refined cells need more than half of the
  /// stream's memory.
  void look(int sweep, RowSource& source, Stream& stream, StageSeconds& seconds,
            const RowsDone& progress);
  /// Rows of the image to rows of maps. It refers to `this`, which must outlive it.
  StripPlan rows() const;

 private:
  StripPlan rows_of_nodes(bool rms);
  StripPlan rows_of_cells(bool rms, double room);
  long long patch_bytes() const;
  void check_room(double room) const;
  Rows nodes_in(Rows image_rows) const;
  void draw(const Piece& in, const MutablePiece& out, Stream& stream) const;

  std::optional<Noise> plan_;
  std::optional<NoiseGrid> grid_;
  NoiseNodes nodes_;
  std::vector<Rows> measured_;  ///< rows of nodes, by this rank in this sweep
};

}  // namespace tessera
