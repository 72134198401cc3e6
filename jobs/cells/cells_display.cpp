// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/cells_display.hpp"

#include <fmt/format.h>

#include "tessera/error.hpp"

namespace tessera {

CellsDisplay::CellsDisplay(const std::string& input, const FilmReading& reading)
    : film_(input, reading), levels_(film_.frame()) {}

View<const std::uint8_t> CellsDisplay::next() {
  if (!film_.next(read_))
    throw Error(ErrorKind::input,
                fmt::format("cells: frame {} of the film could be read before but not now: {}",
                            film_.first_frame() + film_.read_so_far(),
                            film_.damage().empty() ? "it ends there" : film_.damage()));
  return levels_.of(read_);
}

}  // namespace tessera
