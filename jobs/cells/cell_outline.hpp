// SPDX-License-Identifier: Apache-2.0
/// The outline of a cell as a polygon with one corner per direction.
#pragma once

#include <array>

#include "jobs/cells/polygon.hpp"
#include "tessera/cells.hpp"

namespace tessera {

/// Corners relative to the spot's position.
std::array<PolygonPoint, kCellDirections> outline_of(const CellSpot& spot);

/// NaN in all if the spot has no outline.
PolygonShape shape_of(const CellSpot& spot);

}  // namespace tessera
