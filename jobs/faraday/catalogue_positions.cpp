// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/catalogue_positions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "core/refuse.hpp"

namespace tessera {
namespace {

using NameList = std::vector<std::string>;

const NameList kRa{"ra", "raj2000", "_raj2000", "ra_icrs", "ra_deg", "ra_deg_cont", "_ra"};
const NameList kDec{"dec",      "dej2000", "_dej2000",     "decj2000", "de_icrs",
                    "dec_icrs", "dec_deg", "dec_deg_cont", "_de"};
const NameList kL{"l", "glon"}, kB{"b", "glat"}, kX{"x"}, kY{"y"};
const NameList kId{"cat_id", "name", "source_name", "component_name", "source_id", "id"};

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

const TableColumn* column_of(const Table& table, const NameList& names) {
  for (const std::string& name : names)
    for (const TableColumn& column : table.columns)
      if (lower_case(column.name) == name) return &column;
  return nullptr;
}

const TableColumn& named_column(const std::string& path, const Table& table,
                                const std::string& name) {
  for (const TableColumn& column : table.columns)
    if (column.name == name) return column;
  NameList names;
  for (const TableColumn& column : table.columns) names.push_back(column.name);
  refuse(path,
         fmt::format("it has no column {}; its columns are {}", name, fmt::join(names, ", ")));
}

void check_degrees(const std::string& path, const TableColumn& column) {
  const std::string unit = lower_case(column.unit);
  if (unit.empty() || unit == "deg" || unit == "degree" || unit == "degrees") return;
  refuse(path, fmt::format("its column {} is in '{}'; it must be in degrees (deg)", column.name,
                           column.unit));
}

/// Two columns, and what they mean.
struct PositionColumns {
  const TableColumn *first = nullptr, *second = nullptr;
  bool pixels = false, galactic = false;
};

PositionColumns position_columns(const std::string& path, const Table& table,
                                 const CatalogueColumns& given) {
  if (given.longitude.empty() != given.latitude.empty())
    refuse(path, "only one column of positions is named; give both, ra-column and dec-column");
  PositionColumns found;
  if (!given.longitude.empty()) {
    found.first = &named_column(path, table, given.longitude);
    found.second = &named_column(path, table, given.latitude);
  } else if ((found.first = column_of(table, kRa)) && (found.second = column_of(table, kDec))) {
  } else if ((found.first = column_of(table, kL)) && (found.second = column_of(table, kB))) {
    found.galactic = true;
  } else if ((found.first = column_of(table, kX)) && (found.second = column_of(table, kY))) {
    found.pixels = true;
  } else {
    refuse(path,
           "it has no columns of positions; name them ra and dec, l and b, or x and y, or give "
           "ra-column and dec-column");
  }
  if (!found.pixels)
    for (const TableColumn* column : {found.first, found.second}) check_degrees(path, *column);
  return found;
}

}  // namespace

Point CataloguePosition::nearest() const {
  return {static_cast<int>(std::floor(pixel->x + 0.5)),
          static_cast<int>(std::floor(pixel->y + 0.5))};
}

std::vector<CataloguePosition> catalogue_positions(const std::string& path, const Table& table,
                                                   const CatalogueColumns& given) {
  const PositionColumns columns = position_columns(path, table, given);
  const TableColumn* id =
      given.id.empty() ? column_of(table, kId) : &named_column(path, table, given.id);
  std::vector<CataloguePosition> positions;
  for (std::size_t row = 0; row < columns.first->numbers.size(); ++row) {
    CataloguePosition position;
    position.id = id ? id->texts[row] : fmt::format("{}", row + 1);
    const double a = columns.first->numbers[row], b = columns.second->numbers[row];
    if (!std::isfinite(a) || !std::isfinite(b) || (!columns.pixels && std::abs(b) > 90)) {
      position.flag = CatalogueFlag::no_position;
    } else if (columns.pixels) {
      position.pixel = SkyPixel{a, b};
    } else {
      const double turn = std::fmod(a, 360);
      const SkyPoint place{turn < 0 ? turn + 360 : turn, b};
      position.place = columns.galactic ? to_icrs(place, SkyFrame::galactic) : place;
    }
    positions.push_back(std::move(position));
  }
  return positions;
}

bool need_sky(const std::vector<CataloguePosition>& positions) {
  return std::ranges::any_of(positions, [](const auto& each) { return each.place.has_value(); });
}

void locate(std::vector<CataloguePosition>& positions, const std::optional<SkyWcs>& sky,
            const Size& size) {
  for (CataloguePosition& position : positions) {
    if (position.flag != CatalogueFlag::none) continue;
    if (position.place) {
      position.pixel = sky->pixel_of(*position.place);
      if (!position.pixel) {
        position.flag = CatalogueFlag::not_shown;
        continue;
      }
    } else if (sky) {
      position.place = sky->place_of(*position.pixel);
    }
    const bool inside = position.pixel->x >= -0.5 && position.pixel->y >= -0.5 &&
                        position.pixel->x < size.width - 0.5 &&
                        position.pixel->y < size.height - 0.5;
    if (!inside) position.flag = CatalogueFlag::outside;
  }
}

}  // namespace tessera
