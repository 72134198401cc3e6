// SPDX-License-Identifier: Apache-2.0
/// Maps of an image that comes in strips, in any mode: what has to be seen of the whole image
/// before, then row by row.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/strips.hpp"
#include "jobs/progress.hpp"
#include "jobs/timing.hpp"
#include "tessera/noise_grid.hpp"

namespace tessera {

/// Told how far a sweep is: rows done, and all there are.
using RowsDone = std::function<void(int, int)>;

class NoiseMaker {
 public:
  /// Throws Error(usage) for options that do not go together.
  NoiseMaker(const ImageInfo& image, const NoiseOptions& options);

  const ImageInfo& maps() const;
  std::string describe() const;
  int device() const;
  long long nodes() const;  ///< of mode grid; 0 in others

  /// How often the image is gone through before rows of maps can be made.
  int sweeps() const;
  /// One of them, in order.
  void look(int sweep, RowSource& source, Stream& stream, StageSeconds& seconds,
            const RowsDone& progress);
  /// Rows of the image to rows of maps. It refers to `this`, which must outlive it.
  StripPlan rows() const;

 private:
  StripPlan rows_of_nodes(int sweep);
  Rows nodes_in(Rows image_rows) const;
  void draw(const Piece& in, const MutablePiece& out, Stream& stream) const;

  std::optional<Noise> plan_;
  std::optional<NoiseGrid> grid_;
  NoiseNodes nodes_;
};

}  // namespace tessera
