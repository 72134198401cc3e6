// SPDX-License-Identifier: Apache-2.0
/// Frames of a film for display: 8-bit grey.
#pragma once

#include <cstdint>
#include <string>

#include "jobs/cells/film_axes.hpp"
#include "jobs/cells/film_source.hpp"
#include "jobs/cells/grey_levels.hpp"
#include "tessera/image.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// Reads a film again after its cells have been followed, as grey levels.
class CellsDisplay {
 public:
  CellsDisplay(const std::string& input, const FilmReading& reading);

  int width() const { return film_.frame().size.width; }
  int height() const { return film_.frame().size.height; }
  /// The next frame, packed; valid until the next call. Throws Error(input) if the film has fewer
  /// frames than before.
  View<const std::uint8_t> next();
  /// The frame that `next` returned, as it was read.
  AnyView as_read() const { return read_.view(); }

 private:
  FilmSource film_;
  GreyLevels levels_;
  Image read_;
};

}  // namespace tessera
