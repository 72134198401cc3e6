// SPDX-License-Identifier: Apache-2.0
/// Lists of sources as tables and as regions for DS9.
#pragma once

#include <optional>
#include <string>

#include "io/data_table.hpp"
#include "jobs/sky_header.hpp"
#include "jobs/sky_wcs.hpp"
#include "tessera/sources.hpp"

namespace tessera {

/// The pixels of an image, as its header describes them.
struct SourcesSky {
  std::optional<SkyWcs> wcs;        ///< where pixels lie
  std::optional<SkySteps> steps;    ///< degrees per pixel
  std::optional<SourceShape> beam;  ///< in pixels
  std::string unit;                 ///< of the image
  std::string flux_unit;            ///< of fluxes
};

/// Columns id, island, ra, dec and their errors (NaN without wcs), x, y …, flags. Lengths are in
/// arcseconds if the image has steps on the sky, else in pixels.
Table sources_table(const SourceList& list, const SourcesSky& sky);

/// Regions of DS9, an ellipse of half maximum for each source, in ICRS or in pixels of the image.
std::string sources_regions(const SourceList& list, const SourcesSky& sky);

/// An ellipse on the sky (degrees, from north to east) in pixels, and the other way round.
SourceShape shape_in_pixels(const Beam& on_sky, const SkySteps& steps);
Beam shape_on_sky(const SourceShape& in_pixels, const SkySteps& steps);

}  // namespace tessera
