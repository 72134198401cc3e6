// SPDX-License-Identifier: Apache-2.0
/// Positions of sources from a table, and the pixels of an image at which they lie.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/data_table.hpp"
#include "jobs/sky_wcs.hpp"
#include "tessera/options.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// Names of columns; "": found by their usual names.
struct CatalogueColumns {
  std::string longitude, latitude, id;
};

/// Why a position has no rotation measure.
enum class CatalogueFlag : unsigned char {
  none,         ///< it has one
  no_position,  ///< its cells are not numbers, or a latitude is beyond 90 degrees
  not_shown,    ///< on the side of the sphere that the projection does not show
  outside,      ///< outside the image
  no_data,      ///< no channel has finite Q and U
  no_peak,      ///< the largest value is at the end of the depths, or the fit failed
};
template <>
struct Names<CatalogueFlag> {
  static constexpr std::array<std::pair<std::string_view, CatalogueFlag>, 6> list{
      {{"", CatalogueFlag::none},
       {"no-position", CatalogueFlag::no_position},
       {"not-shown", CatalogueFlag::not_shown},
       {"outside", CatalogueFlag::outside},
       {"no-data", CatalogueFlag::no_data},
       {"no-peak", CatalogueFlag::no_peak}}};
};

struct CataloguePosition {
  std::string id;
  std::optional<SkyPoint> place;  ///< ICRS
  std::optional<SkyPixel> pixel;
  CatalogueFlag flag = CatalogueFlag::none;

  /// The pixel whose area holds the position.
  Point nearest() const;
};

/// Rows of the table in their order: places in columns of RA and Dec, or l and b, in degrees, or
/// pixels in columns x and y, counted from 0. `path` begins messages. Throws Error(usage) if there
/// are no such columns, or if their unit is not degrees.
std::vector<CataloguePosition> catalogue_positions(const std::string& path, const Table& table,
                                                   const CatalogueColumns& columns);

/// Whether positions are places that need coordinates of the image to become pixels.
bool need_sky(const std::vector<CataloguePosition>& positions);

/// Fills in pixels from places and places from pixels, and flags positions outside `size`.
void locate(std::vector<CataloguePosition>& positions, const std::optional<SkyWcs>& sky,
            const Size& size);

}  // namespace tessera
