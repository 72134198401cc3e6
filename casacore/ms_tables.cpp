// SPDX-License-Identifier: Apache-2.0
// The main table. Columns that grow with the data are in tiles of about a megabyte, each in a file
// of its own; values that are the same for all rows of an integration are kept once.
#include <casacore/tables/DataMan/IncrementalStMan.h>
#include <casacore/tables/DataMan/StandardStMan.h>
#include <casacore/tables/DataMan/TiledColumnStMan.h>
#include <casacore/tables/Tables/SetupNewTab.h>

#include <algorithm>

#include "casacore/ms_writer.hpp"

namespace tessera {
namespace {

using casacore::IPosition;
using casacore::MS;
using casacore::TableDesc;

constexpr long long kTileBytes = 1 << 20, kTileRowBytes = 64 << 10;
constexpr long long kTilesInMemory = 32 << 20;  // all tiles of the rows that are being written

struct TiledColumn {
  MS::PredefinedColumns column;
  IPosition shape;  ///< of a cell
  long long bytes;  ///< of an element
};

long long elements(const IPosition& shape) { return shape.product(); }

/// Whole cells, or those of some channels if a row is long; no more rows than a few integrations
/// have.
IPosition tile_of(const TiledColumn& tiled, long long baselines) {
  IPosition tile = tiled.shape;
  const long long cell = elements(tile) * tiled.bytes;
  if (tile.size() > 1 && cell > kTileRowBytes) {
    const long long channel = tile[0] * tiled.bytes;
    tile[1] = std::max(1LL, kTileRowBytes / channel);
  }
  const long long row = elements(tile) * tiled.bytes;
  const long long most = std::clamp(kTilesInMemory / cell, 1LL, std::max(64LL, 16 * baselines));
  tile.append(IPosition(1, std::clamp(kTileBytes / row, 1LL, most)));
  return tile;
}

std::vector<TiledColumn> tiled_columns(const TesseraMsHeader& header) {
  const int products = header.polarisations * header.polarisations;
  const IPosition spectrum(2, products, header.channels), cell(1, products);
  return {{MS::DATA, spectrum, 8}, {MS::FLAG, spectrum, 1}, {MS::WEIGHT_SPECTRUM, spectrum, 4},
          {MS::WEIGHT, cell, 4},   {MS::SIGMA, cell, 4},    {MS::UVW, IPosition(1, 3), 8}};
}

TableDesc description(const std::vector<TiledColumn>& tiled) {
  TableDesc made = MS::requiredTableDesc();
  MS::addColumnToDesc(made, MS::DATA, 2);
  MS::addColumnToDesc(made, MS::WEIGHT_SPECTRUM, 2);
  for (const TiledColumn& one : tiled) {
    casacore::ColumnDesc& column = made.rwColumnDesc(MS::columnName(one.column));
    if (one.column != MS::UVW) column.setShape(one.shape);
    column.setOptions(casacore::ColumnDesc::FixedShape);
  }
  return made;
}

}  // namespace

casacore::MeasurementSet new_measurement_set(const TesseraMsHeader& header) {
  const std::vector<TiledColumn> tiled = tiled_columns(header);
  casacore::SetupNewTable setup(header.path, description(tiled), casacore::Table::New);
  const casacore::IncrementalStMan same("Same");
  setup.bindAll(same);
  const casacore::StandardStMan rows("Rows", 1 << 16);
  for (const auto column : {MS::ANTENNA1, MS::ANTENNA2, MS::FLAG_ROW})
    setup.bindColumn(MS::columnName(column), rows);
  const long long baselines = 1LL * header.antenna_count * (header.antenna_count + 1) / 2;
  for (const TiledColumn& one : tiled) {
    const casacore::String& name = MS::columnName(one.column);
    const casacore::TiledColumnStMan tiles("Tiled" + name, tile_of(one, baselines));
    setup.bindColumn(name, tiles);
  }
  casacore::MeasurementSet set(setup,
                               casacore::TableLock(casacore::TableLock::PermanentLockingWait));
  set.createDefaultSubtables(casacore::Table::New);
  set.tableInfo().setSubType("");
  set.tableInfo().readmeAddLine("This is a Measurement Set made by " +
                                casacore::String(header.maker));
  return set;
}

}  // namespace tessera
