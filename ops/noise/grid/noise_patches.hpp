// SPDX-License-Identifier: Apache-2.0
/// Values inside refined cells of a grid.
#pragma once

#include <functional>
#include <span>

#include "tessera/noise_grid.hpp"

namespace tessera {

/// The maps of a pass: `made` planes are measured, and those from `offset` on become the maps
/// [first, end). The last plane that is measured is the noise, the unit of `tolerance`.
struct PatchMaps {
  int made = 0, offset = 0, first = 0, end = 0;
  double tolerance = 0;
};

/// Measures the points columns[i], rows[j]: values[(plane * rows + j) * columns + i].
using MeasurePoints = std::function<void(const std::vector<int>& columns,
                                         const std::vector<int>& rows, double* values)>;

/// Patches of cells of one row of cells, whose points are halved until new ones lie within the
/// tolerance of what was there before, or lie next to each other.
std::vector<NoisePatch> halved_patches(const NoiseNodes& nodes, std::span<const NoiseCell> cells,
                                       const PatchMaps& maps, const MeasurePoints& measure);

/// Makes maps of all pixels of image columns and rows [first, end): a host image with `made`
/// planes.
using MakePixels = std::function<Image(Rows columns, Rows rows)>;

/// Patches of cells, of neighbouring rows of cells, with every pixel's own value. Cells nearer than
/// `gap` columns are made together.
std::vector<NoisePatch> pixel_patches(const NoiseNodes& nodes, std::span<const NoiseCell> cells,
                                      const PatchMaps& maps, int gap, const MakePixels& make);

}  // namespace tessera
